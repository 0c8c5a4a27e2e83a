// Command conformance answers the questions of testing/conformance/run.py with the module in wazero.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/OWNER/kron/kron-go/internal/module"
	"github.com/tetratelabs/wazero"
)

// object is a question or an answer.
type object map[string]any

// A question, as far as it has the same fields in all suites.
type question struct {
	ID                                  int
	Ask, Name, Text, Schedule, Timezone string
	Nominal, After                      time.Time
	Calendars                           map[string]string
}

var answers = map[string]func(question) (object, error){
	"decide":   decide,
	"nominal":  nominal,
	"days":     days,
	"place":    place,
	"duration": duration,
	"schedule": schedule,
}

func main() {
	// As on platforms for which wazero does not compile.
	if len(os.Args) > 1 && os.Args[1] == "--interpreted" {
		module.Default = module.NewEngine(wazero.NewRuntimeConfigInterpreter)
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	out := bufio.NewWriter(os.Stdout)
	for lines.Scan() {
		found, err := answer(lines.Bytes())
		if err == nil {
			err = json.NewEncoder(out).Encode(found)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", lines.Text(), err)
			os.Exit(1)
		}
	}
	if err := errors.Join(lines.Err(), out.Flush()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func answer(line []byte) (object, error) {
	// Of the suites that are not answered, fields of these names have other types.
	var asked struct {
		ID  int
		Ask string
	}
	if err := json.Unmarshal(line, &asked); err != nil {
		return nil, err
	}
	found := object{"unsupported": true}
	if answer, ok := answers[asked.Ask]; ok {
		var all question
		if err := json.Unmarshal(line, &all); err != nil {
			return nil, err
		}
		var err error
		if found, err = answer(all); err != nil {
			return nil, err
		}
	}
	found["id"] = asked.ID
	return found, nil
}

// code is the word of an error of the module.
func code(err error) string {
	var failure *module.Failure
	if errors.As(err, &failure) {
		return failure.Code
	}
	return ""
}

func parse(name, text, timezone string, calendars map[string]string) (*module.Job, error) {
	request := map[string]any{"name": name, "text": text}
	if timezone != "" {
		request["timezone"] = timezone
	}
	if calendars != nil {
		request["calendars"] = calendars
	}
	return module.Default.Parse(request)
}

// nominalTimes are five nominal times one after another, or as many as there are.
func nominalTimes(job *module.Job, after time.Time, back bool) ([]string, error) {
	series := map[string]any{"count": 5, "from": after.Unix() + 1}
	if back {
		series = map[string]any{"count": 5, "until": after.Unix() + 1, "reverse": true}
	}
	answer, err := job.Ask("periods", series)
	if err != nil {
		return nil, err
	}
	var periods []struct{ NominalTime string }
	if err := json.Unmarshal(answer, &periods); err != nil {
		return nil, err
	}
	times := []string{}
	for _, period := range periods {
		times = append(times, period.NominalTime)
	}
	return times, nil
}

func bothWays(job *module.Job, after time.Time) (object, error) {
	next, err := nominalTimes(job, after, false)
	if err != nil {
		return nil, err
	}
	prev, err := nominalTimes(job, after, true)
	return object{"next": next, "prev": prev}, err
}

func decide(asked question) (object, error) {
	job, err := parse(asked.Name, asked.Text, "", nil)
	if err != nil {
		return nil, err
	}
	answer, err := job.Ask("explain", map[string]any{"nominal": asked.Nominal.Unix()})
	if err != nil {
		return nil, err
	}
	var explained struct {
		Decision object
		Draws    []struct{ U *json.Number }
	}
	if err := json.Unmarshal(answer, &explained); err != nil {
		return nil, err
	}
	delete(explained.Decision, "name")
	found := object{"decision": explained.Decision}
	if len(explained.Draws) > 0 {
		found["u1"] = explained.Draws[0].U
	}
	return found, nil
}

func nominal(asked question) (object, error) {
	job, err := parse("conformance", asked.Schedule, asked.Timezone, nil)
	if err != nil {
		return nil, err
	}
	return bothWays(job, asked.After)
}

func days(asked question) (object, error) {
	job, err := parse("conformance", asked.Text, "", asked.Calendars)
	if err != nil {
		return nil, err
	}
	return bothWays(job, asked.After)
}

func place(asked question) (object, error) {
	answer, err := module.Default.Ask(map[string]any{"ask": "place", "name": asked.Name, "text": asked.Text})
	if code(err) == "place-nowhere" {
		return object{"error": true}, nil
	}
	if err != nil {
		return nil, err
	}
	var placed struct {
		Expression               string
		ShiftMinutes, Candidates int
	}
	err = json.Unmarshal(answer, &placed)
	return object{"expression": placed.Expression, "shift": placed.ShiftMinutes, "candidates": placed.Candidates}, err
}

func duration(asked question) (object, error) {
	answer, err := module.Default.Ask(map[string]any{"ask": "duration", "text": asked.Text})
	if code(err) != "" {
		return object{"error": true}, nil
	}
	if err != nil {
		return nil, err
	}
	var length struct {
		Nanoseconds json.Number
		Canonical   string
	}
	err = json.Unmarshal(answer, &length)
	return object{"ns": length.Nanoseconds, "canonical": length.Canonical}, err
}

func schedule(asked question) (object, error) {
	answer, err := module.Default.Ask(map[string]any{"ask": "cron", "text": asked.Schedule})
	if strings.HasPrefix(code(err), "cron-") {
		return object{"accepted": false}, nil
	}
	var text string
	if err == nil {
		err = json.Unmarshal(answer, &text)
	}
	if err != nil {
		return nil, err
	}
	job, err := parse("conformance", text, asked.Timezone, nil)
	if err != nil {
		return nil, err
	}
	next, err := nominalTimes(job, asked.After, false)
	return object{"accepted": true, "next": next}, err
}
