package kron

import (
	"encoding/json"
	"errors"
	"iter"
	"log/slog"
	"math"
	"time"

	"github.com/OWNER/kron/kron-go/internal/module"
)

// The first page of a range has room for few starts, since many loops end after some; the largest for many.
const firstPage, largestPage = 16, 512

// Job is a schedule with a name. It decides the same on every machine.
type Job struct {
	parsed *module.Job
	// The text as it was written, for lint.
	request map[string]any
	name    string
}

// Calendars are dates by the names that a text uses for them: {"holidays-fr": "2026-12-25, 2027-01-01"}.
type Calendars map[string]string

// Option is a setting of [Parse], [NewParser] and [NewGocron].
type Option func(*settings)

type settings struct {
	timezone  string
	calendars Calendars
}

// WithTimezone sets the IANA zone of a text that names none. Otherwise it is UTC, and never the zone of the machine.
func WithTimezone(zone string) Option { return func(s *settings) { s.timezone = zone } }

// WithCalendars sets the calendars that a text can use: @avoid(calendar=holidays-fr).
func WithCalendars(calendars Calendars) Option { return func(s *settings) { s.calendars = calendars } }

func collected(options []Option) settings {
	var all settings
	for _, option := range options {
		option(&all)
	}
	return all
}

// Parse reads a job: a cron expression, behind which modifiers may follow, such as "0 1 * * * @win(after,3h)". The name chooses the
// second, so keep it. The error is an [*Error].
func Parse(name, text string, options ...Option) (*Job, error) {
	return parse(name, text, collected(options))
}

func parse(name, text string, set settings) (*Job, error) {
	request := map[string]any{"name": name, "text": text}
	if set.timezone != "" {
		request["timezone"] = set.timezone
	}
	if set.calendars != nil {
		request["calendars"] = map[string]string(set.calendars)
	}
	parsed, err := module.Default.Parse(request)
	if err != nil {
		return nil, of(err)
	}
	return &Job{parsed: parsed, request: request, name: name}, nil
}

// Name is the name.
func (j *Job) Name() string { return j.name }

// String is the text in canonical form.
func (j *Job) String() string {
	text, _ := j.parsed.Parsed()
	return text
}

// Timezone is the name of the zone in which the expression counts.
func (j *Job) Timezone() string {
	_, zone := j.parsed.Parsed()
	return zone
}

// Next is the first start after an instant, in the location of that instant. It is the zero time if none comes within five years, and
// where the search ends before: [Job.NextStart] says why. This is the method of robfig/cron's Schedule.
func (j *Job) Next(after time.Time) time.Time {
	start, err := j.NextStart(after)
	if err != nil && !errors.Is(err, ErrNoStart) {
		// A scheduler takes the zero time for the end of the job.
		slog.Error("kron finds no next start", "job", j.name, "error", err)
	}
	return start.Time
}

// NextStart is the first start after an instant. If none comes, the error is [ErrNoStart]. It is an [*Error] with the code
// "no-schedulable-period" where 100,000 periods in a row have no allowed second; from a later instant, the search comes further.
func (j *Job) NextStart(after time.Time) (Start, error) {
	chosen, nominal, err := j.parsed.Next(after.Unix())
	return j.found(chosen, nominal, after, err)
}

// PreviousStart is the last start up to an instant. If there is none, the error is [ErrNoStart].
func (j *Job) PreviousStart(at time.Time) (Start, error) {
	chosen, nominal, err := j.parsed.Previous(at.Unix())
	return j.found(chosen, nominal, at, err)
}

func (j *Job) found(chosen, nominal int64, asked time.Time, err error) (Start, error) {
	if err != nil {
		return Start{}, of(err)
	}
	return j.start(chosen, nominal, asked.Location()), nil
}

func (j *Job) start(chosen, nominal int64, location *time.Location) Start {
	return Start{Time: time.Unix(chosen, 0).In(location), Nominal: time.Unix(nominal, 0).In(location), job: j}
}

// Starts are the starts of a range in order, in the location of its beginning. A start at `from` is one of them, and one at `until` is
// not. It panics if the module does, of which no case is known.
func (j *Job) Starts(from, until time.Time) iter.Seq[Start] {
	return func(yield func(Start) bool) {
		page := module.Page{From: ceiling(from)}
		for most := firstPage; !math.IsNaN(page.From); most = min(2*most, largestPage) {
			var err error
			if page, err = j.parsed.Page(page.From, ceiling(until), page.Passed, most); err != nil {
				panic(of(err))
			}
			for _, times := range page.Times {
				if !yield(j.start(times[0], times[1], from.Location())) {
					return
				}
			}
		}
	}
}

// ceiling is the first whole second that is not earlier. Starts are whole seconds, and the module's numbers do not have all nanoseconds.
func ceiling(at time.Time) float64 {
	second := float64(at.Unix())
	if at.Nanosecond() > 0 {
		second++
	}
	return second
}

// Explain says each step of the decision of the next start.
func (j *Job) Explain(after time.Time) (*Explanation, error) {
	return answered[Explanation](j.parsed.Ask("explain", map[string]any{"after": after.Unix()}))
}

// Lint finds parts of the text that were probably not intended, the most severe first. The look ahead begins at an instant.
func (j *Job) Lint(at time.Time) ([]Finding, error) {
	request := map[string]any{"ask": "lint", "at": at.Unix()}
	for key, value := range j.request {
		request[key] = value
	}
	found, err := answered[[]Finding](module.Default.Ask(request))
	if err != nil {
		return nil, err
	}
	return *found, nil
}

func answered[T any](answer json.RawMessage, err error) (*T, error) {
	if err != nil {
		return nil, of(err)
	}
	found := new(T)
	if err := json.Unmarshal(answer, found); err != nil {
		return nil, wrapped(err)
	}
	return found, nil
}

// Start is a start of a job.
type Start struct {
	// Time is when the job starts.
	Time time.Time
	// Nominal is the instant that the cron expression names.
	Nominal time.Time
	job     *Job
}

// String is the time of the start.
func (s Start) String() string { return s.Time.String() }

// Period is the name of the period, the same on every machine: the nominal time, as 2026-03-01T23:00:00Z. Store it under a unique key to
// run the period once.
func (s Start) Period() string { return s.Nominal.UTC().Format(time.RFC3339) }

// Receipt is the decision with everything that is needed to compute it again: JSON that [Verify] and the command `kron verify` read.
func (s Start) Receipt() ([]byte, error) {
	receipt, err := s.ask("receipt")
	return receipt, of(err)
}

// Explain says each step of the decision.
func (s Start) Explain() (*Explanation, error) {
	return answered[Explanation](s.ask("explain"))
}

func (s Start) ask(what string) (json.RawMessage, error) {
	if s.job == nil {
		return nil, errNoJob
	}
	return s.job.parsed.Ask(what, map[string]any{"nominal": s.Nominal.Unix()})
}

// errNoJob is about the Start that stands beside an error.
var errNoJob = errors.New("this start is of no job")
