package kron

import (
	"errors"
	"strings"

	"github.com/robfig/cron/v3"
)

// Parser reads the texts of a scheduler that has no place for names: 0 0 * * * @win(after,3h) name=db/backup. It is a ScheduleParser of
// github.com/robfig/cron/v3.
//
// The name stands last. A text without a window needs none. CRON_TZ= or TZ= may stand first, or @tz behind the expression; otherwise
// the zone is UTC, unless [WithTimezone] sets another, and not the location of the scheduler.
type Parser struct{ set settings }

var _ cron.ScheduleParser = (*Parser)(nil)

// NewParser makes a parser.
func NewParser(options ...Option) *Parser { return &Parser{set: collected(options)} }

// Parse is [Parser.Job] for robfig/cron: cron.New(cron.WithParser(kron.NewParser())).
func (p *Parser) Parse(text string) (cron.Schedule, error) {
	job, err := p.Job(text)
	if err != nil {
		return nil, err
	}
	return job, nil
}

// Job reads a job. The error is an [*Error].
func (p *Parser) Job(text string) (*Job, error) {
	declared, err := declared(text)
	if err != nil {
		return nil, err
	}
	return p.job(declared)
}

func (p *Parser) job(declared declaration) (*Job, error) {
	set := p.set
	if declared.zone != "" {
		set.timezone = declared.zone
	}
	name := declared.name
	if !declared.named {
		name = "unnamed"
	}
	job, err := parse(name, declared.text, set)
	if err != nil {
		return nil, declared.placed(err)
	}
	// The canonical form leaves a window out that has one second.
	if window := strings.Index(declared.text, "@win("); !declared.named && strings.Contains(job.String(), " @win(") {
		message, help := "begins a window, which needs a name: start times depend on it", "write name=db/backup at the end"
		return nil, syntax("file-missing-name", "name", declared.text, Span{window, window + len("@win")}, message, help)
	}
	return job, nil
}

// placed moves the span of an error to where its part stands in the whole.
func (d *declaration) placed(err error) error {
	var failure *Error
	if !errors.As(err, &failure) || failure.Span == nil {
		return err
	}
	switch {
	case failure.Field == "name":
		*failure.Span = d.nameAt
	case failure.Field == "timezone" && !d.namesZone:
		failure.Span.Start += d.zoneAt
		failure.Span.End += d.zoneAt
	}
	return err
}
