// Columns of strings in Arrow's memory layout, coded by a dictionary: what pandas, polars and pyarrow hand over.
#pragma once
#include <cstdint>

#include "core/reading/dictionary.hpp"
#include "core/numeric/parallel.hpp"

// The Arrow C data interface: names and order of the fields are the standard's.
extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};
struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
  int (*get_next)(ArrowArrayStream*, ArrowArray*);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};
}

namespace clearwood {

// Can these columns be coded: strings of any layout, or a dictionary of strings?
bool holds_strings(const ArrowSchema& schema);

// Appends the codes of one chunk at `codes`; -1 where missing. A chunk that comes with a dictionary of its own looks
// up each of its entries once.
void code_strings(const ArrowSchema& schema, const ArrowArray& chunk, Dictionary& dictionary, std::int32_t* codes,
                  const StopFlag& stop);

// Gives every entry of the chunk's own dictionary a code, in its order.
void code_entries(const ArrowSchema& schema, const ArrowArray& chunk, Dictionary& dictionary);

// Dictionary::code as a call, for the bindings: they are compiled in a hurry, and a loop over texts is not.
std::int32_t code_of(Dictionary& texts, std::string_view text, const char* readable_until);

}  // namespace clearwood
