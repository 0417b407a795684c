#include "tests/testing.hpp"

int main() {
  for (const Test& test : Test::all()) {
    std::printf("%s\n", test.sentence);
    std::fflush(stdout);
    test.run();
  }
  std::printf("%zu tests passed\n", Test::all().size());
}
