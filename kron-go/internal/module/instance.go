package module

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"

	"github.com/tetratelabs/wazero/api"
)

// An instance of the module. One goroutine at a time uses it, since functions of wazero are not safe for several.
type instance struct {
	module api.Module
	memory api.Memory
	exports

	// The arguments and the result of a call.
	stack [5]uint64
	// The handles of the jobs that it has parsed.
	jobs map[*parts]uint32

	// These two belong to the mutex of the engine.
	busy bool
	// Jobs that are gone. Whoever uses the instance next frees their handles.
	dropped []*parts
}

// exports are the functions of the module that are called.
type exports struct {
	allocate, free, call, answer, answerLength                            api.Function
	next, previous, nominal, starts, startsFrom, startsPassed, freeHandle api.Function
	panicText, panicLength                                                api.Function
}

func newInstance(module api.Module) (*instance, error) {
	i := &instance{module: module, memory: module.Memory(), jobs: map[*parts]uint32{}}
	for name, function := range map[string]*api.Function{
		"kron_allocate":      &i.allocate,
		"kron_free":          &i.free,
		"kron_call":          &i.call,
		"kron_answer":        &i.answer,
		"kron_answer_length": &i.answerLength,
		"kron_next":          &i.next,
		"kron_previous":      &i.previous,
		"kron_nominal":       &i.nominal,
		"kron_starts":        &i.starts,
		"kron_starts_from":   &i.startsFrom,
		"kron_starts_passed": &i.startsPassed,
		"kron_free_job":      &i.freeHandle,
		"kron_panic_text":    &i.panicText,
		"kron_panic_length":  &i.panicLength,
	} {
		if *function = module.ExportedFunction(name); *function == nil {
			return nil, fmt.Errorf("the module has no function %s", name)
		}
	}
	return i, nil
}

// do calls a function of the module. An error is the end of the instance.
func (i *instance) do(function api.Function, arguments ...uint64) (uint64, error) {
	copy(i.stack[:], arguments)
	if err := function.CallWithStack(context.Background(), i.stack[:]); err != nil {
		return 0, &panicked{text: i.lastWords(err), cause: err}
	}
	return i.stack[0], nil
}

// lastWords is the text of a panic.
func (i *instance) lastWords(err error) string {
	address, failed := i.panicText.Call(context.Background())
	length, failedToo := i.panicLength.Call(context.Background())
	if failed == nil && failedToo == nil {
		if text, ok := i.memory.Read(uint32(address[0]), uint32(length[0])); ok && len(text) > 0 {
			return string(text)
		}
	}
	return err.Error()
}

func (i *instance) number(function api.Function, arguments ...uint64) (float64, error) {
	bits, err := i.do(function, arguments...)
	return math.Float64frombits(bits), err
}

// read gives bytes of the memory of the instance, which are valid until the next call.
func (i *instance) read(address, length uint64) ([]byte, error) {
	bytes, ok := i.memory.Read(uint32(address), uint32(length))
	if !ok {
		return nil, &panicked{text: "an answer lies outside its memory"}
	}
	return bytes, nil
}

// withBuffer runs something with a buffer in the memory of the instance.
func (i *instance) withBuffer(bytes int, use func(buffer uint64) error) error {
	buffer, err := i.do(i.allocate, uint64(bytes))
	if err != nil {
		return err
	}
	if buffer == 0 {
		return tooLong(bytes)
	}
	err = use(buffer)
	if _, broken := err.(*panicked); broken {
		return err
	}
	if _, broken := i.do(i.free, buffer); broken != nil {
		return broken
	}
	return err
}

// ask sends a request, and returns what it asked for.
func (i *instance) ask(request []byte) (found json.RawMessage, err error) {
	err = i.withBuffer(len(request), func(buffer uint64) error {
		if !i.memory.Write(uint32(buffer), request) {
			return &panicked{text: "a buffer lies outside its memory"}
		}
		if _, err := i.do(i.call, buffer, uint64(len(request))); err != nil {
			return err
		}
		found, err = i.lastAnswer()
		return err
	})
	return found, err
}

// lastAnswer is the answer of the last call. After one that returned a number, it says why there is none.
func (i *instance) lastAnswer() (json.RawMessage, error) {
	address, err := i.do(i.answer)
	if err != nil {
		return nil, err
	}
	length, err := i.do(i.answerLength)
	if err != nil {
		return nil, err
	}
	text, err := i.read(address, length)
	if err != nil {
		return nil, err
	}
	var answer struct {
		OK    json.RawMessage
		Error *Failure
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, &panicked{text: "an answer is not JSON", cause: err}
	}
	if answer.Error != nil {
		return nil, answer.Error
	}
	return answer.OK, nil
}

// search calls a search for one start, and returns its chosen and its nominal time.
func (i *instance) search(function api.Function, handle uint32, second int64) (chosen, nominal int64, err error) {
	found, err := i.number(function, uint64(handle), api.EncodeF64(float64(second)))
	if err != nil {
		return 0, 0, err
	}
	if math.IsNaN(found) {
		_, err := i.lastAnswer()
		return 0, 0, err
	}
	of, err := i.number(i.nominal)
	return int64(found), int64(of), err
}

// page lists the first starts of a range, as many as `most`.
func (i *instance) page(handle uint32, from, until, passed float64, most int) (page Page, err error) {
	const bytes = 16
	err = i.withBuffer(bytes*most, func(buffer uint64) error {
		count, err := i.do(i.starts, uint64(handle), api.EncodeF64(from), api.EncodeF64(until), api.EncodeF64(passed), buffer)
		if err != nil {
			return err
		}
		if int32(count) < 0 {
			_, err := i.lastAnswer()
			return err
		}
		found, err := i.read(buffer, bytes*count)
		if err != nil {
			return err
		}
		for ; len(found) > 0; found = found[bytes:] {
			page.Times = append(page.Times, [2]int64{second(found), second(found[8:])})
		}
		if page.From, err = i.number(i.startsFrom); err != nil {
			return err
		}
		page.Passed, err = i.number(i.startsPassed)
		return err
	})
	return page, err
}

func second(bytes []byte) int64 {
	return int64(math.Float64frombits(binary.LittleEndian.Uint64(bytes)))
}

// has says whether this instance has parsed a job. It is for whoever uses it, and for whoever holds the mutex while nobody does.
func (i *instance) has(job *parts) bool {
	_, parsed := i.jobs[job]
	return parsed
}

// handle gives the handle of a job, which is parsed if this instance has not seen it yet.
func (i *instance) handle(job *parts) (uint32, error) {
	if handle, ok := i.jobs[job]; ok {
		return handle, nil
	}
	answer, err := i.ask(job.request)
	if err != nil {
		return 0, err
	}
	var parsed Parsed
	if err := json.Unmarshal(answer, &parsed); err != nil {
		return 0, err
	}
	job.once.Do(func() { job.parsed = parsed })
	i.jobs[job] = parsed.Job
	return parsed.Job, nil
}

// forget frees the handles of jobs that are gone.
func (i *instance) forget(gone []*parts) error {
	for _, job := range gone {
		handle, ok := i.jobs[job]
		if !ok {
			continue
		}
		delete(i.jobs, job)
		if _, err := i.do(i.freeHandle, uint64(handle)); err != nil {
			return err
		}
	}
	return nil
}
