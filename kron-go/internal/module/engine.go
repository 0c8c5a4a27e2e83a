// Package module runs the WebAssembly module kron-wasm in wazero. It is compiled at its first use, and again after Close.
package module

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/tetratelabs/wazero"
)

// compressed is the module, which scripts/go_module.py puts here.
//
//go:embed kron.wasm.gz
var compressed []byte

// mostInstances bounds the memory of programs that call from many goroutines: an instance takes 2 MB.
const mostInstances = 8

// Engine is the compiled module and its instances. There is one instance until two goroutines call at the same time.
type Engine struct {
	// How the module is run: tests also choose the interpreter.
	config func() wazero.RuntimeConfig
	// Bytes of the module.
	source func() ([]byte, error)

	mu sync.Mutex
	// Signalled when an instance is not busy any more, and when a Close has ended.
	idle      sync.Cond
	runtime   wazero.Runtime
	compiled  wazero.CompiledModule
	cache     wazero.CompilationCache
	directory string
	instances []*instance
	closing   bool
}

// Default is the engine of the process.
var Default = NewEngine(wazero.NewRuntimeConfig)

// NewEngine makes another one, of a certain kind.
func NewEngine(config func() wazero.RuntimeConfig) *Engine {
	engine := &Engine{config: config, source: decompressed}
	engine.idle.L = &engine.mu
	return engine
}

func decompressed() ([]byte, error) {
	reader, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}

// UseCache keeps the compiled module in a directory from the next time on that it is compiled. A directory that cannot be used is no
// error.
func (e *Engine) UseCache(directory string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.directory = directory
}

// Close gives back the memory of the module. Calls that run end first. The next call compiles it again.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	for e.closing {
		e.idle.Wait()
	}
	e.closing = true
	for slices.ContainsFunc(e.instances, func(i *instance) bool { return i.busy }) {
		e.idle.Wait()
	}
	err := e.shut()
	e.closing = false
	e.idle.Broadcast()
	return err
}

func (e *Engine) shut() error {
	ctx := context.Background()
	var failed []error
	if e.runtime != nil {
		failed = append(failed, e.runtime.Close(ctx))
	}
	if e.cache != nil {
		failed = append(failed, e.cache.Close(ctx))
	}
	e.runtime, e.compiled, e.cache, e.instances = nil, nil, nil, nil
	return errors.Join(failed...)
}

// with runs calls on an instance that no other goroutine uses meanwhile, if possible one that has parsed the job already. After a panic
// it tries again, once, on a new instance.
func (e *Engine) with(job *parts, calls func(*instance) error) error {
	err := e.once(job, calls)
	if broken := (*panicked)(nil); errors.As(err, &broken) {
		err = e.once(job, calls)
	}
	return err
}

func (e *Engine) once(job *parts, calls func(*instance) error) error {
	i, gone, err := e.acquire(job)
	if err != nil {
		return err
	}
	broken := true
	// Also if the calls panic in Go.
	defer func() { e.release(i, broken) }()
	if err = i.forget(gone); err == nil {
		err = calls(i)
	}
	var failure *panicked
	broken = errors.As(err, &failure)
	return err
}

func (e *Engine) acquire(job *parts) (i *instance, gone []*parts, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for {
		if !e.closing {
			i = e.choose(job)
			if i == nil && len(e.instances) < min(mostInstances, runtime.GOMAXPROCS(0)) {
				if i, err = e.instantiate(); err != nil {
					return nil, nil, err
				}
			}
		}
		if i != nil {
			i.busy = true
			gone, i.dropped = i.dropped, nil
			return i, gone, nil
		}
		e.idle.Wait()
	}
}

// choose finds an instance that is idle: one that has parsed the job, or else the first one.
func (e *Engine) choose(job *parts) (found *instance) {
	for _, i := range e.instances {
		if i.busy {
			continue
		}
		if i.has(job) {
			return i
		}
		if found == nil {
			found = i
		}
	}
	return found
}

// release gives an instance back. One that is broken is dropped, with the handles that it gave.
func (e *Engine) release(i *instance, broken bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	i.busy = false
	if broken {
		e.instances = slices.DeleteFunc(e.instances, func(other *instance) bool { return other == i })
		// Its memory is not used any more, whatever this says.
		_ = i.module.Close(context.Background())
	}
	e.idle.Broadcast()
}

func (e *Engine) instantiate() (*instance, error) {
	ctx := context.Background()
	if e.runtime == nil {
		if err := e.compile(ctx); err != nil {
			return nil, fmt.Errorf("the module does not compile: %w", err)
		}
	}
	// Without a name there can be several.
	module, err := e.runtime.InstantiateModule(ctx, e.compiled, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, fmt.Errorf("the module does not start: %w", err)
	}
	i, err := newInstance(module)
	if err != nil {
		return nil, err
	}
	e.instances = append(e.instances, i)
	return i, nil
}

func (e *Engine) compile(ctx context.Context) error {
	source, err := e.source()
	if err != nil {
		return err
	}
	if e.directory != "" {
		if cache, err := wazero.NewCompilationCacheWithDir(e.directory); err == nil {
			e.cache = cache
			if e.compileAs(ctx, e.config().WithCompilationCache(cache), source) == nil {
				return nil
			}
			// A full disk, or a file that somebody damaged.
			_ = e.shut()
		}
	}
	return e.compileAs(ctx, e.config(), source)
}

func (e *Engine) compileAs(ctx context.Context, config wazero.RuntimeConfig, source []byte) (err error) {
	e.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	if e.compiled, err = e.runtime.CompileModule(ctx, source); err != nil {
		return errors.Join(err, e.shut())
	}
	return nil
}

// forget lets the handles of a job be freed that is gone.
func (e *Engine) forget(job *parts) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, i := range e.instances {
		// The jobs of one that is busy are not to be looked at.
		if i.busy || i.has(job) {
			i.dropped = append(i.dropped, job)
		}
	}
}

// Ask sends a request that needs no job.
func (e *Engine) Ask(request map[string]any) (answer json.RawMessage, err error) {
	text, err := encoded(request)
	if err != nil {
		return nil, err
	}
	err = e.with(nil, func(i *instance) error {
		answer, err = i.ask(text)
		return err
	})
	return answer, err
}

// encoded is a request as JSON, which would change a text that is no UTF-8: another name has other starts.
func encoded(request map[string]any) ([]byte, error) {
	for field, value := range request {
		texts := []string{}
		switch value := value.(type) {
		case string:
			texts = append(texts, value)
		case map[string]string:
			for name, text := range value {
				texts = append(texts, name, text)
			}
		}
		if slices.ContainsFunc(texts, func(text string) bool { return !utf8.ValidString(text) }) {
			return nil, refused(field, field+": a text is not UTF-8", "write it in UTF-8")
		}
	}
	return json.Marshal(request)
}
