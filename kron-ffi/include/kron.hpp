// libkron for C++17: objects that free themselves, errors as exceptions, times of std::chrono, series as ranges. Header only, over kron.h.
//
//     kron::Job job("prod/db-backup", "0 0 * * * @tz(Europe/Paris) @win(after,3h)");
//     for (const kron::Decision &start : job.starts(from, to)) std::cout << start << '\n';
//
// Times    are of std::chrono::system_clock with any precision, or Unix seconds. Answers are whole seconds, kron::Time, which is
//          std::chrono::sys_seconds; kron::to_unix and kron::from_unix convert. Ranges are [from, to). Kron reads no clock.
// Errors   are kron::Error, which names the field, the text and what to write instead. An object that was moved from can only be assigned
//          or destroyed; anything else throws std::logic_error.
// Copies   of an object share its handle. Any number of threads may use a const object at once, and each its own series.
// Strings  need no NUL at their end.
// C++20    adds views of series, std::format and std::chrono's time zones, where the library has them.
//
// Each file in kron/ has one subject, and a comment for every name.
#ifndef KRON_HPP
#define KRON_HPP

#include "kron.h"
#include "kron/hints.hpp"
#include "kron/error.hpp"
#include "kron/time.hpp"
#include "kron/decision.hpp"
#include "kron/tzdb.hpp"
#include "kron/series.hpp"
#include "kron/schedule.hpp"
#include "kron/spec.hpp"
#include "kron/job.hpp"
#include "kron/builder.hpp"
#include "kron/host.hpp"
#include "kron/fleet.hpp"
#include "kron/receipt.hpp"
#include "kron/format.hpp"

#endif
