/*
 * For tests alone: GCC 13 and newer, which built npm's Node for musl, move a part of std::string::replace into a function
 * that the libstdc++ of GCC 12 lacks. The characters at p (length1) become those of text (length2), and the `rest` after
 * them move; text may lie in what is replaced.
 */
#include <stddef.h>
#include <string.h>

void replace_cold(void* self, char* p, size_t length1, const char* text,
                  size_t length2, size_t rest)
    __asm__("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE15_M_"
            "replace_coldEPcmPKcmm");

__attribute__((visibility("default"))) void replace_cold(
    void* self, char* p, size_t length1, const char* text, size_t length2,
    size_t rest) {
  (void)self;
  if (length2 > 0 && length2 <= length1) memmove(p, text, length2);
  if (rest > 0 && length1 != length2) memmove(p + length2, p + length1, rest);
  if (length2 <= length1) return;
  if (text + length2 <= p + length1) {
    memmove(p, text, length2);
  } else if (text >= p + length1) {
    /* The text has moved with the rest. */
    memcpy(p, text + (length2 - length1), length2);
  } else {
    const size_t left = (size_t)((p + length1) - text);
    memmove(p, text, left);
    memcpy(p + left, p + length2, length2 - left);
  }
}
