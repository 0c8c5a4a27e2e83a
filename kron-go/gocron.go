package kron

import (
	"sync/atomic"
	"time"
)

// Gocron is a Cron of github.com/go-co-op/gocron/v2: gocron.WithCronImplementation(kron.NewGocron()). Its texts are those of a [Parser].
// Each job of gocron needs one of its own.
type Gocron struct {
	parser Parser
	job    atomic.Pointer[Job]
}

// NewGocron makes one.
func NewGocron(options ...Option) *Gocron { return &Gocron{parser: *NewParser(options...)} }

// IsValid reads a text. The location is the zone of a text that names none. It must be one of time.LoadLocation then, or UTC: time.Local
// and a fixed offset have no name of a zone.
func (g *Gocron) IsValid(text string, location *time.Location, now time.Time) error {
	declared, err := declared(text)
	if err != nil {
		return err
	}
	if declared.zone == "" && !declared.namesZone && g.parser.set.timezone == "" && location != nil {
		if declared.zone, err = zoneOf(location, now); err != nil {
			return err
		}
	}
	job, err := g.parser.job(declared)
	if err != nil {
		return err
	}
	if _, err := job.NextStart(now); err != nil {
		return err
	}
	g.job.Store(job)
	return nil
}

// Next is the first start after an instant.
func (g *Gocron) Next(lastRun time.Time) time.Time {
	job := g.job.Load()
	if job == nil {
		return time.Time{}
	}
	return job.Next(lastRun)
}

// zoneOf is the name of a location.
func zoneOf(location *time.Location, now time.Time) (string, error) {
	name := location.String()
	if name == "" || name == "Local" {
		return "", nameless("has no name")
	}
	// One without changes may be made by time.FixedZone, with any name.
	if begin, end := now.In(location).ZoneBounds(); !begin.IsZero() || !end.IsZero() {
		return name, nil
	}
	midnights, err := parse("midnights", "0 0 1 1,7 *", settings{timezone: name})
	if err != nil {
		return "", err
	}
	for midnight := range midnights.Starts(now, now.AddDate(1, 0, 0)) {
		if hour, minute, second := midnight.Time.In(location).Clock(); hour+minute+second != 0 {
			return "", nameless("is called " + name + ", but has another offset")
		}
	}
	return name, nil
}

func nameless(what string) error {
	help := "write `@tz(Europe/Paris)`, or use gocron.WithLocation with a location of time.LoadLocation"
	return &Error{Code: "time-zone", Field: "timezone", Help: help, Message: "timezone: the location of the scheduler " + what + "; " + help}
}
