#include "core/counting/histograms.hpp"

#include <array>
#include <numeric>

namespace clearwood {
namespace {

constexpr std::size_t byte_bins = 256;
constexpr std::size_t ahead = 24;  // rows sent for before they are needed
constexpr std::size_t at_once = 4;  // byte columns

template <class Code>
void add_words(const Code* codes, const std::uint32_t* rows, std::size_t begin, std::size_t count, const Word* words,
               Word* out) {
  if (rows == nullptr) {
    for (std::size_t i = 0; i < count; ++i) out[codes[begin + i]] += words[i];
  } else {
    for (std::size_t i = 0; i < count; ++i) out[codes[rows[begin + i]]] += words[i];
  }
}

template <class Code>
void add_each(const Code* codes, const RowSums& values, const std::uint32_t* rows, std::size_t begin, std::size_t end,
              Sum* out) {
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t row = rows != nullptr ? rows[i] : i;
    out[codes[row]] += values.at(row);
  }
}

// Four byte columns side by side: a word is read once for all, and a bin is seldom added to twice in a row.
void add_words_of_four(const std::uint8_t* const* codes, std::size_t count, const Word* words, Word* out) {
  const std::uint8_t *const first = codes[0], *const second = codes[1], *const third = codes[2], *const fourth = codes[3];
  for (std::size_t i = 0; i < count; ++i) {
    const Word word = words[i];
    out[first[i]] += word;
    out[byte_bins + second[i]] += word;
    out[2 * byte_bins + third[i]] += word;
    out[3 * byte_bins + fourth[i]] += word;
  }
}

// What a line has of a joint column, and where its words are. They lie close together: with 256 for each, those of many
// small columns would push each other out of the cache.
struct Place {
  std::uint32_t byte, first;
};

// From the usual bins, which had it too, to the others of a combination.
void move_from_usual(const JointColumn& joint, std::size_t combination, const Sum& sum, Sum* out) {
  for (std::uint32_t at = joint.start[combination]; at < joint.start[combination + 1]; ++at) {
    out[joint.moves[at].bin] += sum;
    out[joint.moves[at].usual] -= sum;
  }
}

void send_for(const CodedRows& coded, std::size_t row) {
  const std::size_t stride = coded.joints.size();
  __builtin_prefetch(coded.matrix.data() + row * stride);
  __builtin_prefetch(coded.matrix.data() + (row + 1) * stride - 1);
}

void add_lines(const CodedRows& coded, const Word* words, const std::uint32_t* rows, std::size_t count,
               const std::vector<Place>& places, Word* out) {
  const std::size_t width = places.size(), stride = coded.joints.size();
  const Place* const place = places.data();
  for (std::size_t i = 0; i < count; ++i) {
    if (i + ahead < count) {
      __builtin_prefetch(words + rows[i + ahead]);
      send_for(coded, rows[i + ahead]);
    }
    const std::uint8_t* const line = coded.matrix.data() + rows[i] * stride;
    const Word word = words[rows[i]];
    std::size_t j = 0;
    for (; j + 4 <= width; j += 4) {
      out[place[j].first + line[place[j].byte]] += word;
      out[place[j + 1].first + line[place[j + 1].byte]] += word;
      out[place[j + 2].first + line[place[j + 2].byte]] += word;
      out[place[j + 3].first + line[place[j + 3].byte]] += word;
    }
    for (; j < width; ++j) out[place[j].first + line[place[j].byte]] += word;
  }
}

// Few rows, one by one: to clear and move the words of all codes would take longer.
void add_few_lines(const CodedRows& coded, const RowSums& values, const std::uint32_t* rows, std::size_t begin,
                   std::size_t end, const std::vector<std::size_t>& joints, Sum* out) {
  Sum total;
  for (std::size_t i = begin; i < end; ++i) {
    if (rows != nullptr && i + ahead < end) send_for(coded, rows[i + ahead]);
    const std::size_t row = rows != nullptr ? rows[i] : i;
    const std::uint8_t* const line = coded.matrix.data() + row * coded.joints.size();
    const Sum sum = values.at(row);
    total += sum;
    for (const std::size_t j : joints) {
      const JointColumn& joint = coded.joints[j];
      if (joint.alone()) {
        out[joint.first + line[j]] += sum;
      } else {
        move_from_usual(joint, line[j], sum, out);
      }
    }
  }
  for (const std::size_t j : joints)
    for (const std::uint32_t bin : coded.joints[j].usual) out[bin] += total;
}

// From combinations to the columns: all to the usual bins, and from there those that have another.
template <class SumAt>
void spread(const JointColumn& joint, const SumAt& sum_at, Sum* out) {
  if (joint.alone()) {
    for (std::size_t bin = 0; bin < joint.bins; ++bin) out[joint.first + bin] += sum_at(bin);
    return;
  }
  Sum total;
  for (std::size_t bin = 0; bin < joint.bins; ++bin) {
    const Sum sum = sum_at(bin);
    if (sum.none()) continue;
    total += sum;
    move_from_usual(joint, bin, sum, out);
  }
  for (const std::uint32_t bin : joint.usual) out[bin] += total;
}

void spread_words(const JointColumn& joint, const Word* words, Sum* out) {
  spread(joint, [=](std::size_t bin) { return unpacked(words[bin]); }, out);
}

// Four joint columns at a time, whose words fit the nearest cache; what is left over, one by one.
void add_joints_in_order(const CodedRows& coded, const Word* words, std::size_t from, std::size_t count,
                         const std::vector<std::size_t>& joints, HistogramRoom& room, Sum* out) {
  room.words.resize(std::max(room.words.size(), at_once * byte_bins));
  for (std::size_t j = 0; j < joints.size(); j += at_once) {
    const std::size_t here = std::min(at_once, joints.size() - j);
    std::fill_n(room.words.begin(), here * byte_bins, Word{0});
    std::array<const std::uint8_t*, at_once> codes;
    for (std::size_t k = 0; k < here; ++k) codes[k] = coded.joints[joints[j + k]].data + from;
    if (here == at_once) {
      add_words_of_four(codes.data(), count, words, room.words.data());
    } else {
      for (std::size_t k = 0; k < here; ++k) add_words(codes[k], nullptr, 0, count, words, room.words.data() + k * byte_bins);
    }
    for (std::size_t k = 0; k < here; ++k) spread_words(coded.joints[joints[j + k]], room.words.data() + k * byte_bins, out);
  }
}

void add_joints(const CodedRows& coded, const Word* words, const std::uint32_t* rows, std::size_t count,
                const std::vector<std::size_t>& joints, HistogramRoom& room, Sum* out) {
  std::vector<Place> places;
  std::uint32_t bins = 0;
  for (const std::size_t j : joints) {
    places.push_back({static_cast<std::uint32_t>(j), bins});
    bins += static_cast<std::uint32_t>(coded.joints[j].bins);
  }
  room.words.resize(std::max<std::size_t>(room.words.size(), bins));
  std::fill_n(room.words.begin(), bins, Word{0});
  add_lines(coded, words, rows, count, places, room.words.data());
  for (const Place& place : places) spread_words(coded.joints[place.byte], room.words.data() + place.first, out);
}

constexpr std::size_t most_combinations = 256;  // a byte each
constexpr std::size_t lines_at_once = 1024;

const std::uint8_t* bytes_of(const CodedColumn& column) { return static_cast<const std::uint8_t*>(column.data); }

// Columns joined so far, by the combinations that rows have.
struct Joining {
  std::vector<std::size_t> columns;
  std::vector<std::vector<std::uint8_t>> codes{{}};  // [combination, column]
  LargeArray<std::uint8_t> combination;              // [row]

  // Takes a column in if there are still few combinations with it; else nothing changes.
  bool take(const CodedRows& coded, std::size_t column) {
    const std::uint8_t* const data = bytes_of(coded.columns[column]);
    std::vector<std::int16_t> number(codes.size() * most_combinations, -1);
    std::vector<std::vector<std::uint8_t>> wider;
    LargeArray<std::uint8_t> with(coded.rows);
    for (std::size_t row = 0; row < coded.rows; ++row) {
      const std::size_t before = columns.empty() ? 0 : combination[row];
      std::int16_t& own = number[before * most_combinations + data[row]];
      if (own < 0) {
        if (wider.size() == most_combinations) return false;
        own = static_cast<std::int16_t>(wider.size());
        wider.push_back(codes[before]);
        wider.back().push_back(data[row]);
      }
      with[row] = static_cast<std::uint8_t>(own);
    }
    columns.push_back(column);
    codes = std::move(wider);
    combination = std::move(with);
    return true;
  }

  JointColumn joint(const CodedRows& coded) {
    JointColumn made;
    if (columns.size() == 1) {
      const CodedColumn& only = coded.columns[columns[0]];
      made.data = bytes_of(only);
      made.bins = only.bins();
      made.first = coded.offset[columns[0]];
    } else {
      made.own = std::move(combination);
      made.data = made.own.data();
      made.bins = codes.size();
      std::array<std::size_t, most_combinations> rows{};
      for (const std::uint8_t each : made.own) ++rows[each];
      for (std::size_t k = 0; k < columns.size(); ++k) {
        std::array<std::size_t, most_combinations> of_code{};
        for (std::size_t each = 0; each < codes.size(); ++each) of_code[codes[each][k]] += rows[each];
        const auto most = static_cast<std::size_t>(std::max_element(of_code.begin(), of_code.end()) - of_code.begin());
        made.usual.push_back(static_cast<std::uint32_t>(coded.offset[columns[k]] + most));
      }
      for (const std::vector<std::uint8_t>& each : codes) {
        made.start.push_back(static_cast<std::uint32_t>(made.moves.size()));
        for (std::size_t k = 0; k < columns.size(); ++k)
          if (const auto bin = static_cast<std::uint32_t>(coded.offset[columns[k]] + each[k]); bin != made.usual[k])
            made.moves.push_back({bin, made.usual[k]});
      }
      made.start.push_back(static_cast<std::uint32_t>(made.moves.size()));
    }
    made.columns = std::move(columns);
    return made;
  }
};

}  // namespace

void CodedRows::lay_out(std::size_t widest) {
  offset.assign(columns.size(), nowhere);
  bins = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].bins() > widest) continue;
    offset[c] = bins;
    bins += columns[c].bins();
  }
}

Counted::Counted(const CodedRows& coded, const std::vector<std::int32_t>& columns) {
  std::vector<std::uint8_t> listed(coded.columns.size()), joined(coded.columns.size());
  for (const std::int32_t c : columns) listed[static_cast<std::size_t>(c)] = 1;
  for (std::size_t j = 0; j < coded.joints.size(); ++j) {
    bool asked = false;
    for (const std::size_t c : coded.joints[j].columns) joined[c] = 1, asked |= listed[c] != 0;
    if (asked) joints.push_back(j);
  }
  for (const std::int32_t each : columns)
    if (const auto c = static_cast<std::size_t>(each); joined[c] == 0 && coded.offset[c] != CodedRows::nowhere) others.push_back(c);
}

void add_sums(const CodedRows& coded, const RowSums& values, const std::uint32_t* rows, std::size_t begin, std::size_t end,
              const Counted& counted, HistogramRoom& room, Sum* out) {
  const bool few = end - begin < byte_bins;
  if (few && !counted.joints.empty()) add_few_lines(coded, values, rows, begin, end, counted.joints, out);
  if (few || values.words == nullptr) {
    for (const std::size_t c : counted.others)
      coded.columns[c].visit([&](const auto* codes) { add_each(codes, values, rows, begin, end, out + coded.offset[c]); });
    if (few) return;
    for (const std::size_t j : counted.joints) {
      const JointColumn& joint = coded.joints[j];
      if (joint.alone()) {
        add_each(joint.data, values, rows, begin, end, out + joint.first);
        continue;
      }
      room.sums.assign(joint.bins, Sum{});
      add_each(joint.data, values, rows, begin, end, room.sums.data());
      spread(joint, [&](std::size_t bin) { return room.sums[bin]; }, out);
    }
    return;
  }
  for (const std::size_t c : counted.others) room.words.resize(std::max(room.words.size(), coded.columns[c].bins()));
  for (std::size_t from = begin; from < end; from += packed_rows) {
    const std::size_t count = std::min(packed_rows, end - from);
    if (rows == nullptr) {
      add_joints_in_order(coded, values.words + from, from, count, counted.joints, room, out);
    } else if (!counted.joints.empty()) {
      add_joints(coded, values.words, rows + from, count, counted.joints, room, out);
    }
    if (counted.others.empty()) continue;
    const Word* words = values.words + from;
    if (rows != nullptr) {
      room.gathered.resize(packed_rows);
      for (std::size_t i = 0; i < count; ++i) room.gathered[i] = values.words[rows[from + i]];
      words = room.gathered.data();
    }
    for (const std::size_t c : counted.others) {
      const std::size_t bins = coded.columns[c].bins();
      std::fill_n(room.words.begin(), bins, Word{0});
      coded.columns[c].visit([&](const auto* codes) { add_words(codes, rows, from, count, words, room.words.data()); });
      for (std::size_t bin = 0; bin < bins; ++bin) out[coded.offset[c] + bin] += unpacked(room.words[bin]);
    }
  }
}

void add_region_sums(const CodedRows& coded, const RowSums& values, const std::int32_t* region, std::size_t regions,
                     Sum* out, int threads, const StopFlag& stop) {
  std::vector<std::size_t> start(regions + 1);
  for (std::size_t row = 0; row < coded.rows; ++row)
    if (region[row] >= 0) ++start[static_cast<std::size_t>(region[row]) + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<std::uint32_t> rows(start.back());
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  for (std::size_t row = 0; row < coded.rows; ++row)
    if (region[row] >= 0) rows[next[static_cast<std::size_t>(region[row])]++] = static_cast<std::uint32_t>(row);
  std::vector<HistogramRoom> rooms(static_cast<std::size_t>(std::max(1, threads)));
  run_parallel(coded.columns.size(), threads, [&](std::size_t c, int thread) {
    const Counted column(coded, {static_cast<std::int32_t>(c)});
    for (std::size_t r = 0; r < regions; ++r) {
      check(stop);
      add_sums(coded, values, rows.data(), start[r], start[r + 1], column, rooms[static_cast<std::size_t>(thread)],
               out + r * coded.bins);
    }
  });
}

void add_class_counts(const CodedColumn& column, std::size_t rows, const std::int32_t* region, const std::int32_t* classes_of,
                      std::size_t classes, const std::int64_t* units, std::int64_t* out) {
  for (std::size_t row = 0; row < rows; ++row) {
    if (region[row] < 0) continue;
    const std::size_t cell = static_cast<std::size_t>(region[row]) * column.bins() + column.at(row);
    out[cell * classes + static_cast<std::size_t>(classes_of[row])] += units != nullptr ? units[row] : 1;
  }
}

void CodedRows::join(int threads, const StopFlag& stop) {
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (columns[c].bytes == 1 && offset[c] != nowhere) order.push_back(c);
  // Columns of few codes first, those of as many as they come: what belongs together mostly stands together.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return columns[a].known < columns[b].known; });
  joints.clear();
  for (std::size_t i = 0; i < order.size();) {
    check(stop);
    Joining joining;
    while (i < order.size() && joining.take(*this, order[i])) ++i;
    joints.push_back(joining.joint(*this));
  }
  std::stable_partition(joints.begin(), joints.end(), [](const JointColumn& joint) { return joint.alone(); });
  const std::size_t width = joints.size();
  matrix = LargeArray<std::uint8_t>(rows * width);
  over_rows(rows, lines_at_once, rows * width < small_work ? 1 : threads, stop, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t j = 0; j < width; ++j) {
      std::uint8_t* at = matrix.data() + begin * width + j;
      for (const std::uint8_t *code = joints[j].data + begin, *last = joints[j].data + end; code < last; ++code, at += width) *at = *code;
    }
  });
}

}  // namespace clearwood
