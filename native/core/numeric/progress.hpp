// Progress: how far work of many like jobs has come, for whoever watches, who may ask that no more be begun.
#pragma once
#include <atomic>
#include <cstddef>
#include <limits>

namespace clearwood {

struct Progress {
  std::atomic<std::size_t> done{0};
  std::atomic<double> score{std::numeric_limits<double>::quiet_NaN()};  // of what is done; NaN: not known
  std::atomic<bool> enough{false};  // what has begun is ended, and the rest left out
};

// How many jobs from the first on are done, none left out between them.
template <class Done>
std::size_t done_in_a_row(std::size_t jobs, Done&& is_done) {
  std::size_t count = 0;
  while (count < jobs && is_done(count)) ++count;
  return count;
}

}  // namespace clearwood
