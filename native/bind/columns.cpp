// Columns that are already in memory: Arrow's strings, Python's objects, NumPy's floats.
#include <nanobind/ndarray.h>

#include <cstring>
#include <stdexcept>
#include <unordered_map>

#include "bind/arrays.hpp"
#include "bind/bindings.hpp"
#include "bind/interruptible.hpp"
#include "bind/strings.hpp"
#include "core/reading/arrow_strings.hpp"
#include "core/reading/survey.hpp"

namespace nb = nanobind;
using namespace clearwood;

namespace {

// A stream's chunks, released with it.
struct ArrowColumn {
  ArrowSchema schema{};
  std::vector<ArrowArray> chunks;
  std::size_t rows = 0;

  explicit ArrowColumn(nb::handle capsule) {
    auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
    if (!stream) throw nb::python_error();
    auto demand = [&](int error) {
      if (error == 0) return;
      const char* why = stream->get_last_error(stream);
      const std::string message = why ? why : "an Arrow stream failed";
      clear();
      throw std::runtime_error(message);
    };
    demand(stream->get_schema(stream, &schema));
    for (;;) {
      ArrowArray chunk{};
      demand(stream->get_next(stream, &chunk));
      if (!chunk.release) break;
      rows += static_cast<std::size_t>(chunk.length);
      chunks.push_back(chunk);
    }
  }
  ArrowColumn(ArrowColumn&& other) noexcept
      : schema(other.schema), chunks(std::move(other.chunks)), rows(other.rows) {
    other.schema.release = nullptr;
    other.chunks.clear();
  }
  ~ArrowColumn() { clear(); }
  void clear() {
    for (ArrowArray& chunk : chunks)
      if (chunk.release) chunk.release(&chunk);
    chunks.clear();
    if (schema.release) schema.release(&schema);
    schema.release = nullptr;
  }
};

constexpr std::int64_t ordered_flag = 1;  // ARROW_FLAG_DICTIONARY_ORDERED

nb::list arrow_strings(const nb::list& capsules) {
  std::vector<ArrowColumn> columns;
  for (nb::handle capsule : capsules) {
    columns.emplace_back(capsule);
    if (!holds_strings(columns.back().schema)) columns.back().clear();
  }
  std::vector<std::unique_ptr<std::int32_t[]>> codes(columns.size());
  std::vector<Dictionary> dictionaries(columns.size());
  std::size_t steps = 0;
  for (const ArrowColumn& column : columns) {
    steps += 8 * column.rows;
    for (const ArrowArray& chunk : column.chunks)
      if (chunk.dictionary) steps += 8 * static_cast<std::size_t>(chunk.dictionary->length);
  }
  run_interruptible(steps, [&](const StopFlag& stop) {
    run_parallel(columns.size(), thread_count(), [&](std::size_t i, int) {
      const ArrowColumn& column = columns[i];
      if (!column.schema.release) return;
      codes[i] = std::make_unique_for_overwrite<std::int32_t[]>(column.rows);
      std::int32_t* at = codes[i].get();
      for (const ArrowArray& chunk : column.chunks) {
        if (chunk.dictionary && (column.schema.flags & ordered_flag))
          code_entries(column.schema, chunk, dictionaries[i]);
        code_strings(column.schema, chunk, dictionaries[i], at, stop);
        at += chunk.length;
      }
    });
  });
  nb::list result;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!codes[i]) {
      result.append(nb::none());
      continue;
    }
    std::vector<std::string_view> values;
    for (std::size_t code = 0; code < dictionaries[i].size(); ++code) values.push_back(dictionaries[i].text(code));
    const bool ordered = columns[i].schema.dictionary && (columns[i].schema.flags & ordered_flag);
    result.append(nb::make_tuple(give_array(std::move(codes[i]), {columns[i].rows}), give_strings(values), ordered));
  }
  return result;
}

// Codes for Python objects: the same text has the same code, any other object is known by its identity. A cache by
// address spares most looks at the text, for columns share their strings more often than not.
class ObjectCoder {
 public:
  std::int32_t code(PyObject* object) {
    Cached& cached = cache_[(reinterpret_cast<std::uintptr_t>(object) >> 4) * 0x9E3779B97F4A7C15ull >> 54];
    if (cached.object == object) return cached.code;
    cached = {object, look_up(object)};
    return cached.code;
  }
  nb::list distinct() const {
    nb::list result;
    for (PyObject* object : objects_) result.append(nb::borrow(object));
    return result;
  }

 private:
  struct Cached {
    PyObject* object = nullptr;
    std::int32_t code = 0;
  };
  std::int32_t look_up(PyObject* object) {
    const auto next = static_cast<std::int32_t>(objects_.size());
    if (!PyUnicode_Check(object)) {
      const auto [entry, added] = others_.try_emplace(object, next);
      if (added) objects_.push_back(object);
      return entry->second;
    }
    Py_ssize_t length = 0;
    const char* text = PyUnicode_AsUTF8AndSize(object, &length);
    if (!text) throw nb::python_error();
    const auto entry = static_cast<std::size_t>(
        code_of(texts_, {text, static_cast<std::size_t>(length)}, text + length + 1));
    if (entry == codes_.size()) {
      codes_.push_back(next);
      objects_.push_back(object);
    }
    return codes_[entry];
  }
  std::vector<Cached> cache_ = std::vector<Cached>(1024);
  Dictionary texts_;
  std::vector<std::int32_t> codes_;  // of the dictionary's entries: other objects have codes as well
  std::unordered_map<PyObject*, std::int32_t> others_;
  std::vector<PyObject*> objects_;
};

nb::tuple object_codes(nb::handle array) {
  Py_buffer buffer;
  if (PyObject_GetBuffer(array.ptr(), &buffer, PyBUF_STRIDES | PyBUF_FORMAT) != 0) throw nb::python_error();
  struct Release {
    Py_buffer* held;
    ~Release() { PyBuffer_Release(held); }
  } release{&buffer};
  if (buffer.ndim != 1 || !buffer.format || std::strcmp(buffer.format, "O") != 0)
    throw std::invalid_argument("object_codes takes an array of objects of one dimension");
  const auto rows = static_cast<std::size_t>(buffer.shape[0]);
  auto codes = std::make_unique_for_overwrite<std::int32_t[]>(rows);
  constexpr std::size_t ahead = 16;
  ObjectCoder coder;
  const char* at = static_cast<const char*>(buffer.buf);
  for (std::size_t row = 0; row < rows; ++row, at += buffer.strides[0]) {
    PyObject* object;
    // Strings of their own lie all over memory: send for the ones to come.
    if (row + ahead < rows) {
      std::memcpy(&object, at + static_cast<Py_ssize_t>(ahead) * buffer.strides[0], sizeof object);
      __builtin_prefetch(object);
      __builtin_prefetch(reinterpret_cast<const char*>(object) + 48);
    }
    std::memcpy(&object, at, sizeof object);
    codes[row] = coder.code(object ? object : Py_None);
    if (row % (1 << 20) == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
  }
  return nb::make_tuple(give_array(std::move(codes), {rows}), coder.distinct());
}

nb::tuple codes_of_numbers(const AnyArray& values) {
  const Column column = column_of(values, 0);
  if (!column.numeric()) throw std::invalid_argument("number_codes takes floats");
  const std::size_t rows = values.shape(0);
  auto codes = std::make_unique_for_overwrite<std::int32_t[]>(rows);
  std::vector<double> distinct;
  run_interruptible(4 * rows, [&](const StopFlag& stop) { distinct = number_codes(column, rows, codes.get(), stop); });
  return nb::make_tuple(give_array(std::move(codes), {rows}), give_array(std::move(distinct)));
}

template <class Float>
nb::tuple survey_floats(nb::ndarray<const Float, nb::ndim<2>, nb::device::cpu> values) {
  Survey surveyed;
  run_interruptible(values.size(), [&](const StopFlag& stop) {
    surveyed = survey(values.data(), values.shape(0), values.shape(1), static_cast<std::ptrdiff_t>(values.stride(0)),
                   static_cast<std::ptrdiff_t>(values.stride(1)), thread_count(), stop);
  });
  nb::list whole;
  for (const auto each : surveyed.whole) whole.append(nb::bool_(each != 0));
  return nb::make_tuple(surveyed.row, surveyed.column, whole);
}

}  // namespace

void bind_columns(nb::module_& m) {
  m.def("arrow_strings", &arrow_strings, nb::arg("streams"),
        "For each Arrow stream of strings or of a dictionary of strings: (int32[row], values, ordered); None for "
        "one of anything else.");
  m.def("object_codes", &object_codes, nb::arg("array"),
        "(int32[row], distinct objects in order of appearance): strings by text, others by identity.");
  m.def("number_codes", &codes_of_numbers, nb::arg("values"),
        "(int32[row], distinct float64 in order of appearance) of a column of floats; NaN has code -1.");
  m.def("survey", &survey_floats<float>, nb::arg("values").noconvert(),
        "Of a float table [row, column]: (row, column) of the first infinite number or (-1, -1), and whether each "
        "column holds whole numbers only.");
  m.def("survey", &survey_floats<double>, nb::arg("values").noconvert());
}
