package kron

import (
	"encoding/json"
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
	if !errors.As(err, &failure) {
		return wrapped(err)
	}
	shown := new(Error)
	// The module writes a span as two numbers.
	read := struct {
		*Error
		Span *[2]int
	}{Error: shown}
	if err := json.Unmarshal(failure.JSON, &read); err != nil {
		return wrapped(err)
	}
	if read.Span != nil {
		shown.Span = &Span{Start: read.Span[0], End: read.Span[1]}
	}
	return shown
}

func wrapped(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("kron: %w", err)
}
