#include "core/numeric/parallel.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace clearwood {
namespace {
constexpr int most_threads = 256;  // each keeps counts of its own, and more of them than cores only wait
std::atomic<int> chosen_threads{0};
thread_local bool alone = false;

int default_threads() {
  if (const char* text = std::getenv("CLEARWOOD_THREADS")) {
    const long number = std::strtol(text, nullptr, 10);
    if (number > 0) return static_cast<int>(std::min<long>(number, most_threads));
  }
#ifdef __linux__
  // hardware_concurrency counts the machine's cores, not those a container lends us.
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::clamp(CPU_COUNT(&set), 1, most_threads);
#endif
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, most_threads);
}
}  // namespace

OneThread::OneThread() : before_(alone) { alone = true; }
OneThread::~OneThread() { alone = before_; }

int thread_count() {
  if (alone) return 1;
  const int chosen = chosen_threads.load();
  return chosen > 0 ? chosen : default_threads();
}

void set_thread_count(int threads) { chosen_threads.store(std::clamp(threads, 0, most_threads)); }

void run_parallel(std::size_t jobs, int threads, const std::function<void(std::size_t, int)>& job) {
  const int used = static_cast<int>(std::min<std::size_t>(jobs, static_cast<std::size_t>(std::max(1, threads))));
  if (used <= 1) {
    for (std::size_t i = 0; i < jobs; ++i) job(i, 0);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex guard;
  auto work = [&](int thread) {
    try {
      for (std::size_t i; (i = next.fetch_add(1)) < jobs;) job(i, thread);
    } catch (...) {
      next.store(jobs);
      std::lock_guard lock(guard);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  others.reserve(static_cast<std::size_t>(used) - 1);
  try {
    for (int t = 1; t < used; ++t) others.emplace_back(work, t);
  } catch (const std::system_error&) {
    // The system lends no more threads: those there are do the work.
  }
  work(0);
  for (auto& each : others) each.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace clearwood
