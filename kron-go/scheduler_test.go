package kron_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	kron "github.com/OWNER/kron/kron-go"
	"github.com/robfig/cron/v3"
)

// gocronCron is the interface Cron of github.com/go-co-op/gocron/v2.
type gocronCron interface {
	IsValid(crontab string, location *time.Location, now time.Time) error
	Next(lastRun time.Time) time.Time
}

var _ gocronCron = (*kron.Gocron)(nil)

// Also for forks of robfig/cron, whose Schedule has the same method.
var _ cron.Schedule = (*kron.Job)(nil)

func TestRobfigRunsAJobThatIsAddedAsText(t *testing.T) {
	runner := cron.New(cron.WithParser(kron.NewParser()), cron.WithLocation(time.UTC))
	id, err := runner.AddFunc("CRON_TZ=Europe/Paris 0 0 * * * @win(after,3h) name=prod/db-backup", func() {})
	if err != nil {
		t.Fatal(err)
	}
	if found := runner.Entry(id).Schedule.Next(noon); found != time.Date(2026, 3, 2, 0, 9, 23, 0, time.UTC) {
		t.Error(found)
	}
	if _, err := runner.AddFunc("0 0 * * * @win(after,3h)", func() {}); refused(t, err).Code != "file-missing-name" {
		t.Error(err)
	}
	// A nil *Job in a Schedule would not be nil.
	if schedule, err := kron.NewParser().Parse("0 0"); schedule != nil || err == nil {
		t.Error(schedule, err)
	}
}

func TestTextsWithZonesAndNames(t *testing.T) {
	for _, c := range []struct{ text, name, canonical string }{
		{"0 0 * * *", "unnamed", "0 0 * * *"},
		{"@daily", "unnamed", "0 0 * * *"},
		{"@daily @win(after,0s)", "unnamed", "0 0 * * *"},
		{"TZ=UTC @daily", "unnamed", "0 0 * * *"},
		{"CRON_TZ=Europe/Paris  0 0 * * *", "unnamed", "0 0 * * * @tz(Europe/Paris)"},
		{" \tTZ=Europe/Paris\t@daily\t@win(after,1h) \tname=a/b ", "a/b", "0 0 * * * @tz(Europe/Paris) @win(after,1h0m0s)"},
		{"0 0 * * * name=a", "a", "0 0 * * *"},
		{`@daily @win(after,1h) name="a b"`, "a b", "0 0 * * * @win(after,1h0m0s)"},
		{`@daily name="\"\\\u{e9}("`, `"\é(`, "0 0 * * *"},
		{`@daily @seed(stable,salt="x name=y @tz(UTC)") name=a=b`, "a=b", `0 0 * * * @seed(stable,salt="x name=y @tz(UTC)")`},
		{`TZ=UTC @daily @seed(stable,salt=" @tz(Asia/Tokyo)")`, "unnamed", `0 0 * * * @seed(stable,salt=" @tz(Asia/Tokyo)")`},
		{"@daily @tz(Asia/Tokyo) name=a", "a", "0 0 * * * @tz(Asia/Tokyo)"},
	} {
		job, err := kron.NewParser().Job(c.text)
		if err != nil || job.Name() != c.name || job.String() != c.canonical {
			t.Errorf("%q: %v, %v", c.text, job, err)
		}
	}
	job, err := kron.NewParser(kron.WithTimezone("Asia/Tokyo")).Job("@daily")
	if err != nil || job.Timezone() != "Asia/Tokyo" {
		t.Error(job, err)
	}
}

func TestErrorsOfTextsHaveTheirPlaces(t *testing.T) {
	for _, c := range []struct{ text, code, part string }{
		{"", "cron-field-count", ""},
		{"TZ=UTC", "cron-field-count", ""},
		{"TZ=", "cron-field-count", ""},
		{"CRON_TZ=Europe/Pari @daily", "time-zone", "Europe/Pari"},
		{"@daily @tz(Europe/Pari) name=a", "time-zone", "Europe/Pari"},
		{"TZ=UTC 0 0 * * * @win(3h) name=a", "text-syntax", "3h"},
		{"TZ=UTC @daily @tz(UTC)", "text-repeated", "UTC"},
		{"@every 1h", "cron-unsupported", "@every 1h"},
		{"0 0 * * * @win(after,3h)", "file-missing-name", "@win"},
		{"0 0 * * * name=", "name", "name="},
		{`0 0 * * * name=""`, "name", `""`},
		{"0 0 * * * name=a owner=me ", "text-syntax", "owner=me"},
		{"0 0 * * * owner=me name=a", "text-syntax", "owner=me"},
		{`@daily name="a\n"`, "name", `"a\n"`},
		{"TZ=UTC @daily name=" + strings.Repeat("a", 1025) + " ", "out-of-bounds", strings.Repeat("a", 1025)},
		{`0 0 * * * name="a`, "text-syntax", `"a`},
		{`0 0 * * * name="\x"`, "text-syntax", `"\x"`},
		{`0 0 * * * name="\u{110000}"`, "text-syntax", `"\u{110000}"`},
		{`0 0 * * * name="a"b`, "text-syntax", "b"},
	} {
		_, err := kron.NewParser().Job(c.text)
		found := refused(t, err)
		if found.Code != c.code || found.Help == "" && !slices.Contains([]string{"name", "out-of-bounds", "time-zone"}, c.code) {
			t.Errorf("%q: %+v", c.text, found)
		}
		if found.Span == nil || c.text[found.Span.Start:found.Span.End] != c.part {
			t.Errorf("%q: %v", c.text, found.Span)
		}
	}
}

func TestGocronGetsAJob(t *testing.T) {
	paris, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Skip("this machine has no time zones")
	}
	want := time.Date(2026, 3, 2, 0, 9, 23, 0, time.UTC)
	for _, c := range []struct {
		text     string
		location *time.Location
	}{
		{"0 0 * * * @win(after,3h) name=prod/db-backup", paris},
		{"0 0 * * * @tz(Europe/Paris) @win(after,3h) name=prod/db-backup", time.UTC},
		{"TZ=Europe/Paris 0 0 * * * @win(after,3h) name=prod/db-backup", nil},
	} {
		implementation := kron.NewGocron()
		if found := implementation.Next(noon); !found.IsZero() {
			t.Error(found)
		}
		if err := implementation.IsValid(c.text, c.location, noon); err != nil {
			t.Error(c, err)
		}
		if found := implementation.Next(noon); found != want {
			t.Error(c, found)
		}
	}
	if err := kron.NewGocron().IsValid("0 0 * *", time.UTC, noon); refused(t, err).Code != "cron-field-count" {
		t.Error(err)
	}
	if err := kron.NewGocron().IsValid(`0 0 * * * name="`, time.UTC, noon); refused(t, err).Code != "text-syntax" {
		t.Error(err)
	}
	end := time.Date(2099, 12, 31, 23, 59, 0, 0, time.UTC)
	if err := kron.NewGocron().IsValid("0 0 * * *", time.UTC, end); !errors.Is(err, kron.ErrNoStart) {
		t.Error(err)
	}
}

// A location that has no name, as time.Local on a machine with /etc/localtime.
func TestGocronRefusesAZoneWithoutAName(t *testing.T) {
	defer func(local *time.Location) { time.Local = local }(time.Local)
	time.Local = time.FixedZone("Local", 3600)
	if err := kron.NewGocron().IsValid("0 0 * * *", time.Local, noon); refused(t, err).Code != "time-zone" {
		t.Error(err)
	}
	for _, text := range []string{"TZ=UTC 0 0 * * *", "0 0 * * * @tz(UTC)"} {
		if err := kron.NewGocron().IsValid(text, time.Local, noon); err != nil {
			t.Error(text, err)
		}
	}
	if err := kron.NewGocron(kron.WithTimezone("UTC")).IsValid("0 0 * * *", time.Local, noon); err != nil {
		t.Error(err)
	}
}

// An offset that a program made itself, with the name of a zone that has other offsets or with none.
func TestGocronRefusesAnOffsetThatIsNoZone(t *testing.T) {
	for _, location := range []*time.Location{
		time.FixedZone("", 3600), time.FixedZone("UTC", 3600), time.FixedZone("UTC", 900), time.FixedZone("CET", 3600), time.FixedZone("+01", 3600),
	} {
		err := kron.NewGocron().IsValid("0 0 * * *", location, noon)
		if found := refused(t, err); found.Code != "time-zone" || found.Field != "timezone" || found.Help == "" {
			t.Errorf("%q: %+v", location, found)
		}
		if err := kron.NewGocron().IsValid("TZ=UTC 0 0 * * *", location, noon); err != nil {
			t.Error(location, err)
		}
	}
	for _, location := range []*time.Location{time.UTC, time.FixedZone("UTC", 0), time.FixedZone("Etc/GMT-1", 3600), time.FixedZone("Asia/Tokyo", 9*3600)} {
		if err := kron.NewGocron().IsValid("0 0 * * *", location, noon); err != nil {
			t.Error(location, err)
		}
	}
}

func TestTheZeroGocronReadsTexts(t *testing.T) {
	var implementation kron.Gocron
	if err := implementation.IsValid("0 0 * * *", time.UTC, noon); err != nil || implementation.Next(noon) != noon.Add(12*time.Hour) {
		t.Error(implementation.Next(noon), err)
	}
}

func FuzzParser(f *testing.F) {
	for _, text := range []string{
		"0 0 * * *", "@daily", "CRON_TZ=Europe/Paris 0 0 * * * @win(after,3h) name=db/backup", `TZ=UTC @daily name="a \"b\" \u{e9}"`,
		"*/5 0-6 1,15 JAN-MAR MON @tz(Asia/Tokyo) @win(around,1h) @dist(normal) @avoid(dow=SUN) name=x", "TZ=", "name=", `name="`, "(", "\x00\xff",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		job, err := kron.NewParser().Job(text)
		if err != nil {
			found := refused(t, err)
			if found.Code == "" || found.Message == "" {
				t.Errorf("%+v", found)
			}
			if span := found.Span; span != nil && (span.Start < 0 || span.Start > span.End || span.End > len(text)) {
				t.Errorf("%+v of %d bytes: %v", span, len(text), err)
			}
			return
		}
		again, err := kron.Parse(job.Name(), job.String())
		if err != nil {
			t.Fatal(err)
		}
		start, err := job.NextStart(noon)
		same, errAgain := again.NextStart(noon)
		if again.String() != job.String() || same.Time != start.Time || (err == nil) != (errAgain == nil) {
			t.Errorf("%v is not %v", again, job)
		}
	})
}
