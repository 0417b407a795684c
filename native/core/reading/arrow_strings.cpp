#include "core/reading/arrow_strings.hpp"

namespace clearwood {
namespace {

bool is_known(const ArrowArray& array, std::int64_t row) {
  const auto* bits = static_cast<const std::uint8_t*>(array.buffers[0]);
  if (!bits || array.null_count == 0) return true;
  const std::int64_t at = array.offset + row;
  return (bits[at >> 3] >> (at & 7)) & 1;
}

// The string in each row, and how far beyond it memory is the column's own; by layout: offsets of 32 or 64 bits into
// one buffer, or views of 16 bytes that hold a short text themselves.
template <class Offset>
struct Offsets {
  const Offset* offsets;
  const char* data;
  const char* end;
  explicit Offsets(const ArrowArray& array)
      : offsets(static_cast<const Offset*>(array.buffers[1]) + array.offset),
        data(static_cast<const char*>(array.buffers[2])),
        end(array.length > 0 ? data + offsets[array.length] : data) {}  // an empty array may have no offsets
  std::string_view operator[](std::int64_t row) const {
    return {data + offsets[row], static_cast<std::size_t>(offsets[row + 1] - offsets[row])};
  }
  const char* readable_until(std::int64_t, std::string_view) const { return end; }
};

struct Views {
  const char* views;
  const void* const* buffers;
  explicit Views(const ArrowArray& array)
      : views(static_cast<const char*>(array.buffers[1]) + 16 * array.offset), buffers(array.buffers + 2) {}
  std::string_view operator[](std::int64_t row) const {
    const char* const view = views + 16 * row;
    std::int32_t length;
    std::memcpy(&length, view, 4);
    if (length <= 12) return {view + 4, static_cast<std::size_t>(length)};
    std::int32_t place[2];  // buffer, offset in it
    std::memcpy(place, view + 8, 8);
    return {static_cast<const char*>(buffers[place[0]]) + place[1], static_cast<std::size_t>(length)};
  }
  const char* readable_until(std::int64_t row, std::string_view text) const {
    return text.size() <= 12 ? views + 16 * (row + 1) : text.data() + text.size();
  }
};

template <class Use>
void with_texts(const ArrowSchema& schema, const ArrowArray& array, Use&& use) {
  const std::string_view format = schema.format;
  if (format == "u") use(Offsets<std::int32_t>(array));
  else if (format == "U") use(Offsets<std::int64_t>(array));
  else use(Views(array));
}

template <class Use>
void with_indices(const ArrowSchema& schema, const ArrowArray& array, Use&& use) {
  const void* const at = array.buffers[1];
  switch (schema.format[0]) {
    case 'c': return use(static_cast<const std::int8_t*>(at) + array.offset);
    case 'C': return use(static_cast<const std::uint8_t*>(at) + array.offset);
    case 's': return use(static_cast<const std::int16_t*>(at) + array.offset);
    case 'S': return use(static_cast<const std::uint16_t*>(at) + array.offset);
    case 'i': return use(static_cast<const std::int32_t*>(at) + array.offset);
    case 'I': return use(static_cast<const std::uint32_t*>(at) + array.offset);
    case 'l': return use(static_cast<const std::int64_t*>(at) + array.offset);
    default: return use(static_cast<const std::uint64_t*>(at) + array.offset);
  }
}

template <class Texts>
std::int32_t code_of(Dictionary& dictionary, const Texts& texts, std::int64_t row) {
  const std::string_view text = texts[row];
  return dictionary.code(text, 0, texts.readable_until(row, text));
}

}  // namespace

bool holds_strings(const ArrowSchema& schema) {
  const std::string_view format = schema.dictionary ? schema.dictionary->format : schema.format;
  const bool strings = format == "u" || format == "U" || format == "vu";
  return strings && (!schema.dictionary || std::string_view("cCsSiIlL").find(schema.format) != std::string_view::npos);
}

void code_entries(const ArrowSchema& schema, const ArrowArray& chunk, Dictionary& dictionary) {
  with_texts(*schema.dictionary, *chunk.dictionary, [&](const auto& texts) {
    for (std::int64_t entry = 0; entry < chunk.dictionary->length; ++entry)
      if (is_known(*chunk.dictionary, entry)) code_of(dictionary, texts, entry);
  });
}

void code_strings(const ArrowSchema& schema, const ArrowArray& chunk, Dictionary& dictionary, std::int32_t* codes,
                  const StopFlag& stop) {
  constexpr std::int64_t poll = 1 << 16;
  if (!schema.dictionary) {
    with_texts(schema, chunk, [&](const auto& texts) {
      for (std::int64_t row = 0; row < chunk.length; ++row) {
        if (row % poll == 0) check(stop);
        codes[row] = is_known(chunk, row) ? code_of(dictionary, texts, row) : Dictionary::missing;
      }
    });
    return;
  }
  constexpr std::int32_t not_yet = INT32_MIN;
  const auto entries = static_cast<std::uint64_t>(chunk.dictionary->length);
  std::vector<std::int32_t> code_by_entry(entries, not_yet);
  with_texts(*schema.dictionary, *chunk.dictionary, [&](const auto& texts) {
    with_indices(schema, chunk, [&](const auto* indices) {
      for (std::int64_t row = 0; row < chunk.length; ++row) {
        if (row % poll == 0) check(stop);
        if (!is_known(chunk, row)) {
          codes[row] = Dictionary::missing;
          continue;
        }
        const auto entry = static_cast<std::uint64_t>(indices[row]);
        if (entry >= entries) throw std::out_of_range("a dictionary column points beyond its dictionary");
        std::int32_t& code = code_by_entry[entry];
        if (code == not_yet) {
          const auto at = static_cast<std::int64_t>(entry);
          code = is_known(*chunk.dictionary, at) ? code_of(dictionary, texts, at) : Dictionary::missing;
        }
        codes[row] = code;
      }
    });
  });
}

std::int32_t code_of(Dictionary& texts, std::string_view text, const char* readable_until) {
  return texts.code(text, 0, readable_until);
}

}  // namespace clearwood
