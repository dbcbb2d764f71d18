#ifndef TFR_CORE_RECORD_INDEX_SINK_H_
#define TFR_CORE_RECORD_INDEX_SINK_H_

#include "core/content/checkpoint.h"
#include "core/record/slab_fill.h"

namespace tfr {

/// Receives the places of the records that a reader finds, and checkpoints. May
/// throw std::bad_alloc.
class IndexSink : public CheckpointSink {
 public:
  /// Adds the records of the next slab. Called in order, by the thread that
  /// fills the slabs.
  virtual void Note(const SlabFill& fill) = 0;

 protected:
  ~IndexSink() = default;
};

}  // namespace tfr

#endif  // TFR_CORE_RECORD_INDEX_SINK_H_
