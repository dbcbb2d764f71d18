#include "core/record/framing/line_framers.h"

#include <algorithm>
#include <cstring>

namespace tfr {
namespace {

constexpr uint8_t kMark[] = {0xef, 0xbb, 0xbf};

/// Position of `byte` at or after `from`, or `end`.
size_t FindByte(const uint8_t* bytes, size_t from, size_t end, uint8_t byte) {
  if (from == end) return end;
  const void* const at = std::memchr(bytes + from, byte, end - from);
  return at == nullptr ? end : static_cast<const uint8_t*>(at) - bytes;
}

class TextFramer : public Framer {
 public:
  explicit TextFramer(uint64_t max_record_bytes) : max_(max_record_bytes) {}

  Found Find(Window* window, bool last, SlabFill* fill) const final {
    const bool at_start = fill->base + window->begin == 0;
    if (at_start && !SkipMark(window, last)) return Found();
    Found found;
    FindLines(window, fill, &found.fault);
    const size_t left = window->left();
    if (found.fault || left == 0) return found;
    if (last) {
      Add(window, window->end, window->end, fill, &found.fault);
    } else if (left > max_ + 1) {
      // One more byte may still be a CR.
      found.fault = TooLong(left);
    }
    return found;
  }

  /// Every byte belongs to a record, so the end is never a fault.
  Fault AtEnd(const StreamPlace&, uint64_t, uint64_t) const final {
    return Fault();
  }

 protected:
  /// Adds the records that end in the window, and marks all other bytes as
  /// `seen`.
  virtual void FindLines(Window* window, SlabFill* fill,
                         Fault* fault) const = 0;

  /// Adds the record that ends before `end`; the next one begins at `next`.
  /// Returns false and sets `*fault` on failure.
  bool Add(Window* window, size_t end, size_t next, SlabFill* fill,
           Fault* fault) const {
    const size_t length = end - window->begin;
    if (length > max_) {
      *fault = TooLong(length);
      return false;
    }
    if (!fill->frames.Push({static_cast<uint32_t>(window->begin),
                            static_cast<uint32_t>(length)})) {
      *fault = MemoryFault();
      return false;
    }
    window->begin = next;
    window->seen = 0;
    return true;
  }

  /// Adds the record that the LF at `at` ends.
  bool AddLine(Window* window, size_t at, SlabFill* fill, Fault* fault) const {
    const bool cr = at > window->begin && window->slab[at - 1] == '\r';
    return Add(window, cr ? at - 1 : at, at + 1, fill, fault);
  }

 private:
  /// Skips a byte order mark. Returns false if more bytes are needed to tell
  /// whether there is one.
  static bool SkipMark(Window* window, bool last) {
    const size_t size = std::min(window->left(), sizeof kMark);
    if (std::memcmp(window->slab, kMark, size) != 0) return true;
    if (size < sizeof kMark) return last;
    window->begin = sizeof kMark;
    return true;
  }

  Fault TooLong(size_t found) const {
    return MakeFault(FaultCode::kRecordTooLarge, "line", max_, found);
  }

  const uint64_t max_;
};

class LineFramer final : public TextFramer {
 public:
  using TextFramer::TextFramer;

 protected:
  void FindLines(Window* window, SlabFill* fill, Fault* fault) const override {
    const size_t end = window->end;
    for (;;) {
      const size_t at =
          FindByte(window->slab, window->begin + window->seen, end, '\n');
      if (at == end) break;
      if (!AddLine(window, at, fill, fault)) return;
    }
    window->seen = window->left();
  }
};

class CsvFramer final : public TextFramer {
 public:
  CsvFramer(uint8_t delimiter, uint64_t max_record_bytes)
      : TextFramer(max_record_bytes), delimiter_(delimiter) {}

 protected:
  void FindLines(Window* window, SlabFill* fill, Fault* fault) const override {
    const uint8_t* const bytes = window->slab;
    const size_t end = window->end;
    // First quote at or after the current record; 0 before the first search.
    size_t quote = 0;
    for (;;) {
      size_t at = end;
      if (window->seen == 0) {
        // Most records have no quote.
        window->inside = kStart;
        at = FindByte(bytes, window->begin, end, '\n');
        if (quote < window->begin || quote == 0) {
          quote = FindByte(bytes, window->begin, end, '"');
        }
        if (quote < at) at = end;
      }
      if (at == end) at = FindEnd(window);
      if (at == end) break;
      if (!AddLine(window, at, fill, fault)) return;
    }
    window->seen = window->left();
  }

 private:
  /// Position in the current field: at its start; in an unquoted field, or
  /// after the closing quote; between quotes; after a quote that may be the
  /// closing one.
  enum Inside : uint8_t { kStart, kPlain, kQuoted, kQuote };

  /// Position of the LF that ends the current record, or the end.
  size_t FindEnd(Window* window) const {
    const uint8_t* const bytes = window->slab;
    const size_t end = window->end;
    auto inside = static_cast<Inside>(window->inside);
    size_t at = window->begin + window->seen;
    for (; at < end; ++at) {
      if (inside == kQuoted) {
        at = FindByte(bytes, at, end, '"');
        if (at == end) break;
        inside = kQuote;
        continue;
      }
      const uint8_t byte = bytes[at];
      if (byte == '\n') break;
      if (byte == delimiter_) {
        inside = kStart;
      } else if (byte == '"') {
        // A quote inside an unquoted field makes only this record faulty.
        if (inside != kPlain) inside = kQuoted;
      } else if (byte != '\r' || inside != kStart) {
        inside = kPlain;
      }
    }
    window->inside = inside;
    return at;
  }

  const uint8_t delimiter_;
};

}  // namespace

std::unique_ptr<Framer> NewLineFramer(uint64_t max_record_bytes) {
  return std::make_unique<LineFramer>(max_record_bytes);
}

std::unique_ptr<Framer> NewCsvFramer(uint8_t delimiter,
                                     uint64_t max_record_bytes) {
  return std::make_unique<CsvFramer>(delimiter, max_record_bytes);
}

}  // namespace tfr
