// Package kron gives cron jobs deterministic jitter. Cron starts all jobs of a minute in its first second. Kron gives each job a window,
// and chooses one second of it, always the same one for the same job and period: in Go and in every other package of Kron.
//
//	job, err := kron.Parse("prod/db-backup", "0 0 * * * @tz(Europe/Paris) @win(after,3h)")
//	next := job.Next(time.Now())
//
// A [Job] is a Schedule of github.com/robfig/cron/v3, and a [Parser] is its ScheduleParser. [NewGocron] is for gocron.
//
// Kron is one WebAssembly module, which the package runs in wazero, without cgo. It is compiled at its first use, in half a second;
// [UseCache] keeps the result on disk. It has the rules of all time zones, so that it answers the same on every machine. All functions may
// be called from several goroutines at the same time.
package kron
