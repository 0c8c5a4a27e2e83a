// Runs the commands of a job file. Each job has a thread, and each execution has one that waits for its end.
//
//     c++ -std=c++17 daemon.cpp $(pkg-config --cflags --libs kron) -lpthread -o daemon
//     ./daemon jobs.kron /var/lib/daemon
//
// with lines such as `0 0 * * * @win(after,3h) @policy(deadline=10m) name=db/backup command="pg_dump ..."`. A command finds its period in
// KRON_PERIOD_ID. The daemon may be killed at any time: no period is started twice, and those that it missed are started when it is back, as
// their deadlines and the catch-up rule allow. A job whose text has changed begins a new configuration.
//
// Before a command is started, the file of its job says so; the command begins with a directory of its own, which only one process can make.
// Whoever finds the period in the file and no directory starts it again.
#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <kron.hpp>

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using std::chrono::system_clock;

extern char **environ;

// The clock of the machine, or a faster one for tests: `DEMO_CLOCK="FROM REAL SPEED"` shows FROM at the Unix second REAL.
class Clock {
public:
    Clock() {
        if (const char *demo = std::getenv("DEMO_CLOCK")) std::istringstream(demo) >> from_ >> real_ >> speed_;
    }
    system_clock::time_point now() const {
        const std::chrono::duration<double> since = system_clock::now() - system_clock::time_point(std::chrono::seconds(real_));
        return system_clock::time_point(std::chrono::seconds(from_)) + std::chrono::duration_cast<system_clock::duration>(since * speed_);
    }
    // How long to sleep until a time: at most a minute, because a machine may sleep and its clock may be set.
    system_clock::duration until(kron::Time time) const {
        const auto wait = std::chrono::duration_cast<system_clock::duration>((time - now()) / speed_);
        return std::clamp<system_clock::duration>(wait, 0s, 1min);
    }

private:
    std::int64_t from_ = 0, real_ = 0;
    double speed_ = 1;
};

static const Clock clock_;
static std::mutex output;

static void say(const std::string &what, const kron::Job &job, std::string_view period) {
    std::lock_guard<std::mutex> lock(output);
    std::cout << kron::to_string(std::chrono::floor<std::chrono::seconds>(clock_.now())) << ' ' << what << ' ' << job.name() << ' ' << period << std::endl;
}

// The file has the old text or the new one, whenever the machine stops.
static void write_atomically(const fs::path &path, const std::string &text) {
    const std::string next = path.string() + ".next";
    const int file = open(next.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    bool good = file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && fsync(file) == 0;
    good = file >= 0 && close(file) == 0 && good && rename(next.c_str(), path.c_str()) == 0;
    const int folder = open(path.parent_path().c_str(), O_RDONLY | O_CLOEXEC);
    good = folder >= 0 && fsync(folder) == 0 && good;
    if (folder >= 0) close(folder);
    if (!good) throw std::runtime_error("cannot write " + path.string());
}

// A command that runs.
struct Execution {
    std::thread waiter;
    kron::Time nominal;
};

class Runner {
public:
    Runner(const kron::Job &job, std::string command, const fs::path &folder) : job_(job), command_(std::move(command)), state_(clock_.now()) {
        std::string name;
        for (const char c : job.name()) name += c == '/' ? "%2F" : c == '%' ? "%25" : std::string(1, c);
        file_ = folder / (name + ".state");
        claims_ = folder / (name + ".claims");
        fs::create_directories(claims_);
        load();
        thread_ = std::thread([this] { run(); });
    }
    ~Runner() {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            stop_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }

private:
    void load() {
        std::lock_guard<std::mutex> lock(mutex_);
        std::ifstream file(file_);
        std::string state, text;
        if (std::getline(file, state) && std::getline(file, text)) {
            state_ = kron::HostState::from_json(state);
            // What an earlier daemon started is no child of this one, which cannot see its end.
            state_.set_active(false);
            for (std::int64_t nominal; file >> nominal;) starting_.insert(kron::from_unix(nominal));
            if (text != configuration()) state_.reconfigure(clock_.now());
        } else if (fs::exists(file_)) {
            throw std::runtime_error("cannot read " + file_.string());
        }
        // Recorded, and perhaps not begun.
        for (const kron::Time nominal : std::set<kron::Time>(starting_)) {
            const kron::Decision period = job_.decide(nominal);
            if (fs::exists(claims_ / period.period_id())) {
                starting_.erase(nominal);
            } else if (kron::evaluate(job_.policy(), period, clock_.now(), false, false).starts()) {
                begin(period);
            } else {
                say("missed", job_, period.period_id());
                starting_.erase(nominal);
            }
        }
        save();
    }

    // The text of the job without its policy, which applies to all periods that are open. A value with a bracket is in quotes, and the
    // policy has none.
    std::string configuration() const {
        std::string text = job_.to_string();
        const auto policy = text.find(" @policy(");
        if (policy != std::string::npos) text.erase(policy, text.find(')', policy) + 1 - policy);
        return text;
    }

    void save() const {
        std::string text = state_.to_json() + "\n" + configuration() + "\n";
        for (const kron::Time nominal : starting_) text += std::to_string(kron::to_unix(nominal)) + "\n";
        write_atomically(file_, text);
    }

    // Forgets executions that have ended.
    void reap() {
        for (const pid_t child : ended_) {
            const auto found = active_.find(child);
            found->second.waiter.join();
            starting_.erase(found->second.nominal);
            active_.erase(found);
        }
        if (ended_.empty()) return;
        ended_.clear();
        state_.set_active(!active_.empty());
        save();
        // A claim is of no use when its period is not in the file, and no process of an earlier daemon can be about to begin.
        for (const auto &claim : fs::directory_iterator(claims_))
            if (fs::last_write_time(claim) < fs::file_time_type::clock::now() - std::chrono::hours(24)) fs::remove(claim);
    }

    void run() try {
        std::unique_lock<std::mutex> lock(mutex_);
        while (!stop_ || !active_.empty()) {
            reap();
            if (stop_) {
                changed_.wait_for(lock, 1s);
                continue;
            }
            const kron::Plan plan = job_.plan(state_, clock_.now());
            bool news = false;
            for (const kron::Step &step : plan) {
                state_.record(step);
                if (step.action.starts()) starting_.insert(step.period.nominal_time());
                news = news || step.action.outcome();
            }
            if (news) save();
            for (const kron::Step &step : plan) {
                if (step.action == kron::Action::replace)
                    for (const auto &active : active_) kill(active.first, SIGTERM);
                if (step.action.starts()) begin(step.period);
                if (step.action == kron::Action::record) say(to_string(*step.action.outcome()), job_, step.period.period_id());
            }
            changed_.wait_for(lock, plan.wake_up() ? clock_.until(*plan.wake_up()) : system_clock::duration(1min));
        }
    } catch (const std::exception &error) {
        // Without its file a job must not start anything.
        std::cerr << job_.name() << ": " << error.what() << std::endl;
        std::_Exit(1);
    }

    // Starts a command, which runs if nobody has made its directory.
    void begin(const kron::Decision &period) {
        const std::string claim = (claims_ / period.period_id()).string();
        const std::string script = "mkdir \"$0\" 2>/dev/null || exit 0\nexport KRON_PERIOD_ID=\"$1\" KRON_JOB=\"$2\"\n" + command_;
        const std::string id(period.period_id()), name(job_.name());
        const char *const arguments[] = {"sh", "-c", script.c_str(), claim.c_str(), id.c_str(), name.c_str(), nullptr};
        posix_spawnattr_t attributes;
        sigset_t none;
        sigemptyset(&none);
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
        pid_t child = 0;
        const int failed = posix_spawn(&child, "/bin/sh", nullptr, &attributes, const_cast<char *const *>(arguments), environ);
        posix_spawnattr_destroy(&attributes);
        if (failed != 0) return say("failed", job_, id); // it stays in the file, and is tried again after the next start of the daemon
        say("start", job_, id);
        state_.set_active(true);
        auto wait = [this, child] {
            waitpid(child, nullptr, 0);
            std::lock_guard<std::mutex> lock(mutex_);
            ended_.push_back(child);
            changed_.notify_all();
        };
        active_.emplace(child, Execution{std::thread(wait), period.nominal_time()});
    }

    const kron::Job job_;
    const std::string command_;
    fs::path file_, claims_;
    std::mutex mutex_;
    std::condition_variable changed_;
    kron::HostState state_;
    std::set<kron::Time> starting_; // recorded, and not known to have begun
    std::map<pid_t, Execution> active_;
    std::vector<pid_t> ended_;
    bool stop_ = false;
    std::thread thread_;
};

int main(int argc, char **argv) try {
    if (argc != 3) {
        std::cerr << "usage: daemon JOBS FOLDER\n";
        return 2;
    }
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends, nullptr);

    const kron::Fleet fleet = kron::Fleet::load_file(argv[1]);
    std::vector<std::unique_ptr<Runner>> runners;
    for (std::size_t i = 0; i < fleet.size(); ++i)
        runners.push_back(std::make_unique<Runner>(fleet[i], fleet.field(i, "command").value_or("true"), argv[2]));
    int which = 0;
    sigwait(&ends, &which);
} catch (const std::exception &error) {
    std::cerr << argv[0] << ": " << error.what() << "\n";
    return 1;
}
