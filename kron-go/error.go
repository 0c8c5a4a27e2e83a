package kron

import (
	"errors"
	"fmt"

	"github.com/OWNER/kron/kron-go/internal/module"
)

// ErrNoStart is what [errors.Is] finds in the error of a search for a start if none comes within five years.
var ErrNoStart = errors.New("kron: no start comes")

// Span is a part of a text in bytes: the first, and the one after the last.
type Span struct{ Start, End int }

// Error says why a text, a value or a search was refused. Get it by [errors.As].
type Error struct {
	// Code is a stable word, such as "cron-out-of-range".
	Code string
	// Field is what the error is about, such as "schedule.minute"; empty if it is about the whole input.
	Field string
	// Span is the offending part of the text that the error is about, if it is known.
	Span *Span
	// Line is the line of a file, from 1; 0 if the input is none.
	Line int
	// Message has field, place and help.
	Message string
	// Help is the correct way to write it, if it is known.
	Help string
}

// Error is the message.
func (e *Error) Error() string { return "kron: " + e.Message }

// Is says whether the error means [ErrNoStart].
func (e *Error) Is(target error) bool {
	return target == ErrNoStart && (e.Code == "no-start-in-sight" || e.Code == "no-period")
}

// of shows an error of the module as one of this package.
func of(err error) error {
	var failure *module.Failure
	if err == nil || !errors.As(err, &failure) {
		return wrapped(err)
	}
	shown := &Error{Code: failure.Code, Field: failure.Field, Line: failure.Line, Message: failure.Message, Help: failure.Help}
	if failure.Span != nil {
		shown.Span = &Span{Start: failure.Span.Start, End: failure.Span.End}
	}
	return shown
}

func wrapped(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("kron: %w", err)
}
