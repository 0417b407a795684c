// A dictionary of strings: each distinct text gets the next code, in order of first appearance.
#pragma once
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace clearwood {

// Texts are not copied unless `copy` is set: whoever owns them must outlive the dictionary. Costs 16 bytes a slot (at
// most two to four slots a value) and 24 bytes a value.
class Dictionary {
 public:
  Dictionary(const Dictionary&) = delete;  // a copy's texts would still lie in the original
  Dictionary(Dictionary&&) = default;
  static constexpr std::int32_t missing = -1;

  // The texts in `marks` count as missing and get no code.
  explicit Dictionary(const std::vector<std::string>& marks = {}) : slots_(16), mask_(15) {
    for (const auto& mark : marks) {
      marks_.push_back(mark);
      place(Key(mark, mark.data() + mark.size()), -static_cast<std::int32_t>(marks_.size()));
    }
  }

  // The code of `text`, new if need be; `position` is remembered as the place of first appearance. `readable_until`
  // is how far beyond the text memory may be read. With `copy`, a new text is kept in the dictionary itself.
  std::int32_t code(std::string_view text, std::uint64_t position, const char* readable_until, bool copy = false) {
    const Key key(text, readable_until);
    for (std::size_t at = key.hash & mask_;; at = (at + 1) & mask_) {
      const Slot& slot = slots_[at];
      if (slot.code == empty) break;
      if (is(slot, key, text)) return slot.code < 0 ? missing : slot.code;
    }
    if (copy) text = copies_.emplace_back(text);
    entries_.push_back({text.data(), position, key.length});
    const auto code = static_cast<std::int32_t>(entries_.size() - 1);
    place(key, code);
    return code;
  }

  // The code of `text`, or missing where it has none.
  std::int32_t find(std::string_view text, const char* readable_until) const {
    const Key key(text, readable_until);
    for (std::size_t at = key.hash & mask_;; at = (at + 1) & mask_) {
      const Slot& slot = slots_[at];
      if (slot.code == empty) return missing;
      if (is(slot, key, text)) return slot.code < 0 ? missing : slot.code;
    }
  }
  bool holds(std::string_view text, const char* readable_until) const { return find(text, readable_until) >= 0; }

  std::size_t size() const { return entries_.size(); }
  std::string_view text(std::size_t code) const { return {entries_[code].text, entries_[code].length}; }
  std::uint64_t position(std::size_t code) const { return entries_[code].position; }

 private:
  static constexpr std::int32_t empty = INT32_MIN;
  struct Slot {
    std::uint64_t prefix = 0;
    std::uint32_t length = 0;
    std::int32_t code = empty;
  };
  struct Entry {
    const char* text;
    std::uint64_t position;
    std::uint32_t length;
  };
  struct Key {
    std::uint64_t prefix = 0;  // the first eight bytes: all of a short text
    std::uint32_t length;
    std::uint64_t hash;

    Key(std::string_view text, const char* readable_until) : length(static_cast<std::uint32_t>(text.size())) {
      constexpr std::uint64_t odd = 0x9E3779B97F4A7C15ull;
      if (text.size() >= 8) {
        std::memcpy(&prefix, text.data(), 8);
      } else if (text.data() && readable_until - text.data() >= 8) {
        std::memcpy(&prefix, text.data(), 8);
        prefix &= text.empty() ? 0 : shorten(text.size());
      } else if (!text.empty()) {
        std::memcpy(&prefix, text.data(), text.size());
      }
      hash = mix((prefix ^ length) * odd);
      for (std::size_t i = 8; i < text.size(); i += 8) {
        // The last eight bytes may overlap the block before: every byte counts, none beyond the text is read.
        std::uint64_t block;
        std::memcpy(&block, text.data() + (i + 8 <= text.size() ? i : text.size() - 8), 8);
        hash = mix((hash ^ block) * odd);
      }
    }
    static std::uint64_t mix(std::uint64_t h) { return h ^ (h >> 32); }
    static std::uint64_t shorten(std::size_t bytes) {
      if constexpr (little_endian) return ~0ull >> (64 - 8 * bytes);
      return ~0ull << (64 - 8 * bytes);
    }
    static constexpr bool little_endian = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
  };

  std::string_view text_of(std::int32_t code) const {
    return code >= 0 ? text(static_cast<std::size_t>(code)) : std::string_view(marks_[static_cast<std::size_t>(-code - 1)]);
  }

  bool is(const Slot& slot, const Key& key, std::string_view text) const {
    return slot.prefix == key.prefix && slot.length == key.length &&
           (key.length <= 8 || std::memcmp(text_of(slot.code).data() + 8, text.data() + 8, key.length - 8) == 0);
  }

  void place(const Key& key, std::int32_t code) {
    if ((entries_.size() + marks_.size()) * 2 > slots_.size()) grow();
    put({key.prefix, key.length, code}, key.hash);
  }

  void put(const Slot& slot, std::uint64_t hash) {
    std::size_t at = hash & mask_;
    while (slots_[at].code != empty) at = (at + 1) & mask_;
    slots_[at] = slot;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    mask_ = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.code == empty) continue;
      const std::string_view text = text_of(slot.code);
      put(slot, Key(text, text.data() + text.size()).hash);
    }
  }

  std::vector<Slot> slots_;
  std::size_t mask_;
  std::vector<Entry> entries_;
  std::deque<std::string> marks_;
  std::deque<std::string> copies_;
};

}  // namespace clearwood
