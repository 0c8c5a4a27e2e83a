package kron_test

import (
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	kron "github.com/OWNER/kron/kron-go"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// With the race detector, the module takes ten times as long to compile: once is enough.
func TestMain(m *testing.M) {
	cache, err := os.MkdirTemp("", "kron-go")
	if err != nil {
		panic(err)
	}
	kron.UseCache(cache)
	code := m.Run()
	_ = os.RemoveAll(cache)
	os.Exit(code)
}

func parsed(t testing.TB, name, text string, options ...kron.Option) *kron.Job {
	t.Helper()
	job, err := kron.Parse(name, text, options...)
	if err != nil {
		t.Fatal(err)
	}
	return job
}

func backup(t testing.TB) *kron.Job {
	t.Helper()
	return parsed(t, "prod/db-backup", "0 0 * * * @win(after,3h)", kron.WithTimezone("Europe/Paris"))
}

// refused is the error of a call that must fail.
func refused(t testing.TB, err error) *kron.Error {
	t.Helper()
	var found *kron.Error
	if !errors.As(err, &found) {
		t.Fatalf("%v is no *kron.Error", err)
	}
	return found
}

func TestAJobStartsWhereItStartsEverywhere(t *testing.T) {
	job := backup(t)
	if job.Name() != "prod/db-backup" || job.Timezone() != "Europe/Paris" || job.String() != "0 0 * * * @tz(Europe/Paris) @win(after,3h0m0s)" {
		t.Error(job.Name(), job.Timezone(), job)
	}
	start, err := job.NextStart(noon)
	if err != nil || start.Period() != "2026-03-01T23:00:00Z" || !start.Nominal.Equal(noon.Add(11*time.Hour)) {
		t.Error(start, err)
	}
	if want := time.Date(2026, 3, 2, 0, 9, 23, 0, time.UTC); start.Time != want || job.Next(noon) != want || start.String() != want.String() {
		t.Error(start, job.Next(noon))
	}
	if last, err := job.PreviousStart(start.Time); last.Time != start.Time || err != nil {
		t.Error(last, err)
	}
	if last, err := job.PreviousStart(start.Time.Add(-1)); !last.Time.Before(noon) || err != nil {
		t.Error(last, err)
	}
}

func TestAnswersAreInTheLocationThatAsks(t *testing.T) {
	place := time.FixedZone("here", 3600)
	job := backup(t)
	start, err := job.NextStart(noon.In(place))
	if err != nil || start.Time.Location() != place || start.Nominal.Location() != place || job.Next(noon.In(place)).Location() != place {
		t.Error(start, err)
	}
	for start := range job.Starts(noon.In(place), noon.AddDate(0, 0, 2)) {
		if start.Time.Location() != place || !strings.HasSuffix(start.Period(), "Z") {
			t.Error(start)
		}
	}
}

func TestPartsOfASecondAreNotLost(t *testing.T) {
	job := backup(t)
	start := job.Next(noon)
	// A double does not have this nanosecond.
	if found := job.Next(start.Add(-1)); found != start {
		t.Error(found)
	}
	if found := job.Next(start); found.Sub(start) < 20*time.Hour {
		t.Error(found)
	}
	count := func(from, until time.Time) int { return len(slices.Collect(job.Starts(from, until))) }
	for _, c := range []struct {
		from, until time.Duration
		want        int
	}{{-1, 1, 1}, {0, 0, 0}, {0, 1, 1}, {1, time.Second, 0}, {-1, 0, 0}} {
		if found := count(start.Add(c.from), start.Add(c.until)); found != c.want {
			t.Error(c, found)
		}
	}
}

func TestStartsAreTheNextOnes(t *testing.T) {
	job := parsed(t, "web/ping", "*/10 * * * * @win(after,9m)")
	end := noon.AddDate(0, 0, 10)
	at, count := noon.Add(-1), 0
	for start := range job.Starts(noon, end) {
		next, err := job.NextStart(at)
		if err != nil || next != start {
			t.Fatalf("%v is not %v, %v", start, next, err)
		}
		at, count = start.Time, count+1
	}
	if count != 1440 || job.Next(at).Before(end) {
		t.Error(count, at)
	}
	for start := range job.Starts(noon, end) {
		if start.Time.Sub(noon) > 30*time.Minute {
			break
		}
		count++
	}
	if count != 1443 {
		t.Error(count)
	}
	for start := range job.Starts(end, noon) {
		t.Error(start)
	}
}

func TestIfNoStartComes(t *testing.T) {
	job := parsed(t, "never", "0 0 29 2 * @win(after,1h)")
	at := time.Date(2098, 1, 1, 0, 0, 0, 0, time.UTC)
	if _, err := job.NextStart(at); !errors.Is(err, kron.ErrNoStart) || refused(t, err).Code != "no-period" {
		t.Error(err)
	}
	if found := job.Next(at); !found.IsZero() {
		t.Error(found)
	}
	// An error of another kind is none of these.
	_, err := kron.Parse("a", "0 0 * *")
	if errors.Is(err, kron.ErrNoStart) {
		t.Error(err)
	}
	// The search ends before it knows. The zero time, since a scheduler cannot get an error.
	job = parsed(t, "closed", "* * * * * @only(date=2027-01-01)")
	if _, err := job.NextStart(noon); refused(t, err).Code != "no-schedulable-period" || errors.Is(err, kron.ErrNoStart) {
		t.Error(err)
	}
	if found := job.Next(noon); !found.IsZero() {
		t.Error(found)
	}
}

func TestErrorsHaveCodeFieldPlaceAndHelp(t *testing.T) {
	_, err := kron.Parse("a", "@daily @win(3h)")
	found := refused(t, err)
	if found.Code != "text-syntax" || found.Field != "window.mode" || *found.Span != (kron.Span{Start: 12, End: 14}) || found.Help != "write `@win(after,3h)`" {
		t.Errorf("%+v", found)
	}
	if !strings.HasPrefix(err.Error(), "kron: window.mode: ") || !strings.HasSuffix(err.Error(), found.Help) {
		t.Error(err)
	}
	for _, c := range []struct{ name, text, zone, code string }{
		{"", "@daily", "", "name"},
		{"a", "61 * * * *", "", "cron-out-of-range"},
		{"a", "@daily", "Europe/Pari", "time-zone"},
		{"a", "@daily @avoid(calendar=b)", "", "calendar-unknown"},
		{"a", "* * * * * @win(after,2400h)", "", "limit"},
		{"a\xff", "@daily", "", "request"},
		{"a", "@daily\xff", "", "request"},
	} {
		_, err := kron.Parse(c.name, c.text, kron.WithTimezone(c.zone))
		if found := refused(t, err); found.Code != c.code {
			t.Error(c, found.Code)
		}
	}
}

func TestZonesAndCalendars(t *testing.T) {
	if job := parsed(t, "a", "@daily"); job.Timezone() != "UTC" {
		t.Error(job.Timezone())
	}
	if job := parsed(t, "a", "@daily @tz(Asia/Tokyo)", kron.WithTimezone("Europe/Paris")); job.Timezone() != "Asia/Tokyo" {
		t.Error(job.Timezone())
	}
	for _, wrong := range []kron.Calendars{{"a": "2026-03-02 \xff"}, {"a\xff": "2026-03-02"}} {
		if _, err := kron.Parse("a", "@daily", kron.WithCalendars(wrong)); refused(t, err).Code != "request" {
			t.Error(err)
		}
	}
	calendars := kron.Calendars{"holidays": "2026-03-02, 2026-03-03"}
	job := parsed(t, "a", "@daily @avoid(calendar=holidays)", kron.WithCalendars(calendars))
	if found := job.Next(noon); found != time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC) {
		t.Error(found)
	}
	findings, err := job.Lint(noon)
	if err != nil {
		t.Error(err)
	}
	for _, finding := range findings {
		if finding.Severity == "error" {
			t.Error(finding)
		}
	}
	start, _ := job.NextStart(noon)
	receipt, err := start.Receipt()
	if err != nil {
		t.Fatal(err)
	}
	if found, err := kron.Verify(receipt, calendars); err != nil || !found.Agrees {
		t.Error(found, err)
	}
	if _, err := kron.Verify(receipt, nil); refused(t, err).Code != "calendar-unknown" {
		t.Error(err)
	}
}

func TestExplainSaysEachStep(t *testing.T) {
	job := parsed(t, "a", "0 0 * * * @win(after,3h) @avoid(between=00:00-01:00)")
	found, err := job.Explain(noon)
	if err != nil {
		t.Fatal(err)
	}
	start, _ := job.NextStart(noon)
	last := found.Draws[len(found.Draws)-1]
	if found.Decision.ChosenTime == nil || *found.Decision.ChosenTime != start.Time || last.Candidate != start.Time || last.ForbiddenBy != "" || last.U == nil {
		t.Errorf("%+v", found)
	}
	if found.Candidates != 10_801 || found.Allowed >= 10_801 || len(found.AllowedRuns) != 1 || !found.AllowedRuns[0][1].Equal(found.Decision.WindowEnd) {
		t.Errorf("%+v", found)
	}
	again, err := start.Explain()
	if err != nil || again.Decision.SeedHash != found.Decision.SeedHash || again.Decision.PeriodID != start.Period() {
		t.Errorf("%+v, %v", again, err)
	}
	if _, err := parsed(t, "never", "0 0 29 2 *").Explain(time.Date(2098, 1, 1, 0, 0, 0, 0, time.UTC)); !errors.Is(err, kron.ErrNoStart) {
		t.Error(err)
	}
}

func TestAReceiptIsComputedAgain(t *testing.T) {
	start, _ := backup(t).NextStart(noon)
	receipt, err := start.Receipt()
	if err != nil {
		t.Fatal(err)
	}
	found, err := kron.Verify(receipt, nil)
	if err != nil || !found.Agrees || found.ZoneRules != "same" || len(found.Differences) != 0 {
		t.Error(found, err)
	}
	changed := strings.Replace(string(receipt), "2026-03-02T00:09:23Z", "2026-03-02T00:09:24Z", 1)
	found, err = kron.Verify([]byte(changed), nil)
	if err != nil || found.Agrees || len(found.Differences) != 1 || found.Differences[0].Computed != "2026-03-02T00:09:23Z" {
		t.Error(found, err)
	}
	if _, err := (kron.Start{}).Receipt(); err == nil || err.Error() != "kron: this start is of no job" {
		t.Error(err)
	}
	if _, err := kron.Verify([]byte("{}"), nil); err == nil {
		t.Error("no receipt is a receipt")
	}
}

func TestLintFindsWhatWasNotIntended(t *testing.T) {
	found, err := parsed(t, "a", "0 0 30 2,4 * @win(after,0s)").Lint(noon)
	if err != nil || len(found) == 0 {
		t.Fatal(found, err)
	}
	for _, finding := range found {
		if finding.Code == "" || finding.Severity == "" || finding.Message == "" || finding.Name != "a" {
			t.Errorf("%+v", finding)
		}
	}
}

func TestPlaceGivesAPlainExpression(t *testing.T) {
	want := kron.Placed{Name: "ops/backup", Expression: "51 0 * * *", ShiftMinutes: 51, Candidates: 121}
	for _, c := range [][2]string{{"", "@daily @win(after,2h) name=ops/backup"}, {"ops/backup", "@daily @win(after,2h)"}, {"other", "@daily @win(after,2h) name=ops/backup"}} {
		found, err := kron.Place(c[0], c[1])
		if err != nil || *found != want {
			t.Error(c, found, err)
		}
	}
	if _, err := kron.Place("", "@daily @win(after,2h)"); refused(t, err).Code != "file-missing-name" {
		t.Error(err)
	}
}

func TestTheVersionIsThatOfTheSources(t *testing.T) {
	manifest, err := os.ReadFile("../Cargo.toml")
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`(?m)^version = "(.*)"$`).FindSubmatch(manifest)[1]
	found, err := kron.Version()
	if err != nil || found.Version != string(want) || !regexp.MustCompile(`^20\d\d[a-z]$`).MatchString(found.TzdbVersion) {
		t.Error(found, err)
	}
}

func TestManyGoroutinesGetTheSameAnswers(t *testing.T) {
	job := backup(t)
	var want []time.Time
	for start := range job.Starts(noon, noon.AddDate(1, 0, 0)) {
		want = append(want, start.Time)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			other := parsed(t, "prod/db-backup", job.String())
			at := noon
			for _, start := range want {
				if found := job.Next(at); found != start || other.Next(at) != start {
					t.Error(found, start)
				}
				at = start
			}
		})
	}
	all.Wait()
}

func TestJobsGoOnAfterClose(t *testing.T) {
	job := backup(t)
	want := job.Next(noon)
	for range 2 {
		if err := kron.Close(); err != nil {
			t.Error(err)
		}
	}
	if found := job.Next(noon); found != want {
		t.Error(found)
	}
}

// vectors are cases of a file of testing/data/vectors.
func vectors[T any](t *testing.T, file string) []T {
	t.Helper()
	text, err := os.ReadFile("../testing/data/vectors/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var found struct{ Cases []T }
	if err := json.Unmarshal(text, &found); err != nil || len(found.Cases) == 0 {
		t.Fatal(len(found.Cases), err)
	}
	return found.Cases
}

// Both algorithms: that of the first Kron, which was written in Go, too.
func TestGoldenVectors(t *testing.T) {
	type vector struct {
		Title, Name, Text string
		Spec              struct{ Schedule, Timezone string }
		Nominal           time.Time
		Decision          kron.Decision
	}
	for _, file := range []string{"decisions.json", "legacy.json"} {
		compared := 0
		cases := vectors[vector](t, file)
		for _, c := range cases {
			// A nominal time need not be on the schedule, and then no start is of it.
			schedule := parsed(t, "schedule", c.Spec.Schedule, kron.WithTimezone(c.Spec.Timezone))
			if last, err := schedule.PreviousStart(c.Nominal); err != nil || !last.Nominal.Equal(c.Nominal) {
				continue
			}
			compared++
			var found *time.Time
			for start := range parsed(t, c.Name, c.Text).Starts(c.Decision.WindowStart, c.Decision.WindowEnd.Add(time.Second)) {
				if start.Nominal.Equal(c.Nominal) {
					found = &start.Time
				}
			}
			if want := c.Decision.ChosenTime; (found == nil) != (want == nil) || found != nil && !found.Equal(*want) {
				t.Errorf("%s: %v, not %v", c.Title, found, want)
			}
		}
		if compared < len(cases)*9/10 {
			t.Errorf("%s: only %d of %d cases are on their schedules", file, compared, len(cases))
		}
	}
}

func TestGoldenPlaces(t *testing.T) {
	type vector struct {
		Text, Name, Expression string
		Shift, Candidates      int
		Error                  bool
	}
	for _, c := range vectors[vector](t, "places.json") {
		found, err := kron.Place(c.Name, c.Text)
		if c.Error {
			if refused(t, err).Code != "place-nowhere" {
				t.Error(c, err)
			}
		} else if err != nil || *found != (kron.Placed{Name: c.Name, Expression: c.Expression, ShiftMinutes: c.Shift, Candidates: c.Candidates}) {
			t.Error(c, found, err)
		}
	}
}
