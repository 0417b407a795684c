// Large pages: memory that is read in no order, asked for in pages of 2 MB where the system has them, so that the processor
// need not look up where each of many small pages lies; and memory that is kept when it is freed.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace clearwood {

constexpr std::size_t large_page = std::size_t{1} << 21;

// From now on this process keeps what it frees, for its next arrays: by default each column's pages go back to the system,
// which clears them before they come again. For a program that reads a table and ends, not for one that stays.
inline void keep_freed_memory() {
#if defined(__GLIBC__)
  constexpr int largest = 1 << 30, older_largest = 1 << 25;  // what older releases allow at most
  if (mallopt(M_MMAP_THRESHOLD, largest) || mallopt(M_MMAP_THRESHOLD, older_largest)) mallopt(M_TRIM_THRESHOLD, largest);
#endif
}

// An array of plain numbers, not initialised.
template <class T>
class LargeArray {
 public:
  LargeArray() = default;
  explicit LargeArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    const std::size_t bytes = (size * sizeof(T) + large_page - 1) / large_page * large_page;
    const bool large = size * sizeof(T) >= large_page;
    data_ = static_cast<T*>(large ? std::aligned_alloc(large_page, bytes) : std::malloc(size * sizeof(T)));
    if (!data_) throw std::bad_alloc();
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (large) madvise(data_, bytes, MADV_HUGEPAGE);  // a wish: without it all works as well, only slower
#endif
  }
  LargeArray(LargeArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  LargeArray& operator=(LargeArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  LargeArray(const LargeArray&) = delete;
  LargeArray& operator=(const LargeArray&) = delete;
  ~LargeArray() { std::free(data_); }

  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t place) { return data_[place]; }
  const T& operator[](std::size_t place) const { return data_[place]; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace clearwood
