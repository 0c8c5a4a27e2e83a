/** Why a text, a value or a search was refused. */
export class KronError extends Error {
    constructor({ code, field, span, line, message, help }) {
        super(message);
        this.name = "KronError";
        this.code = code;
        this.field = field;
        this.span = span;
        this.line = line;
        this.help = help;
    }
}
