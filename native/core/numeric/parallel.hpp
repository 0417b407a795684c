// Threads: run jobs side by side, and stop them on request.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <limits>
#include <stdexcept>

namespace clearwood {

// Thrown by work whose stop flag is set.
struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("stopped") {}
};

// How many threads to use: CLEARWOOD_THREADS if set, else the cores this process may use; 256 at most; 1 for small work.
int thread_count();
void set_thread_count(int threads);  // 0: back to the default

// Steps of a nanosecond or two below which threads cost more than they bring: to start one takes some 30 µs, and to wait
// for its turn on a busy machine takes milliseconds.
constexpr std::size_t small_work = 200'000;

// While it lives, thread_count() is 1 on this thread: for small work.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  bool before_;
};

// From now on thread_count() is 1 on this thread, or again what it is elsewhere: for a thread beside others of its kind.
void work_alone(bool on);

// The flag that long work polls; set when the user interrupts.
using StopFlag = std::atomic<bool>;
inline void check(const StopFlag& stop) {
  if (stop.load(std::memory_order_relaxed)) throw Stopped();
}

// While it lives, run_parallel on this thread uses the same threads again: to start one anew for each of many short steps
// takes longer than the steps. Where one lives already, it does nothing.
class Team {
 public:
  Team();
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

 private:
  bool first_;
};

// Calls job(index, thread) for every index in [0, jobs), each once, on up to `threads` threads (the caller's is one
// of them; fewer if the system lends no more). Indices are handed out in order. The first exception is thrown again here after all threads have ended.
void run_parallel(std::size_t jobs, int threads, const std::function<void(std::size_t, int)>& job);

// Calls job(begin, end, thread) for rows, or whatever is as many, in stretches, unless it is to stop.
template <class Job>
void over_rows(std::size_t rows, std::size_t stretch, int threads, const StopFlag& stop, Job&& job) {
  run_parallel((rows + stretch - 1) / stretch, threads, [&](std::size_t place, int thread) {
    check(stop);
    job(place * stretch, std::min(rows, (place + 1) * stretch), thread);
  });
}

// Progress: how far work of many like jobs has come, for whoever watches, who may ask that no more be begun.
struct Progress {
  std::atomic<std::size_t> done{0};
  std::atomic<double> score{std::numeric_limits<double>::quiet_NaN()};  // of what is done; NaN: not known
  std::atomic<bool> enough{false};  // what has begun is ended, and the rest left out
};

}  // namespace clearwood
