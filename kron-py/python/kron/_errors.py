"""The exceptions. The core makes the messages; these classes carry its data."""

from __future__ import annotations


class KronError(ValueError):
    """A text, a value or a search that Kron rejects.

    The message is the core's: it names the place, the offending text and, where there is one, the help.

    >>> import kron
    >>> try:
    ...     kron.Cron("61 * * * *")
    ... except kron.KronError as error:
    ...     print(error, error.code, error.field, error.span)
    schedule.minute: `61` at column 1 is not in 0 to 59 103 schedule.minute (0, 2)
    """

    __module__ = "kron"

    #: The stable number of this kind of error, the same in every language.
    code: int
    #: The field by its path in a KronJob's spec, such as ``schedule.minute``.
    field: str
    #: First byte and the byte after the last one of the offending part of the input, in UTF-8.
    span: tuple[int, int] | None
    #: The line of a job file or calendar file, from 1.
    line: int | None
    #: The document of a manifest file, from 1, if the file has several.
    document: int | None
    #: The row of a table, from 0.
    row: int | None
    #: The sentence without field, place and help.
    reason: str
    #: The correction, if there is one.
    help: str | None

    def __init__(
        self,
        message: str,
        code: int,
        field: str,
        span: tuple[int, int] | None = None,
        line: int | None = None,
        document: int | None = None,
        reason: str = "",
        help: str | None = None,
        row: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.field = field
        self.span = span
        self.line = line
        self.document = document
        self.reason = reason
        self.help = help
        self.row = row

    def __reduce__(self) -> tuple[object, ...]:
        data = (self.code, self.field, self.span, self.line, self.document, self.reason, self.help, self.row)
        return (type(self), (str(self), *data))


class LoadError(KronError):
    """A file or text with errors. Code, field and place are those of its first error."""

    __module__ = "kron"

    #: The errors of the file, in order; at least one. After the first 1000, one more says how many others there are.
    errors: tuple[KronError, ...]

    def __init__(self, message: str, errors: tuple[KronError, ...]) -> None:
        first = errors[0]
        super().__init__(
            message, first.code, first.field, first.span, first.line, first.document, first.reason, first.help, first.row
        )
        self.errors = errors

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (str(self), self.errors))
