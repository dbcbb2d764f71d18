#include "core/record/line_framers.h"

#include <algorithm>
#include <cstring>

namespace tfr {
namespace {

constexpr uint8_t kMark[] = {0xef, 0xbb, 0xbf};

/// The place of `byte` from `from` on, or `end`.
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
    if (at_start && !PassMark(window, last)) return Found();
    Found found;
    FindLines(window, fill, &found.fault);
    const size_t left = window->left();
    if (found.fault || left == 0) return found;
    if (last) {
      Add(window, window->end, window->end, fill, &found.fault);
    } else if (left > max_ + 1) {
      // More than a CR too much.
      found.fault = TooLong(left);
    }
    return found;
  }

  /// All bytes are in records.
  Fault AtEnd(const StreamPlace&, uint64_t, uint64_t) const final {
    return Fault();
  }

 protected:
  /// Adds the records whose ends are in the window; all other bytes are `seen`.
  virtual void FindLines(Window* window, SlabFill* fill,
                         Fault* fault) const = 0;

  /// Adds the record up to `end`, behind which the next one begins at `next`.
  /// False with a fault.
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

  /// Adds the record that LF at `at` ends.
  bool AddLine(Window* window, size_t at, SlabFill* fill, Fault* fault) const {
    const bool cr = at > window->begin && window->slab[at - 1] == '\r';
    return Add(window, cr ? at - 1 : at, at + 1, fill, fault);
  }

 private:
  /// False if more bytes must tell whether the stream begins with a mark.
  static bool PassMark(Window* window, bool last) {
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
    /// The first quote from the record in hand on, once it was looked for.
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
  /// Where the bytes so far end: at the start of a field; in one without
  /// quotes, or behind the end of one with; between quotes; behind a quote that
  /// may end them.
  enum Inside : uint8_t { kStart, kPlain, kQuoted, kQuote };

  /// The place of the LF that ends the record in hand, or the end.
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
        // One inside a field without quotes is a fault, of that record only.
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
