package kron

import "time"

// Decision is the decision of one period.
type Decision struct {
	Name        string    `json:"name"`
	Algorithm   string    `json:"algorithm"`
	PeriodID    string    `json:"periodId"`
	PeriodKey   string    `json:"periodKey"`
	NominalTime time.Time `json:"nominalTime"`
	WindowStart time.Time `json:"windowStart"`
	WindowEnd   time.Time `json:"windowEnd"`
	// ChosenTime is nil if the period has no start.
	ChosenTime *time.Time `json:"chosenTime"`
	SeedInput  string     `json:"seedInput"`
	SeedHash   string     `json:"seedHash"`
	Draws      int        `json:"draws"`
	// Unschedulable says why the period has no start.
	Unschedulable string `json:"unschedulable"`
}

// Explanation is a decision and every step that led to it.
type Explanation struct {
	Decision   Decision `json:"decision"`
	OnSchedule bool     `json:"onSchedule"`
	// Day is what the rules of days say of the date, if the job has any.
	Day *Day `json:"day"`
	// Candidates are the seconds in the window.
	Candidates int    `json:"candidates"`
	Draws      []Draw `json:"draws"`
	// ClosedUp is the choice among the allowed seconds alone, which follows draws that were all forbidden.
	ClosedUp *ClosedUp `json:"closedUp"`
	// Allowed are the seconds of the window that the constraints allow.
	Allowed int `json:"allowed"`
	// AllowedRuns are first and last second of each run of allowed seconds: the first 1000.
	AllowedRuns [][2]time.Time `json:"allowedRuns"`
}

// Day is what rules of days say of a date.
type Day struct {
	Chosen bool `json:"chosen"`
	// List is "days" or "nodays", and Clause the clause in it that decides.
	List   string `json:"list"`
	Clause *int   `json:"clause"`
}

// Draw is one draw of a second from the window.
type Draw struct {
	// U is the uniform number, if one was drawn.
	U         *float64  `json:"u"`
	Quantile  float64   `json:"quantile"`
	Candidate time.Time `json:"candidate"`
	// ForbiddenBy is the constraint that refuses the second.
	ForbiddenBy string `json:"forbiddenBy"`
}

// ClosedUp is a choice among allowed seconds.
type ClosedUp struct {
	U        *float64  `json:"u"`
	Quantile float64   `json:"quantile"`
	Chosen   time.Time `json:"chosen"`
}

// Finding is a part of a text that was probably not intended.
type Finding struct {
	// Severity is "note", "warning" or "error".
	Severity string `json:"severity"`
	// Code is a stable word, such as "window-longer-than-gap".
	Code string `json:"code"`
	Name string `json:"name"`
	// Column is the column of the text in characters, from 1; 0 if it is about the whole.
	Column  int    `json:"column"`
	Message string `json:"message"`
	Help    string `json:"help"`
}

// Verification is how a receipt compares with what is computed here.
type Verification struct {
	Agrees      bool         `json:"agrees"`
	Differences []Difference `json:"differences"`
	// ZoneRules is "same", "otherRelease" or "different".
	ZoneRules string `json:"zoneRules"`
	// FirstDifference is the first instant at which the rules of the zone differ, where it is known.
	FirstDifference *time.Time `json:"firstDifference"`
	// NotProven are parts of the text on which the decision does not depend.
	NotProven []string `json:"notProven"`
}

// Difference is a field that a receipt has otherwise.
type Difference struct {
	Field    string `json:"field"`
	Receipt  string `json:"receipt"`
	Computed string `json:"computed"`
}

// Placed is a schedule of another system in its place.
type Placed struct {
	Name string `json:"name"`
	// Expression is the cron expression that the other system runs.
	Expression   string `json:"expression"`
	ShiftMinutes int    `json:"shiftMinutes"`
	// Candidates is the number of shifts that were possible.
	Candidates int `json:"candidates"`
}

// Versions are those of Kron, and of the time zone database in it.
type Versions struct {
	Version     string `json:"version"`
	TzdbVersion string `json:"tzdbVersion"`
}
