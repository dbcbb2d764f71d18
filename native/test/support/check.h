#ifndef TFR_TEST_SUPPORT_CHECK_H_
#define TFR_TEST_SUPPORT_CHECK_H_

#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>

/// Assertions of the core's tests. Each test file is a program:
///
///   #include "test/support/check.h"
///   TEST(EmptyInputHasNoRecords) { CHECK_EQ(Count(""), 0u); }
///
/// This header defines `main`, so exactly one file of a program includes it. It
/// runs every TEST in file order, prints each failed check, and returns 1 if
/// any failed or none ran. The first argument selects the tests whose name
/// contains it.
///
/// CHECK* records a failure and continues; REQUIRE* ends the program, for
/// conditions that the rest of the test depends on.
namespace tfr::test {

struct Case {
  const char* name;
  void (*run)();
  Case* next;
};

struct State {
  Case* first = nullptr;
  Case** last = &first;
  long checks = 0;
  long failures = 0;
};

inline State& TheState() {
  static State* state = new State;
  return *state;
}

struct Registrar {
  Registrar(const char* name, void (*run)()) {
    State& state = TheState();
    *state.last = new Case{name, run, nullptr};
    state.last = &(*state.last)->next;
  }
};

template <typename T>
std::string Show(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return std::to_string(static_cast<long long>(value));
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_integral_v<T>) {
    char hex[24];
    std::snprintf(hex, sizeof hex, " (0x%llx)",
                  static_cast<unsigned long long>(
                      static_cast<std::make_unsigned_t<T>>(value)));
    return std::to_string(value) + hex;
  } else if constexpr (std::is_floating_point_v<T>) {
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", static_cast<double>(value));
    return text;
  } else if constexpr (std::is_pointer_v<T>) {
    char text[24];
    std::snprintf(text, sizeof text, "%p", static_cast<const void*>(value));
    return text;
  } else {
    return std::string(value);
  }
}

/// Counts one check; returns `passed`.
inline bool Report(bool passed, const char* file, int line,
                   const std::string& what) {
  State& state = TheState();
  ++state.checks;
  if (passed) return true;
  // Prints the first failures and counts the rest.
  if (++state.failures <= 50) {
    std::fprintf(stderr, "%s:%d: check failed: %s\n", file, line, what.c_str());
  }
  return false;
}

/// Arithmetic equality: a negative int never equals an unsigned by wrapping.
template <typename A, typename B>
bool Same(const A& a, const B& b) {
  if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) {
    return (a < A{0}) == (b < B{0}) &&
           static_cast<std::common_type_t<A, B>>(a) ==
               static_cast<std::common_type_t<A, B>>(b);
  } else {
    return a == b;
  }
}

template <typename A, typename B>
bool Equal(const A& a, const B& b, const char* file, int line,
           const char* text) {
  if (Same(a, b)) {
    ++TheState().checks;
    return true;
  }
  return Report(false, file, line,
                std::string(text) + ": " + Show(a) + " is not " + Show(b));
}

/// The step of loops through thousands of cases: 1, or 7 where
/// TFR_TEST_EMULATED (CMakeLists.txt sets it) says that every instruction is
/// emulated.
inline size_t LoopStep() {
  static const bool emulated = std::getenv("TFR_TEST_EMULATED") != nullptr;
  return emulated ? 7 : 1;
}

inline int Main(int argc, char** argv) {
  State& state = TheState();
  const std::string filter = argc > 1 ? argv[1] : "";
  for (Case* c = state.first; c != nullptr; c = c->next) {
    if (std::string(c->name).find(filter) == std::string::npos) continue;
    const long before = state.failures;
    c->run();
    std::printf("%s %s\n", state.failures == before ? "ok    " : "FAILED",
                c->name);
    std::fflush(stdout);
  }
  std::printf("%ld checks, %ld failed\n", state.checks, state.failures);
  if (state.checks == 0) std::fprintf(stderr, "nothing was checked\n");
  return state.failures == 0 && state.checks > 0 ? 0 : 1;
}

}  // namespace tfr::test

#define TEST(name)                                                           \
  static void Test_##name();                                                 \
  static const ::tfr::test::Registrar registrar_##name(#name, &Test_##name); \
  static void Test_##name()

#define CHECK(condition)                                                \
  ::tfr::test::Report(static_cast<bool>(condition), __FILE__, __LINE__, \
                      #condition)
#define CHECK_EQ(a, b) \
  ::tfr::test::Equal((a), (b), __FILE__, __LINE__, #a " == " #b)
#define REQUIRE(condition)               \
  do {                                   \
    if (!CHECK(condition)) std::exit(1); \
  } while (0)
#define REQUIRE_EQ(a, b)               \
  do {                                 \
    if (!CHECK_EQ(a, b)) std::exit(1); \
  } while (0)

int main(int argc, char** argv) { return ::tfr::test::Main(argc, argv); }

#endif  // TFR_TEST_SUPPORT_CHECK_H_
