package module

import (
	"encoding/json"
	"fmt"
)

// Span is the first of some bytes, and the one after the last.
type Span struct{ Start, End int }

// UnmarshalJSON reads the two numbers of the module.
func (s *Span) UnmarshalJSON(text []byte) error {
	var ends [2]int
	if err := json.Unmarshal(text, &ends); err != nil {
		return err
	}
	s.Start, s.End = ends[0], ends[1]
	return nil
}

// Failure is an error that the module answers. The package kron shows it as its Error.
type Failure struct {
	Code    string
	Field   string
	Span    *Span
	Line    int
	Message string
	Help    string
}

func (f *Failure) Error() string { return f.Message }

// tooLong is the answer to a request for which the module has no buffer.
func tooLong(bytes int) *Failure {
	return &Failure{Code: "request", Message: fmt.Sprintf("%d bytes are too long: at most 1048576 are read", bytes)}
}

// panicked is the end of an instance: the module panicked, or its stack overflowed.
type panicked struct {
	text  string
	cause error
}

func (p *panicked) Error() string { return "the module has panicked: " + p.text }

func (p *panicked) Unwrap() error { return p.cause }
