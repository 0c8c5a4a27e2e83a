package kron_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// What the page shows are lines of the examples, whose output is tested.
func TestThePageShowsTheExamples(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	examples, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	tested := map[string]bool{}
	for line := range strings.Lines(string(examples)) {
		tested[strings.TrimPrefix(strings.TrimSpace(line), "// ")] = true
	}
	blocks := regexp.MustCompile("(?ms)^```(?:go|text)$(.*?)^```$").FindAllStringSubmatch(string(page), -1)
	if len(blocks) < 4 {
		t.Errorf("%d blocks", len(blocks))
	}
	for _, block := range blocks {
		for line := range strings.Lines(block[1]) {
			if line := strings.TrimSpace(line); line != "" && !tested[line] {
				t.Errorf("no example has the line %q", line)
			}
		}
	}
}
