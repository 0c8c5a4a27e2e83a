package module

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// noon is 12:00 on 1 March 2026, in UTC, and after it comes the start of [backup].
const noon, start = 1_772_366_400, 1_772_410_163

// cache is the compiled module for all tests: with the race detector, it takes ten times as long to compile.
var cache string

func TestMain(m *testing.M) {
	var err error
	if cache, err = os.MkdirTemp("", "kron-go"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(cache)
	os.Exit(code)
}

func tested() *Engine {
	engine := NewEngine(wazero.NewRuntimeConfig)
	engine.UseCache(cache)
	return engine
}

func backup(t testing.TB, engine *Engine) *Job {
	t.Helper()
	job, err := engine.Parse(map[string]any{"name": "prod/db-backup", "text": "0 0 * * * @tz(Europe/Paris) @win(after,3h)"})
	if err != nil {
		t.Fatal(err)
	}
	return job
}

func check(t testing.TB, job *Job) {
	t.Helper()
	chosen, nominal, err := job.Next(noon)
	if chosen != start || nominal != noon+11*3600 || err != nil {
		t.Errorf("%d, %d, %v", chosen, nominal, err)
	}
}

func closed(t testing.TB, engine *Engine) {
	t.Helper()
	if err := engine.Close(); err != nil {
		t.Error(err)
	}
}

// failing is a function that ends an instance as a panic does. No panic is known that a test could provoke.
type failing struct{ api.Function }

func (failing) CallWithStack(context.Context, []uint64) error { return errors.New("unreachable") }

func TestAfterAPanicJobsGoOnInAnotherInstance(t *testing.T) {
	engine := tested()
	defer closed(t, engine)
	job, other := backup(t, engine), backup(t, engine)
	first := engine.instances[0]
	first.next = failing{first.next}
	check(t, job)
	check(t, other)
	if len(engine.instances) != 1 || engine.instances[0] == first {
		t.Errorf("%d instances", len(engine.instances))
	}
	if !first.module.IsClosed() {
		t.Error("the broken instance is open")
	}
}

func TestAPanicThatComesAgainIsAnError(t *testing.T) {
	engine := tested()
	defer closed(t, engine)
	job, times := backup(t, engine), 0
	err := job.with(func(i *instance, handle uint32) error {
		times++
		_, err := i.do(failing{})
		return err
	})
	if err == nil || err.Error() != "the module has panicked: unreachable" || times != 2 {
		t.Errorf("%v after %d tries", err, times)
	}
	check(t, job)
}

func TestAPanicInGoDropsTheInstance(t *testing.T) {
	engine := tested()
	defer closed(t, engine)
	job := backup(t, engine)
	func() {
		defer func() { _ = recover() }()
		_ = job.with(func(*instance, uint32) error { panic("a defect of the caller") })
	}()
	if len(engine.instances) != 0 {
		t.Errorf("%d instances", len(engine.instances))
	}
	check(t, job)
}

func TestAnotherInstanceIsMadeOnlyUnderContention(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	}
	engine := tested()
	defer closed(t, engine)
	job, other := backup(t, engine), backup(t, engine)
	for range 10 {
		check(t, job)
		check(t, other)
	}
	if len(engine.instances) != 1 {
		t.Fatalf("%d instances without contention", len(engine.instances))
	}
	var third *Job
	_ = job.with(func(*instance, uint32) error {
		check(t, other)
		third = backup(t, engine)
		return nil
	})
	if len(engine.instances) != 2 {
		t.Fatalf("%d instances after two calls at a time", len(engine.instances))
	}
	// The second instance has not seen the first job, nor the first one the third job, and neither needs to.
	check(t, job)
	check(t, third)
	if len(engine.instances[0].jobs) != 2 || len(engine.instances[1].jobs) != 2 {
		t.Errorf("%d and %d jobs", len(engine.instances[0].jobs), len(engine.instances[1].jobs))
	}
	// An instance that is never used again keeps nothing of jobs that it does not have.
	engine.forget(job.parts)
	if len(engine.instances[0].dropped) != 1 || len(engine.instances[1].dropped) != 0 {
		t.Errorf("%d and %d jobs to free", len(engine.instances[0].dropped), len(engine.instances[1].dropped))
	}
}

func TestCallsWaitForAnInstanceAndCloseWaitsForCalls(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	synctest.Test(t, func(t *testing.T) {
		engine := tested()
		job := backup(t, engine)
		hold, events := make(chan bool), make(chan string, 4)
		var first, second *instance
		go job.with(func(i *instance, _ uint32) error {
			first = i
			<-hold
			events <- "held"
			return nil
		})
		synctest.Wait()
		go func() {
			closed(t, engine)
			events <- "closed"
		}()
		synctest.Wait()
		go func() {
			_ = job.with(func(i *instance, _ uint32) error {
				second = i
				return nil
			})
			events <- "called"
		}()
		synctest.Wait()
		if len(events) != 0 {
			t.Errorf("%s while a call runs", <-events)
		}
		close(hold)
		synctest.Wait()
		if found := []string{<-events, <-events, <-events}; found[0] != "held" {
			t.Error(found)
		}
		// A call that comes after Close does not hold it up.
		if first == second {
			t.Error("the call ran before the Close")
		}
		closed(t, engine)
	})
}

func TestAfterCloseNothingIsLeft(t *testing.T) {
	engine := tested()
	job := backup(t, engine)
	closed(t, engine)
	if engine.runtime != nil || engine.instances != nil {
		t.Error("the runtime is still there")
	}
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	if strings.Contains(string(stacks), "tetratelabs/wazero") {
		t.Errorf("a goroutine is left: %s", stacks)
	}
	check(t, job)
	closed(t, engine)
	closed(t, engine)
}

func TestHandlesOfJobsThatAreGoneAreFreed(t *testing.T) {
	engine := tested()
	defer closed(t, engine)
	kept := backup(t, engine)
	i := engine.instances[0]
	handle := func() uint32 {
		lost := backup(t, engine)
		check(t, lost)
		return i.jobs[lost.parts]
	}()
	dropped := func() bool {
		engine.mu.Lock()
		defer engine.mu.Unlock()
		return len(i.dropped) > 0
	}
	// As often as the collector needs.
	for tries := 0; !dropped(); tries++ {
		if tries == 10_000 {
			t.Fatal("the job is never collected")
		}
		runtime.GC()
	}
	check(t, kept)
	if len(i.jobs) != 1 {
		t.Errorf("%d jobs", len(i.jobs))
	}
	var failure *Failure
	if _, _, err := i.search(i.next, handle, noon); !errors.As(err, &failure) || failure.Code != "handle" {
		t.Errorf("the handle is not free: %v", err)
	}
}

func TestTheInterpreterAnswersTheSame(t *testing.T) {
	engine := NewEngine(wazero.NewRuntimeConfigInterpreter)
	defer closed(t, engine)
	check(t, backup(t, engine))
}

func TestTheCacheHoldsTheCompiledModule(t *testing.T) {
	if !compiles() {
		t.Skip("wazero does not compile on this platform")
	}
	directory := filepath.Join(t.TempDir(), "cache")
	files := func() (found []string) {
		_ = filepath.WalkDir(directory, func(path string, entry os.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() {
				found = append(found, path)
			}
			return nil
		})
		return found
	}
	// Whether the module compiles by the cache.
	cached := func() bool {
		engine := NewEngine(wazero.NewRuntimeConfig)
		defer closed(t, engine)
		engine.source = func() ([]byte, error) { return []byte(empty), nil }
		engine.UseCache(directory)
		if err := engine.compile(t.Context()); err != nil || engine.compiled == nil {
			t.Error(err)
		}
		return engine.cache != nil
	}
	if !cached() || len(files()) != 1 || !cached() {
		t.Fatalf("%q", files())
	}
	file := files()[0]
	compiled, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range [][]byte{compiled[:len(compiled)/2], []byte("no module"), nil} {
		if err := os.WriteFile(file, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if cached() {
			t.Errorf("a module of %d bytes is used", len(damaged))
		}
	}
}

// empty is the smallest module.
const empty = "\x00asm\x01\x00\x00\x00"

// compiles says whether wazero compiles here.
func compiles() bool {
	return runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64"
}

func TestADirectoryThatCannotBeUsedIsNoError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	engine := tested()
	defer closed(t, engine)
	engine.UseCache(filepath.Join(file, "cache"))
	check(t, backup(t, engine))
}

func TestAModuleThatDoesNotCompileIsAnError(t *testing.T) {
	engine := tested()
	engine.source = func() ([]byte, error) { return []byte("no module"), nil }
	if _, err := engine.Ask(map[string]any{"ask": "version"}); err == nil || !strings.HasPrefix(err.Error(), "the module does not compile: ") {
		t.Error(err)
	}
	engine.source = decompressed
	check(t, backup(t, engine))
	closed(t, engine)
}

func TestAModuleOfAnotherKindIsAnError(t *testing.T) {
	engine := tested()
	defer closed(t, engine)
	engine.source = func() ([]byte, error) { return []byte(empty), nil }
	if _, err := engine.Ask(map[string]any{"ask": "version"}); err == nil || !strings.Contains(err.Error(), "the module has no function kron_") {
		t.Error(err)
	}
}

func TestARequestThatIsTooLongIsAnError(t *testing.T) {
	engine := tested()
	defer closed(t, engine)
	var failure *Failure
	_, err := engine.Ask(map[string]any{"ask": "cron", "text": strings.Repeat("0", 1<<20)})
	if !errors.As(err, &failure) || failure.Code != "request" || !strings.Contains(failure.Error(), "bytes are too long") {
		t.Error(err)
	}
	check(t, backup(t, engine))
}

func TestRequestsGiveTheirMemoryBack(t *testing.T) {
	engine := tested()
	defer closed(t, engine)
	for range 100 {
		var failure *Failure
		if _, err := engine.Ask(map[string]any{"ask": "cron", "text": strings.Repeat("0", 500_000)}); !errors.As(err, &failure) || failure.Code != "cron-too-long" {
			t.Fatal(err)
		}
	}
	if size := engine.instances[0].memory.Size(); size > 10<<20 {
		t.Errorf("%d bytes", size)
	}
}

func TestAPageGoesOnWhereTheOneBeforeEnded(t *testing.T) {
	engine := tested()
	defer closed(t, engine)
	// Windows that overlap: a page may end between two starts of one second.
	job, err := engine.Parse(map[string]any{"name": "web/ping", "text": "*/5 * * * * @win(after,1h)"})
	if err != nil {
		t.Fatal(err)
	}
	all := func(most int) (found [][2]int64) {
		page := Page{From: noon}
		for !math.IsNaN(page.From) {
			if page, err = job.Page(page.From, noon+86_400, page.Passed, most); err != nil {
				t.Fatal(err)
			}
			found = append(found, page.Times...)
		}
		return found
	}
	want, _ := json.Marshal(all(1000))
	for _, most := range []int{1, 2, 7, 100} {
		if found, _ := json.Marshal(all(most)); string(found) != string(want) {
			t.Errorf("pages of %d: %s", most, found)
		}
	}
	if len(all(1000)) < 280 {
		t.Errorf("%d starts", len(all(1000)))
	}
}

func BenchmarkNext(b *testing.B) {
	for name, config := range map[string]func() wazero.RuntimeConfig{"compiled": wazero.NewRuntimeConfig, "interpreted": wazero.NewRuntimeConfigInterpreter} {
		b.Run(name, func(b *testing.B) {
			engine := NewEngine(config)
			job := backup(b, engine)
			for b.Loop() {
				check(b, job)
			}
			closed(b, engine)
		})
	}
}

// From nothing to the first start: what a program waits for.
func BenchmarkFirstStart(b *testing.B) {
	run := func(b *testing.B, config func() wazero.RuntimeConfig, directory string) {
		for b.Loop() {
			engine := NewEngine(config)
			engine.UseCache(directory)
			check(b, backup(b, engine))
			closed(b, engine)
		}
	}
	b.Run("compiled", func(b *testing.B) { run(b, wazero.NewRuntimeConfig, "") })
	b.Run("interpreted", func(b *testing.B) { run(b, wazero.NewRuntimeConfigInterpreter, "") })
	b.Run("cached", func(b *testing.B) {
		directory := b.TempDir()
		engine := NewEngine(wazero.NewRuntimeConfig)
		engine.UseCache(directory)
		check(b, backup(b, engine))
		closed(b, engine)
		run(b, wazero.NewRuntimeConfig, directory)
	})
}
