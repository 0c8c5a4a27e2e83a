package module

import (
	"encoding/json"
	"maps"
	"runtime"
	"sync"
)

// Job is a parsed job. Its handles are freed when it is collected.
type Job struct {
	engine *Engine
	*parts
}

// parts are what a job is parsed from, again in each instance that has not seen it yet.
type parts struct {
	request []byte
	once    sync.Once
	parsed  Parsed
}

// Parsed is what the module says of a job: its handle, its canonical form and its zone.
type Parsed struct {
	Job            uint32
	Text, Timezone string
}

// Page is a part of a range: chosen and nominal times, and the arguments for the next page. From is not a number after the last one.
type Page struct {
	Times        [][2]int64
	From, Passed float64
}

// Parse parses a job. The request has its fields except `ask`.
func (e *Engine) Parse(request map[string]any) (*Job, error) {
	request = maps.Clone(request)
	request["ask"] = "job"
	text, err := encoded(request)
	if err != nil {
		return nil, err
	}
	job := &Job{engine: e, parts: &parts{request: text}}
	if err := job.with(func(*instance, uint32) error { return nil }); err != nil {
		return nil, err
	}
	runtime.AddCleanup(job, e.forget, job.parts)
	return job, nil
}

// Parsed is the canonical form and the zone.
func (j *Job) Parsed() (text, timezone string) { return j.parsed.Text, j.parsed.Timezone }

func (j *Job) with(calls func(i *instance, handle uint32) error) error {
	// Its handle is in use until then.
	defer runtime.KeepAlive(j)
	return j.engine.with(j.parts, func(i *instance) error {
		handle, err := i.handle(j.parts)
		if err != nil {
			return err
		}
		return calls(i, handle)
	})
}

// Ask sends a request about the job.
func (j *Job) Ask(what string, more map[string]any) (answer json.RawMessage, err error) {
	err = j.with(func(i *instance, handle uint32) error {
		request := maps.Clone(more)
		request["ask"], request["job"] = what, handle
		text, err := encoded(request)
		if err != nil {
			return err
		}
		answer, err = i.ask(text)
		return err
	})
	return answer, err
}

// Next is the first start after a second.
func (j *Job) Next(after int64) (chosen, nominal int64, err error) {
	err = j.with(func(i *instance, handle uint32) error {
		chosen, nominal, err = i.search(i.next, handle, after)
		return err
	})
	return chosen, nominal, err
}

// Previous is the last start up to a second.
func (j *Job) Previous(at int64) (chosen, nominal int64, err error) {
	err = j.with(func(i *instance, handle uint32) error {
		chosen, nominal, err = i.search(i.previous, handle, at)
		return err
	})
	return chosen, nominal, err
}

// Page lists the first starts of a range, as many as `most`.
func (j *Job) Page(from, until, passed float64, most int) (page Page, err error) {
	err = j.with(func(i *instance, handle uint32) error {
		page, err = i.page(handle, from, until, passed, most)
		return err
	})
	return page, err
}
