package kron

import (
	"sync/atomic"
	"time"
)

// Gocron is a Cron of github.com/go-co-op/gocron/v2: gocron.WithCronImplementation(kron.NewGocron()). Its texts are those of a [Parser].
// Each job of gocron needs one of its own.
type Gocron struct {
	parser *Parser
	job    atomic.Pointer[Job]
}

// NewGocron makes one.
func NewGocron(options ...Option) *Gocron { return &Gocron{parser: NewParser(options...)} }

// IsValid reads a text. The location is the zone of a text that names none; it needs a name then, so time.Local is an error.
func (g *Gocron) IsValid(text string, location *time.Location, now time.Time) error {
	declared, err := declared(text)
	if err != nil {
		return err
	}
	if declared.zone == "" && !declared.namesZone && g.parser.set.timezone == "" && location != nil {
		if location.String() == "Local" {
			help := "write `@tz(Europe/Paris)`, or use gocron.WithLocation"
			return &Error{Code: "time-zone", Field: "timezone", Help: help, Message: "timezone: the zone of this machine has no name; " + help}
		}
		declared.zone = location.String()
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
