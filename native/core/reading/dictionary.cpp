#include "core/reading/dictionary.hpp"

namespace clearwood {

std::int32_t code_of(Dictionary& texts, std::string_view text, const char* readable_until) {
  return texts.code(text, 0, readable_until);
}

}  // namespace clearwood
