#include "core/record/reader_spec.h"

#include <utility>

#include "core/record/framing/line_framers.h"
#include "core/record/framing/tfrecord_framer.h"

namespace tfr {
namespace {

/// Offsets in a slab, which holds the framing, too, have 32 bits.
constexpr double kMostRecordBytes = 0xffffffffu - 16.0;
/// JavaScript's numbers are exact up to here.
constexpr double kMostExact = 9007199254740991.0;

/// Sets `*to` to a whole number from 0 to `most`. False: `number` is not one.
template <class T>
bool Whole(double number, double most, T* to) {
  // Negated, so that NaN is refused.
  if (!(number >= 0 && number <= most)) return false;
  *to = static_cast<T>(number);
  return static_cast<double>(*to) == number;
}

template <class E>
bool OneOf(double number, E last, E* to) {
  uint8_t value = 0;
  if (!Whole(number, static_cast<double>(last), &value)) return false;
  *to = static_cast<E>(value);
  return true;
}

bool DecodeFraming(const double* numbers, Framing* framing) {
  if (!OneOf(numbers[0], FramingKind::kFixed, &framing->kind)) return false;
  switch (framing->kind) {
    case FramingKind::kRecords:
    case FramingKind::kLines:
      return true;
    case FramingKind::kCsv:
      return Whole(numbers[1], 255, &framing->delimiter);
    case FramingKind::kFixed: {
      FixedLayout& layout = framing->layout;
      return Whole(numbers[1], kMostExact, &layout.record_bytes) &&
             Whole(numbers[2], kMostExact, &layout.header_bytes) &&
             Whole(numbers[3], kMostExact, &layout.footer_bytes) &&
             Whole(numbers[4], kMostExact, &layout.hop_bytes) &&
             layout.record_bytes > 0 && layout.hop_bytes > 0;
    }
  }
  return false;
}

}  // namespace

bool Decode(const ReaderSpecNumbers& numbers, ReaderSpec* spec) {
  *spec = ReaderSpec();
  if (numbers.members_ahead == 0) spec->ahead.most_content = 0;
  spec->continues = numbers.continues != 0;
  spec->counts_lost = numbers.counts_lost != 0;
  spec->salvages = numbers.salvages != 0;
  spec->start.checked = numbers.start_checked != 0;
  return OneOf(numbers.compression, Compression::kAuto, &spec->compression) &&
         OneOf(numbers.verify, Verify::kCounted, &spec->verify) &&
         Whole(numbers.max_record_bytes, kMostRecordBytes,
               &spec->max_record_bytes) &&
         Whole(numbers.start_record, kMostExact, &spec->start.record) &&
         Whole(numbers.start_offset, kMostExact, &spec->start.offset) &&
         DecodeFraming(numbers.framing, &spec->framing);
}

ReadOptions ReadOptionsOf(const ReaderSpec& spec) {
  ReadOptions options;
  options.compression = spec.compression;
  options.verify = spec.verify;
  options.max_record_bytes = spec.max_record_bytes;
  options.ahead = spec.ahead;
  options.start = spec.start;
  options.continues = spec.continues;
  options.one_stream = spec.index != nullptr;
  options.counts_lost = spec.counts_lost;
  options.index = spec.index;
  options.salvages =
      spec.salvages && spec.framing.kind == FramingKind::kRecords;
  if (spec.ahead.most_content > 0 || options.salvages) {
    options.checkpoints = spec.checkpoints;
  }
  if (spec.framing.kind != FramingKind::kRecords) {
    options.content = ContentRule::kBytes;
    // Only plain files begin at an offset; any bytes may be there, even those
    // with which compressed data begins.
    if (spec.start.offset > 0 && !spec.start.from) {
      options.compression = Compression::kNone;
    }
  }
  return options;
}

std::unique_ptr<Framer> NewFramer(const ReaderSpec& spec) {
  const Framing& framing = spec.framing;
  switch (framing.kind) {
    case FramingKind::kLines:
      return NewLineFramer(spec.max_record_bytes);
    case FramingKind::kCsv:
      return NewCsvFramer(framing.delimiter, spec.max_record_bytes);
    case FramingKind::kFixed:
      return NewFixedFramer(framing.layout,
                            {spec.start.offset, spec.start.record});
    case FramingKind::kRecords:
      break;
  }
  return NewTfrecordFramer(ReadOptionsOf(spec));
}

std::shared_ptr<SlabReader> NewSlabReader(
    std::unique_ptr<ByteSource> source, const ReaderSpec& spec,
    std::shared_ptr<const CancelToken::Flag> closing) {
  return std::make_shared<SlabReader>(std::move(source), NewFramer(spec),
                                      ReadOptionsOf(spec), std::move(closing));
}

}  // namespace tfr
