// The smallest test bench: TEST("a sentence") { … CHECK(…); } in any file of this folder is run.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Test {
  const char* sentence;
  void (*run)();
  static std::vector<Test>& all() {
    static std::vector<Test> tests;
    return tests;
  }
  Test(const char* name, void (*body)()) : sentence(name), run(body) { all().push_back(*this); }
};

#define TEST_NAMED(sentence, line)                            \
  static void test_##line();                                  \
  static const Test entry_##line(sentence, test_##line);      \
  static void test_##line()
#define TEST_AT(sentence, line) TEST_NAMED(sentence, line)
#define TEST(sentence) TEST_AT(sentence, __LINE__)

#define CHECK(claim)                                                               \
  do {                                                                             \
    if (!(claim)) {                                                                \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #claim);      \
      std::exit(1);                                                                \
    }                                                                              \
  } while (false)
