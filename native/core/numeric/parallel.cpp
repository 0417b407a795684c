#include "core/numeric/parallel.hpp"

#include <pthread.h>
#include <sched.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
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

// Between two steps a thread looks for the next so long before it sleeps: to be woken takes as long.
constexpr auto awake = std::chrono::microseconds(100);

void rest_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Returns when the number is no longer `old`.
template <class Number>
void wait_while(const std::atomic<Number>& number, Number old) {
  const auto until = std::chrono::steady_clock::now() + awake;
  do {
    for (int i = 0; i < 64; ++i) {
      if (number.load(std::memory_order_acquire) != old) return;
      rest_briefly();
    }
  } while (std::chrono::steady_clock::now() < until);
  number.wait(old, std::memory_order_acquire);
}

// Starts a thread on another core than this one's where there is one, and lets it go where it likes from then on. Left to
// itself the system may queue it behind its maker, where it waits for milliseconds although a core has become free.
pthread_t start_thread(std::function<void()> work) {
  struct Start {
    std::function<void()> work;
#ifdef __GLIBC__
    cpu_set_t cores;
#endif
    bool moved = false;
  };
  auto start = std::make_unique<Start>();
  start->work = std::move(work);
  pthread_attr_t how;
  if (const int failed = pthread_attr_init(&how)) throw std::system_error(failed, std::generic_category());
#ifdef __GLIBC__
  if (sched_getaffinity(0, sizeof start->cores, &start->cores) == 0 && CPU_COUNT(&start->cores) > 1) {
    cpu_set_t others = start->cores;
    CPU_CLR(sched_getcpu(), &others);
    start->moved = CPU_COUNT(&others) > 0 && pthread_attr_setaffinity_np(&how, sizeof others, &others) == 0;
  }
#endif
  const auto run = [](void* place) -> void* {
    const std::unique_ptr<Start> own(static_cast<Start*>(place));
#ifdef __GLIBC__
    if (own->moved) sched_setaffinity(0, sizeof own->cores, &own->cores);
#endif
    own->work();
    return nullptr;
  };
  pthread_t thread;
  const int failed = pthread_create(&thread, &how, run, start.get());
  pthread_attr_destroy(&how);
  if (failed) throw std::system_error(failed, std::generic_category());
  start.release();
  return thread;
}

// Threads that wait for work and do it together.
class Helpers {
 public:
  ~Helpers() {
    begin(nullptr);
    for (const pthread_t each : threads_) pthread_join(each, nullptr);
  }
  // Calls work(thread) on `used` threads at most, this one among them; returns when all have ended.
  void run(int used, const std::function<void(int)>& work) {
    threads_.reserve(static_cast<std::size_t>(used));  // what fails, fails before a thread is there
    while (static_cast<int>(threads_.size()) + 1 < used && grow()) {
    }
    used_ = used;
    begin(&work);
    work(0);
    for (std::size_t left; (left = busy_.load(std::memory_order_acquire)) > 0;) wait_while(busy_, left);
  }
  bool at_work = false;

 private:
  bool grow() {
    try {
      const int thread = static_cast<int>(threads_.size()) + 1;
      threads_.push_back(start_thread([this, thread, seen = step_.load()] { serve(thread, seen); }));
      return true;
    } catch (const std::system_error&) {
      return false;  // The system lends no more threads: those there are do the work.
    }
  }
  void begin(const std::function<void(int)>* work) {
    work_ = work;
    busy_.store(threads_.size(), std::memory_order_relaxed);
    step_.fetch_add(1, std::memory_order_release);
    step_.notify_all();
  }
  void serve(int thread, std::uint32_t seen) {
    for (;; ++seen) {
      wait_while(step_, seen);
      if (work_ == nullptr) return;
      if (thread < used_) (*work_)(thread);
      if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
    }
  }

  std::vector<pthread_t> threads_;
  const std::function<void(int)>* work_ = nullptr;
  int used_ = 0;
  std::atomic<std::uint32_t> step_{0};  // counts what was begun
  std::atomic<std::size_t> busy_{0};    // threads that have not ended the step
};
thread_local std::unique_ptr<Helpers> helpers;
}  // namespace

OneThread::OneThread() : before_(alone) { alone = true; }
OneThread::~OneThread() { alone = before_; }

void work_alone(bool on) { alone = on; }

Team::Team() : first_(!helpers) {
  if (first_) helpers = std::make_unique<Helpers>();
}
Team::~Team() {
  if (first_) helpers.reset();
}

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
  const std::function<void(int)> work = [&](int thread) {
    try {
      for (std::size_t i; (i = next.fetch_add(1)) < jobs;) job(i, thread);
    } catch (...) {
      next.store(jobs);
      std::lock_guard lock(guard);
      if (!failure) failure = std::current_exception();
    }
  };
  if (helpers && !helpers->at_work) {
    struct AtWork {
      explicit AtWork(Helpers& team) : own(team) { own.at_work = true; }
      ~AtWork() { own.at_work = false; }
      Helpers& own;
    } const now(*helpers);
    helpers->run(used, work);
  } else {
    Helpers().run(used, work);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace clearwood
