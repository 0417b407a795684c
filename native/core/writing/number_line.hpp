// A number as a line of a file has it: whole ones without a point, others in the fewest digits that read back as the
// same number, as Python prints them.
#pragma once
#include <string>

namespace clearwood {

// Appends nothing for a missing number (NaN).
void append_number(std::string& line, double value);

}  // namespace clearwood
