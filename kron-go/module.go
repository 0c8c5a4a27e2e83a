package kron

import "github.com/OWNER/kron/kron-go/internal/module"

// Place gives a schedule that another system runs a place in its window. The name is that of a text that has no `name=` at its end;
// without one, the text needs it.
func Place(name, text string) (*Placed, error) {
	request := map[string]any{"ask": "place", "text": text}
	if name != "" {
		request["name"] = name
	}
	return answered[Placed](module.Default.Ask(request))
}

// Verify computes the decision of a receipt again. The calendars are those that its text names; a receipt has their dates' hash.
func Verify(receipt []byte, calendars Calendars) (*Verification, error) {
	request := map[string]any{"ask": "verify", "receipt": string(receipt)}
	if calendars != nil {
		request["calendars"] = map[string]string(calendars)
	}
	return answered[Verification](module.Default.Ask(request))
}

// Version is the version of Kron, and that of its time zones.
func Version() (*Versions, error) {
	return answered[Versions](module.Default.Ask(map[string]any{"ask": "version"}))
}

// UseCache keeps the compiled module in a directory, so that the next process compiles nothing. Call it before anything else. A directory
// that cannot be used is no error: the module is then compiled each time.
func UseCache(directory string) { module.Default.UseCache(directory) }

// Close gives back the memory of the module. Jobs stay usable: the next call compiles it again.
func Close() error { return wrapped(module.Default.Close()) }
