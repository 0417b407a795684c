// A split's rows to their sides, in order: stretches are divided side by side, then moved to where they belong.
#include <algorithm>

#include "core/ensembles/boosted_tree.hpp"

namespace clearwood {
namespace {
constexpr std::size_t divided_at_once = 32768;
}

void BoostedTreeGrower::divide(const std::vector<std::int32_t>& split, std::vector<std::size_t>& lefts) {
  struct Job {
    std::size_t family, begin, end, lefts;
    bool alone;
  };
  std::vector<Job> jobs;
  std::size_t steps = 0;
  for (std::size_t i = 0; i < split.size(); ++i) {
    BoostedNode& node = tree_.nodes[static_cast<std::size_t>(split[i])];
    const std::uint32_t known = coded_.columns[static_cast<std::size_t>(node.split.column)].known;
    if (node.split.grouped) {
      node.to_left.assign(known + 1u, node.split.missing_left);
      for (const std::uint32_t code : node.split.left) node.to_left[code] = 1;
      for (const std::uint32_t code : node.split.right) node.to_left[code] = 0;
    }
    steps += 4 * (node.end - node.begin);
    for (std::size_t from = node.begin; from < node.end; from += divided_at_once) {
      const std::size_t to = std::min(node.end, from + divided_at_once);
      jobs.push_back({i, from, to, 0, to - from == node.end - node.begin});
    }
  }
  std::uint32_t* const index = tree_.index.data();
  std::uint32_t* const room = room_.divided.data();
  std::vector<std::vector<std::uint32_t>> aside(rooms_.size());
  // Lefts to the front of the job's room and rights behind them, both in order: each row is written to both sides, and
  // counts on one.
  const auto part = [&](Job& job, std::vector<std::uint32_t>& rights, const auto* codes, const auto& goes_left) {
    rights.resize(divided_at_once);
    std::uint32_t* left = room + job.begin;
    std::uint32_t* right = rights.data();
    for (std::size_t i = job.begin; i < job.end; ++i) {
      const std::uint32_t row = index[i];
      const std::size_t goes = goes_left(codes[row]);
      *left = row;
      *right = row;
      left += goes;
      right += 1 - goes;
    }
    std::copy(rights.data(), right, left);
    job.lefts = static_cast<std::size_t>(left - (room + job.begin));
  };
  const auto part_by = [&](Job& job, std::vector<std::uint32_t>& rights, const auto* codes, const BoostedNode& node,
                           std::uint32_t known) {
    if (node.split.grouped) {
      const std::uint8_t* const to_left = node.to_left.data();
      part(job, rights, codes, [=](std::uint32_t code) -> std::size_t { return to_left[code]; });
    } else if (const std::uint32_t last = node.split.last; node.split.missing_left) {
      part(job, rights, codes, [=](std::uint32_t code) -> std::size_t { return (code <= last) | (code == known); });
    } else {
      part(job, rights, codes, [=](std::uint32_t code) -> std::size_t { return code <= last; });
    }
  };
  const int threads = threads_for(steps);
  run_parallel(jobs.size(), threads, [&](std::size_t j, int thread) {
    check(stop_);
    Job& job = jobs[j];
    const BoostedNode& node = tree_.nodes[static_cast<std::size_t>(split[job.family])];
    std::vector<std::uint32_t>& rights = aside[static_cast<std::size_t>(thread)];
    const CodedColumn& column = coded_.columns[static_cast<std::size_t>(node.split.column)];
    switch (column.bytes) {
      case 1:
        part_by(job, rights, static_cast<const std::uint8_t*>(column.data), node, column.known);
        break;
      case 2:
        part_by(job, rights, static_cast<const std::uint16_t*>(column.data), node, column.known);
        break;
      default:
        part_by(job, rights, static_cast<const std::uint32_t*>(column.data), node, column.known);
    }
    if (!job.alone) return;
    std::copy(room + job.begin, room + job.end, index + job.begin);
  });
  std::vector<std::size_t> to_left(jobs.size()), to_right(jobs.size());
  for (const Job& job : jobs) lefts[job.family] += job.lefts;
  for (std::size_t j = 0, left = 0, right = 0; j < jobs.size(); ++j) {
    const BoostedNode& node = tree_.nodes[static_cast<std::size_t>(split[jobs[j].family])];
    if (jobs[j].begin == node.begin) left = node.begin, right = node.begin + lefts[jobs[j].family];
    to_left[j] = left, to_right[j] = right;
    left += jobs[j].lefts;
    right += jobs[j].end - jobs[j].begin - jobs[j].lefts;
  }
  if (std::all_of(jobs.begin(), jobs.end(), [](const Job& job) { return job.alone; })) return;
  run_parallel(jobs.size(), threads, [&](std::size_t j, int) {
    const Job& job = jobs[j];
    if (job.alone) return;
    std::copy(room + job.begin, room + job.begin + job.lefts, index + to_left[j]);
    std::copy(room + job.begin + job.lefts, room + job.end, index + to_right[j]);
  });
}

}  // namespace clearwood
