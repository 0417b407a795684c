// What a learner settles on at a node: an attribute, and where each of its values goes.
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

namespace clearwood {

struct SurrogateChoice {
  int attribute = -1;
  double limit = 0.0;                  // numeric: x ≤ limit goes to `branch`, above it to the other
  int branch = 0;
  double agreement = 0.0;
  std::vector<std::int32_t> side_of;   // nominal [code]: 0, 1, or −1 where the value was not met
};

// One attribute's best offer at a node. Branches count from 0.
struct Candidate {
  bool valid = false;
  int attribute = -1;
  double score = 0.0;                    // what the learner compares
  double figures[3] = {0, 0, 0};         // what it reports
  int branches = 0;
  // a cut: rank ≤ cut_rank goes to branch 0, the rest to branch 1; the values on either side of it
  std::uint32_t cut_rank = 0;
  double below = 0.0, above = 0.0;
  double threshold = 0.0;
  std::int64_t admissible = 1;           // cuts that were tried
  // values: branch_of[code], −1 where no branch takes the value
  std::vector<std::int32_t> branch_of;
  std::int32_t missing_branch = -1;      // the branch that takes the missing (−1: none does)
  bool missing_alone = false;            // … and takes nothing else
  std::int32_t otherwise = -1;           // the branch of rows no branch takes; −1: down every branch by its share
  std::vector<SurrogateChoice> surrogates;
};

}  // namespace clearwood
