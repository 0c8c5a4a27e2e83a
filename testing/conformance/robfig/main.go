// Answers the questions of testing/conformance/run.py about cron expressions with robfig/cron v3, the parser of Kubernetes.
//
// Build it with Debian's packages golang-go and golang-github-robfig-cron-dev, without a network:
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go build -o robfig testing/conformance/robfig/main.go
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/robfig/cron/v3"
)

type question struct {
	ID       int    `json:"id"`
	Ask      string `json:"ask"`
	Schedule string `json:"schedule"`
	Timezone string `json:"timezone"`
	After    string `json:"after"`
}

// A text such as "TZ=UTC" alone makes the parser panic; that counts as refused.
func parse(text string) (schedule cron.Schedule, err error) {
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("the parser panics")
		}
	}()
	return cron.ParseStandard(text)
}

func nextFive(schedule cron.Schedule, at time.Time) []string {
	next := []string{}
	for len(next) < 5 {
		// The zero time: none in the next five years.
		if at = schedule.Next(at); at.IsZero() {
			break
		}
		next = append(next, at.UTC().Format(time.RFC3339))
	}
	return next
}

func answer(q question) map[string]any {
	if q.Ask != "schedule" {
		return map[string]any{"unsupported": true}
	}
	schedule, err := parse(q.Schedule)
	if err != nil {
		return map[string]any{"accepted": false}
	}
	zone, err := time.LoadLocation(q.Timezone)
	if err != nil {
		return map[string]any{"unsupported": true}
	}
	at, err := time.Parse(time.RFC3339, q.After)
	if err != nil {
		return map[string]any{"unsupported": true}
	}
	found := make(chan []string, 1)
	go func() { found <- nextFive(schedule, at.In(zone)) }()
	select {
	case next := <-found:
		return map[string]any{"accepted": true, "next": next}
	case <-time.After(3 * time.Second):
		// The search does not end at some changes of clocks.
		return map[string]any{"accepted": true, "endless": true}
	}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		found := answer(q)
		found["id"] = q.ID
		line, _ := json.Marshal(found)
		fmt.Println(string(line))
	}
}
