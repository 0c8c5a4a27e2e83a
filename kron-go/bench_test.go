package kron_test

import (
	"testing"
	"time"

	kron "github.com/OWNER/kron/kron-go"
	"github.com/robfig/cron/v3"
)

// Next beside robfig/cron: warm, one start after another.
func BenchmarkNext(b *testing.B) {
	paris := "CRON_TZ=Europe/Paris 0 0 * * *"
	robfig, err := cron.ParseStandard(paris)
	if err != nil {
		b.Fatal(err)
	}
	windowed, err := kron.NewParser().Parse(paris + " @win(after,3h) name=prod/db-backup")
	if err != nil {
		b.Fatal(err)
	}
	plain, err := kron.NewParser().Parse(paris)
	if err != nil {
		b.Fatal(err)
	}
	for name, schedule := range map[string]cron.Schedule{"robfig": robfig, "kron": windowed, "kron without a window": plain} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for at := noon; b.Loop(); {
				if at = schedule.Next(at); at.Year() > 2050 {
					at = noon
				}
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	parsers := map[string]cron.ScheduleParser{"robfig": cron.NewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow), "kron": kron.NewParser()}
	for name, parser := range parsers {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := parser.Parse("TZ=Europe/Paris 0 0 * * *"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A year of starts.
func BenchmarkStarts(b *testing.B) {
	job := backup(b)
	for b.Loop() {
		count := 0
		for range job.Starts(noon, noon.Add(365*24*time.Hour)) {
			count++
		}
		if count != 365 {
			b.Fatal(count)
		}
	}
}

func BenchmarkNextFromManyGoroutines(b *testing.B) {
	job := backup(b)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			job.Next(noon)
		}
	})
}
