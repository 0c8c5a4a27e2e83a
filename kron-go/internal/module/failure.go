package module

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Failure is an error that the module answers. The package kron shows it as its Error.
type Failure struct {
	Code string
	// All that the module says of it, as JSON.
	JSON json.RawMessage
}

// UnmarshalJSON reads the code, and keeps the rest.
func (f *Failure) UnmarshalJSON(text []byte) error {
	var read struct{ Code string }
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	f.Code, f.JSON = read.Code, bytes.Clone(text)
	return nil
}

func (f *Failure) Error() string { return string(f.JSON) }

// refused is the answer to a request that the module does not get.
func refused(field, message, help string) error {
	failure := map[string]string{"code": "request", "field": field, "message": message + "; " + help, "help": help}
	text, err := json.Marshal(failure)
	if err != nil {
		return err
	}
	return &Failure{Code: failure["code"], JSON: text}
}

// tooLong is the answer to a request for which the module has no buffer.
func tooLong(length int) error {
	return refused("", fmt.Sprintf("%d bytes are too long", length), "the module reads at most 1048576")
}

// panicked is the end of an instance: the module panicked, or its stack overflowed.
type panicked struct {
	text  string
	cause error
}

func (p *panicked) Error() string { return "the module has panicked: " + p.text }

func (p *panicked) Unwrap() error { return p.cause }
