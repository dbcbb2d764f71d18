#ifndef TFR_CORE_RECORD_FRAMING_FRAMER_H_
#define TFR_CORE_RECORD_FRAMING_FRAMER_H_

#include <cstddef>
#include <cstdint>

#include "core/base/buffers.h"
#include "core/base/cancel.h"
#include "core/base/fault.h"
#include "core/content/content_stream.h"
#include "core/record/slab_fill.h"

namespace tfr {

/// Content of a slab: whole frames up to `begin`, then unframed bytes up to
/// `end`.
struct Window {
  uint8_t* slab = nullptr;
  size_t size = 0;
  size_t begin = 0;
  size_t end = 0;
  /// State of the framer: the number of bytes from `begin` on that contain no
  /// end of a record, and its parsing state after them.
  size_t seen = 0;
  uint8_t inside = 0;

  size_t left() const { return end - begin; }
};

/// A position in a stream, and the number of the record that begins at or after
/// it.
struct StreamPlace {
  uint64_t offset;
  uint64_t record;
};

/// The reason why framing stopped at `Window::begin`.
struct Found {
  /// Bytes needed from there on to frame a record; 0 if unknown.
  uint64_t need = 0;
  /// The fault there; none if the record is only incomplete. With
  /// kRecordTooLarge, `need` is the record's size, so that it can be skipped,
  /// or 0 if it cannot.
  Fault fault;
  /// If not 0: with this many bytes in the window, the fault may be more
  /// specific.
  size_t look = 0;
};

/// Finds the records in the bytes of one stream. Used by one thread at a time;
/// `Complete` may run concurrently on any thread.
class Framer {
 public:
  virtual ~Framer() = default;

  /// Adds the whole records to `fill->frames`, and moves `window->begin` past
  /// them. `last`: the stream ends with the window.
  virtual Found Find(Window* window, bool last, SlabFill* fill) const = 0;

  /// Returns the fault of a stream that ends `have` bytes after `place`, where
  /// `need` bytes were needed. A fault without an offset is at `place`.
  virtual Fault AtEnd(const StreamPlace& place, uint64_t have,
                      uint64_t need) const = 0;

  /// Frames large records at `position` of plain content without reading their
  /// data, as long as they are valid, allowed, whole, and within `limit` bytes.
  /// Returns the number of bytes that they span; `Complete` reads them.
  virtual size_t Walk(const ContentStream& /*content*/, uint64_t /*position*/,
                      uint64_t /*limit*/,
                      TypedBuffer<Frame>* /*frames*/) const {
    return 0;
  }

  /// Checks the frames from index `from` on, which may be wrongly inflated
  /// beyond `proven` bytes of the stream. Returns true if one is faulty;
  /// framing then stops after it (or, with `fill->halt` set, before it).
  virtual bool Doubts(size_t /*from*/, uint64_t /*proven*/, Window* /*window*/,
                      SlabFill* /*fill*/) const {
    return false;
  }

  /// Checks the frames from index `from` on. Drops the first faulty one and
  /// those after it, moves the window back to it, and returns its fault and its
  /// size.
  virtual Found Judge(size_t /*from*/, Window* /*window*/,
                      SlabFill* /*fill*/) const {
    return {};
  }

  /// Receives bytes of a record of `need` bytes that is being skipped; `at` is
  /// their offset in the record. Returns false with the last of them if the
  /// record is faulty.
  virtual bool Skip(uint64_t /*need*/, uint64_t /*at*/,
                    const uint8_t* /*bytes*/, size_t /*size*/) {
    return true;
  }

  /// Second step of a fill. Adds `fill->faults`, unless the data was already
  /// `judged`. Turns the fill into a halt if its bytes cannot be read.
  virtual void Complete(const ContentStream& /*content*/, uint8_t* /*slab*/,
                        bool /*judged*/, const CancelToken& /*cancel*/,
                        SlabFill* /*fill*/) const {}
};

}  // namespace tfr

#endif  // TFR_CORE_RECORD_FRAMING_FRAMER_H_
