// Long native work that Ctrl-C can stop and a person can watch: it runs beside, the calling thread listens for signals.
#pragma once
#include <nanobind/nanobind.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "core/numeric/parallel.hpp"

// Runs work(stop) with the GIL released; a Python signal (Ctrl-C) sets `stop`, waits for the work to end, and is raised.
// Meanwhile heed(), with the GIL held, is asked again and again: false if it raised something in Python.
template <class Work, class Heed>
void run_heeding(Work&& work, Heed&& heed) {
  clearwood::StopFlag stop{false};
  std::exception_ptr failure;
  std::mutex guard;
  std::condition_variable ended;
  bool done = false;
  bool interrupted = false;
  const bool one = clearwood::thread_count() == 1;  // of the caller; the thread that works for it keeps to that
  {
    nanobind::gil_scoped_release release;
    auto run = [&] {
      try {
        std::optional<clearwood::OneThread> alone;
        if (one) alone.emplace();
        const clearwood::Team team;
        work(stop);
      } catch (...) {
        failure = std::current_exception();
      }
      std::lock_guard lock(guard);
      done = true;
      ended.notify_all();
    };
    std::thread worker;
    try {
      worker = std::thread(run);
    } catch (const std::system_error&) {
      run();  // The system lends no thread: Ctrl-C waits until the work is done.
    }
    std::unique_lock lock(guard);
    while (!ended.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; })) {
      lock.unlock();
      if (!interrupted) {
        nanobind::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0 || !heed()) {
          interrupted = true;
          stop.store(true);
        }
      }
      lock.lock();
    }
    lock.unlock();
    if (worker.joinable()) worker.join();
  }
  if (interrupted) throw nanobind::python_error();
  if (failure) std::rethrow_exception(failure);
}

template <class Work>
void run_interruptible(Work&& work) {
  run_heeding(work, [] { return true; });
}

// Runs work(stop) of about so many steps. Small work runs here and at once, on one thread: nobody could want to stop it.
template <class Work>
void run_interruptible(std::size_t steps, Work&& work) {
  if (steps >= clearwood::small_work) return run_interruptible(work);
  const clearwood::StopFlag never{false};
  nanobind::gil_scoped_release release;
  const clearwood::OneThread alone;
  work(never);
}

// The same, while watch(done, score) is told of progress and, by answering true, says that it is enough.
template <class Work>
void run_watched(std::size_t steps, clearwood::Progress& progress, const nanobind::object& watch, Work&& work) {
  if (watch.is_none() || steps < clearwood::small_work) return run_interruptible(steps, work);
  run_heeding(work, [&] {
    if (progress.enough.load()) return true;
    try {
      const nanobind::object answer = watch(progress.done.load(), progress.score.load());
      const int enough = PyObject_IsTrue(answer.ptr());
      progress.enough.store(enough > 0);
      return enough >= 0;
    } catch (nanobind::python_error& error) {
      error.restore();
      return false;
    }
  });
}
