#ifndef TFR_CORE_RECORD_FRAMER_H_
#define TFR_CORE_RECORD_FRAMER_H_

#include <cstddef>
#include <cstdint>

#include "core/base/buffers.h"
#include "core/base/cancel.h"
#include "core/base/fault.h"
#include "core/content/content_stream.h"
#include "core/record/slab_fill.h"

namespace tfr {

/// What is in a slab: whole frames up to `begin`, then bytes not framed yet up
/// to `end`.
struct Window {
  uint8_t* slab = nullptr;
  size_t size = 0;
  size_t begin = 0;
  size_t end = 0;
  /// The framer's own: bytes from `begin` on that hold no end of a record, and
  /// what they end inside of.
  size_t seen = 0;
  uint8_t inside = 0;

  size_t left() const { return end - begin; }
};

/// A place in a stream, and the number of the record that begins there, or
/// behind it.
struct StreamPlace {
  uint64_t offset;
  uint64_t record;
};

/// Why framing stopped at `Window::begin`.
struct Found {
  /// Bytes that must follow there to frame a record; 0 as long as nobody knows.
  uint64_t need = 0;
  /// What is wrong with it; none where it is merely not whole. Behind
  /// kRecordTooLarge `need` is right, so the record can be passed over, or 0.
  Fault fault;
  /// With so many bytes in the window the fault may be another one.
  size_t look = 0;
};

/// Finds the records in the bytes of one stream. One thread at a time; beside
/// it, `Complete` on any.
class Framer {
 public:
  virtual ~Framer() = default;

  /// Adds the records that are whole to `fill->frames`, and moves
  /// `window->begin` behind them. `last`: no bytes follow those in the window.
  virtual Found Find(Window* window, bool last, SlabFill* fill) const = 0;

  /// What is wrong with a stream that ends `have` bytes behind `place`, where
  /// `need` were needed. A fault without an offset is at `place`.
  virtual Fault AtEnd(const StreamPlace& place, uint64_t have,
                      uint64_t need) const = 0;

  /// Frames large records at `position` of plain content without reading their
  /// data, as far as they are right, allowed, whole, and within `limit` bytes.
  /// Returns the bytes that they span: `Complete` reads them.
  virtual size_t Walk(const ContentStream& /*content*/, uint64_t /*position*/,
                      uint64_t /*limit*/,
                      TypedBuffer<Frame>* /*frames*/) const {
    return 0;
  }

  /// Judges the frames from number `from` on, which may have been inflated
  /// wrongly beyond `proven` bytes of the stream. True if one was: behind it
  /// nothing is framed. (Or `fill->halt`, before it.)
  virtual bool Doubts(size_t /*from*/, uint64_t /*proven*/, Window* /*window*/,
                      SlabFill* /*fill*/) const {
    return false;
  }

  /// Sees the bytes, from number `at` on, of a record of `need` that is passed
  /// over. False with the last of them if they are wrong.
  virtual bool Pass(uint64_t /*need*/, uint64_t /*at*/,
                    const uint8_t* /*bytes*/, size_t /*size*/) {
    return true;
  }

  /// Second step of a fill. Adds `fill->faults`, unless the data was `judged`
  /// before; turns the fill into a halt when its bytes cannot be read.
  virtual void Complete(const ContentStream& /*content*/, uint8_t* /*slab*/,
                        bool /*judged*/, const CancelToken& /*cancel*/,
                        SlabFill* /*fill*/) const {}
};

}  // namespace tfr

#endif  // TFR_CORE_RECORD_FRAMER_H_
