// A number as written: text to the nearest double, and what the way of writing it gives away.
#pragma once
#include <string_view>

namespace clearwood {

struct NumberText {
  double value = 0;
  bool valid = false;   // the text is a number
  bool plain = false;   // written as a program would print a whole number: '12', '-3', never '+1', '01', '1.0'
  bool padded = false;  // written with a leading zero: '01'
};

// Reads digits with an optional sign, decimal mark and exponent, or inf/infinity; correctly rounded, like Python's
// float(). Refuses everything else: hexadecimal, thousands separators, nan, blanks.
NumberText read_number(std::string_view text, char decimal);

}  // namespace clearwood
