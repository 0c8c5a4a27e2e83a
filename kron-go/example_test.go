package kron_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	kron "github.com/OWNER/kron/kron-go"
	"github.com/robfig/cron/v3"
)

func Example() {
	job, err := kron.Parse("prod/db-backup", "0 0 * * * @tz(Europe/Paris) @win(after,3h)")
	if err != nil {
		fmt.Println(err)
		return
	}
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	fmt.Println(job.Next(noon))
	for start := range job.Starts(noon, noon.AddDate(0, 0, 3)) {
		fmt.Println(start.Time.Format(time.RFC3339), start.Period())
	}
	// Output:
	// 2026-03-02 00:09:23 +0000 UTC
	// 2026-03-02T00:09:23Z 2026-03-01T23:00:00Z
	// 2026-03-03T00:04:31Z 2026-03-02T23:00:00Z
	// 2026-03-04T01:40:22Z 2026-03-03T23:00:00Z
}

// With github.com/robfig/cron/v3, jobs are added as ever. The name stands last.
func ExampleParser() {
	runner := cron.New(cron.WithParser(kron.NewParser()))
	id, err := runner.AddFunc("CRON_TZ=Europe/Paris 0 0 * * * @win(after,3h) name=prod/db-backup", func() { fmt.Println("backup") })
	if err != nil {
		fmt.Println(err)
		return
	}
	runner.Start()
	defer runner.Stop()
	fmt.Println(runner.Entry(id).Schedule.Next(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)))
	// Output: 2026-03-02 00:09:23 +0000 UTC
}

// A job that is known already is a Schedule, too.
func ExampleJob_Next() {
	job, err := kron.Parse("prod/db-backup", "0 0 * * * @win(after,3h)", kron.WithTimezone("Europe/Paris"))
	if err != nil {
		fmt.Println(err)
		return
	}
	runner := cron.New()
	runner.Schedule(job, cron.FuncJob(func() { fmt.Println("backup") }))
	fmt.Println(len(runner.Entries()))
	// Output: 1
}

// gocron takes it as gocron.WithCronImplementation(kron.NewGocron()).
func ExampleNewGocron() {
	implementation := kron.NewGocron()
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	fmt.Println(implementation.IsValid("0 0 * * * @tz(Europe/Paris) @win(after,3h) name=prod/db-backup", time.UTC, noon))
	fmt.Println(implementation.Next(noon))
	// Output:
	// <nil>
	// 2026-03-02 00:09:23 +0000 UTC
}

func ExampleError() {
	_, err := kron.Parse("a", "@daily @win(3h)")
	var refused *kron.Error
	if errors.As(err, &refused) {
		fmt.Println(refused.Code, refused.Field, refused.Help)
	}
	fmt.Println(err)
	// Output:
	// text-syntax window.mode write `@win(after,3h)`
	// kron: window.mode: the mode of the window is missing before `3h` at column 13; write `@win(after,3h)`
}

func ExampleVerify() {
	job, err := kron.Parse("prod/db-backup", "0 0 * * * @tz(Europe/Paris) @win(after,3h)")
	if err != nil {
		fmt.Println(err)
		return
	}
	start, err := job.NextStart(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	if err != nil {
		fmt.Println(err)
		return
	}
	receipt, err := start.Receipt()
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := kron.Verify(receipt, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(found.Agrees, found.ZoneRules)
	// Output: true same
}

func ExamplePlace() {
	placed, err := kron.Place("ops/backup", "@daily @win(after,2h)")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(placed.Expression)
	// Output: 51 0 * * *
}

// At the beginning of main.
func ExampleUseCache() {
	if directory, err := os.UserCacheDir(); err == nil {
		kron.UseCache(filepath.Join(directory, "kron"))
	}
}
