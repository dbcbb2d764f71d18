#include "core/compression/container_inflater.h"

#include <new>

#include "core/base/endian.h"
#include "core/compression/checksum.h"
#include "core/compression/gzip_header.h"
#include "core/compression/zlib_format.h"

namespace tfr {
namespace {

constexpr size_t kGzipTrailer = 8;
constexpr size_t kZlibTrailer = 4;

uint32_t LoadBE32(const uint8_t* p) {
  return uint32_t{p[0]} << 24 | uint32_t{p[1]} << 16 | uint32_t{p[2]} << 8 |
         uint32_t{p[3]};
}

}  // namespace

struct ContainerInflater::State {
  enum class Phase : uint8_t { kHeader, kBody, kTrailer };

  State(Compression the_kind, bool the_pauses)
      : kind(the_kind), pauses(the_pauses) {}

  /// Each handles one phase with the input and room that `step` leaves. Returns
  /// false when the call can make no more progress.
  bool Header(const uint8_t* in, size_t in_size, Step* step);
  template <typename Parser>
  bool HeaderWith(Parser* parser, const uint8_t* in, size_t in_size,
                  Step* step);
  bool Body(const uint8_t* in, size_t in_size, uint8_t* out, size_t out_size,
            Step* step);
  bool Trailer(const uint8_t* in, size_t in_size, Step* step);
  void CheckTrailer();

  bool BetweenMembers() const {
    return phase == Phase::kHeader &&
           (kind == Compression::kGzip ? gzip_header.at_start()
                                       : zlib_header.at_start());
  }

  void Fail(FaultCode code, const char* part, uint64_t at, uint64_t expected,
            uint64_t found) {
    fault.code = code;
    fault.part = part;
    fault.compressed_offset = at;
    fault.expected = expected;
    fault.found = found;
  }

  const Compression kind;
  const bool pauses;
  std::unique_ptr<StreamInflater> inflater;
  Phase phase = Phase::kHeader;
  GzipHeaderParser gzip_header;
  ZlibHeaderParser zlib_header;
  uint64_t consumed = 0;
  /// Start of the current member, or of bytes that should be one.
  uint64_t member_start = 0;
  /// CRC-32 or Adler-32, and size, of the member's output so far.
  uint32_t checksum = 0;
  uint64_t size = 0;
  /// Output bytes of members that were verified.
  uint64_t proven = 0;
  uint8_t trailer[kGzipTrailer] = {};
  size_t trailer_size = 0;
  bool notes_trailer = false;
  PartTrailer part_trailer;
  Fault fault;
};

bool ContainerInflater::State::Header(const uint8_t* in, size_t in_size,
                                      Step* step) {
  return kind == Compression::kGzip
             ? HeaderWith(&gzip_header, in, in_size, step)
             : HeaderWith(&zlib_header, in, in_size, step);
}

template <typename Parser>
bool ContainerInflater::State::HeaderWith(Parser* parser, const uint8_t* in,
                                          size_t in_size, Step* step) {
  size_t read = 0;
  const HeaderStatus status =
      parser->Parse(in + step->consumed, in_size - step->consumed, &read);
  step->consumed += read;
  consumed += read;
  switch (status) {
    case HeaderStatus::kMore:
      return false;
    case HeaderStatus::kForeign:
      Fail(member_start == 0 ? FaultCode::kCompression
                             : FaultCode::kTrailingData,
           parser->part(), member_start, parser->expected(), parser->found());
      return false;
    case HeaderStatus::kBad:
      Fail(FaultCode::kCompression, parser->part(), member_start,
           parser->expected(), parser->found());
      return false;
    case HeaderStatus::kDone:
      break;
  }
  inflater->Reset();
  checksum = kind == Compression::kGzip ? 0 : 1;
  size = 0;
  phase = Phase::kBody;
  return true;
}

bool ContainerInflater::State::Body(const uint8_t* in, size_t in_size,
                                    uint8_t* out, size_t out_size, Step* step) {
  const size_t room = out_size - step->produced;
  // Avoids arithmetic on a null pointer, which an empty buffer may have.
  uint8_t* const to = room > 0 ? out + step->produced : out;
  const size_t left = in_size - step->consumed;
  const InflateStep inflated =
      inflater->Inflate(left > 0 ? in + step->consumed : in, left, to, room);
  step->consumed += inflated.consumed;
  step->produced += inflated.produced;
  consumed += inflated.consumed;
  size += inflated.produced;
  checksum = kind == Compression::kGzip
                 ? Crc32(checksum, to, inflated.produced)
                 : Adler32(checksum, to, inflated.produced);
  switch (inflated.status) {
    case InflateStatus::kEnd:
      trailer_size = 0;
      phase = Phase::kTrailer;
      return true;
    case InflateStatus::kError:
      Fail(FaultCode::kCompression, "deflate data", consumed, 0, 0);
      return false;
    case InflateStatus::kPoint:
      return false;
    case InflateStatus::kMore:
      break;
  }
  if (step->consumed == in_size || step->produced == out_size) return false;
  if (inflated.consumed > 0 || inflated.produced > 0) return true;
  // The inflater broke its contract. Failing prevents an endless loop.
  Fail(FaultCode::kCompression, "deflate data", consumed, 0, 0);
  return false;
}

bool ContainerInflater::State::Trailer(const uint8_t* in, size_t in_size,
                                       Step* step) {
  const size_t whole = kind == Compression::kGzip ? kGzipTrailer : kZlibTrailer;
  while (trailer_size < whole && step->consumed < in_size) {
    trailer[trailer_size++] = in[step->consumed++];
    ++consumed;
  }
  if (trailer_size < whole) return false;
  CheckTrailer();
  if (fault) {
    fault.trailer_end = consumed;
    return false;
  }
  proven += size;
  gzip_header.Reset();
  zlib_header.Reset();
  member_start = consumed;
  phase = Phase::kHeader;
  return !pauses;
}

void ContainerInflater::State::CheckTrailer() {
  if (kind == Compression::kZlib) {
    const uint32_t adler = LoadBE32(trailer);
    if (adler != checksum) {
      Fail(FaultCode::kCompression, "zlib trailer Adler-32",
           consumed - kZlibTrailer, checksum, adler);
    }
    return;
  }
  const uint32_t crc = LoadLE32(trailer);
  const uint32_t isize = LoadLE32(trailer + 4);
  if (notes_trailer) {
    notes_trailer = false;
    part_trailer = {true, checksum, size, crc, isize};
    return;
  }
  const uint32_t size_modulo = static_cast<uint32_t>(size);
  if (crc != checksum) {
    Fail(FaultCode::kCompression, "gzip trailer CRC32", consumed - kGzipTrailer,
         checksum, crc);
  } else if (isize != size_modulo) {
    Fail(FaultCode::kCompression, "gzip trailer ISIZE", consumed - 4,
         size_modulo, isize);
  }
}

ContainerInflater::ContainerInflater(Compression kind,
                                     std::unique_ptr<StreamInflater> inflater,
                                     bool pauses)
    : state_(new(std::nothrow) State(kind, pauses)) {
  if (state_ == nullptr) return;
  state_->inflater = std::move(inflater);
  if (state_->inflater == nullptr) {
    state_->fault = MemoryFault();
  }
}

ContainerInflater::~ContainerInflater() = default;

ContainerInflater::Step ContainerInflater::Inflate(const uint8_t* in,
                                                   size_t in_size, uint8_t* out,
                                                   size_t out_size,
                                                   Fault* fault) {
  Step step;
  if (state_ == nullptr) {
    *fault = MemoryFault();
    return step;
  }
  bool more = !state_->fault;
  while (more) {
    switch (state_->phase) {
      case State::Phase::kHeader:
        more = step.consumed < in_size && state_->Header(in, in_size, &step);
        break;
      case State::Phase::kBody:
        more = state_->Body(in, in_size, out, out_size, &step);
        break;
      case State::Phase::kTrailer:
        more = step.consumed < in_size && state_->Trailer(in, in_size, &step);
        break;
    }
  }
  if (state_->fault) *fault = state_->fault;
  return step;
}

Fault ContainerInflater::Finish() const {
  if (state_ == nullptr) return MemoryFault();
  if (state_->fault) return state_->fault;
  Fault fault;
  if (state_->BetweenMembers()) return fault;
  const bool gzip = state_->kind == Compression::kGzip;
  fault.code = FaultCode::kTruncated;
  fault.compressed_offset = state_->consumed;
  switch (state_->phase) {
    case State::Phase::kHeader:
      fault.part = gzip ? "gzip header" : "zlib header";
      break;
    case State::Phase::kBody:
      fault.part = "deflate data";
      break;
    case State::Phase::kTrailer:
      fault.part = gzip ? "gzip trailer" : "zlib trailer";
      break;
  }
  return fault;
}

bool ContainerInflater::BetweenMembers() const {
  return state_ != nullptr && !state_->fault && state_->BetweenMembers();
}

void ContainerInflater::Skip(uint64_t size, uint64_t content_size) {
  state_->proven += content_size;
  state_->consumed += size;
  state_->member_start = state_->consumed;
}

SaveResult ContainerInflater::Save(Point* point, ByteBuffer* state) {
  if (state_ == nullptr) return SaveResult::kNoMemory;
  if (state_->fault) return SaveResult::kLater;
  point->between_members = state_->BetweenMembers();
  size_t unread = 0;
  if (point->between_members) {
    state->Resize(0);
  } else {
    if (state_->phase != State::Phase::kBody) return SaveResult::kLater;
    const SaveResult result = state_->inflater->Save(state, &unread);
    if (result != SaveResult::kSaved) return result;
  }
  point->consumed = state_->consumed - unread;
  point->produced = produced();
  point->proven = state_->proven;
  point->member_start = state_->member_start;
  point->checksum = state_->checksum;
  return SaveResult::kSaved;
}

bool ContainerInflater::Restore(const Point& point, const uint8_t* state,
                                size_t size) {
  if (state_ == nullptr || state_->inflater == nullptr) return false;
  MoveTo(point);
  return point.between_members || state_->inflater->Restore(state, size);
}

void ContainerInflater::MoveTo(const Point& point) {
  state_->consumed = point.consumed;
  state_->proven = point.proven;
  state_->member_start = point.member_start;
  state_->checksum = point.checksum;
  state_->size = point.produced - point.proven;
  state_->phase =
      point.between_members ? State::Phase::kHeader : State::Phase::kBody;
  state_->gzip_header.Reset();
  state_->zlib_header.Reset();
  state_->notes_trailer = false;
  state_->part_trailer = PartTrailer();
}

void ContainerInflater::NotePartTrailer() { state_->notes_trailer = true; }

const ContainerInflater::PartTrailer& ContainerInflater::part_trailer() const {
  return state_->part_trailer;
}

uint64_t ContainerInflater::produced() const {
  if (state_ == nullptr) return 0;
  const bool in_member = state_->phase != State::Phase::kHeader;
  return state_->proven + (in_member ? state_->size : 0);
}

uint64_t ContainerInflater::proven() const {
  return state_ == nullptr ? 0 : state_->proven;
}

uint64_t ContainerInflater::consumed() const {
  return state_ == nullptr ? 0 : state_->consumed;
}

bool ContainerInflater::IsAt(const Point& point) const {
  return state_ != nullptr && state_->phase != State::Phase::kHeader &&
         produced() == point.produced && state_->proven == point.proven &&
         state_->checksum == point.checksum;
}

bool LooksLikeGzip(const uint8_t* data, size_t size) {
  return size >= 3 && data[0] == 0x1f && data[1] == 0x8b && data[2] == 8;
}

bool LooksNearlyLikeGzip(const uint8_t* data, size_t size) {
  constexpr size_t kFixedSize = 10;
  constexpr uint8_t kReservedFlags = 0xe0;
  constexpr uint8_t kMostLevelFlag = 4;
  constexpr uint8_t kMostSystem = 13;
  constexpr uint8_t kUnknownSystem = 255;
  if (size < kFixedSize) return false;
  const int wrong = (data[0] != 0x1f) + (data[1] != 0x8b) + (data[2] != 8);
  return wrong <= 1 && (data[3] & kReservedFlags) == 0 &&
         data[8] <= kMostLevelFlag && data[8] % 2 == 0 &&
         (data[9] <= kMostSystem || data[9] == kUnknownSystem);
}

bool LooksLikeZlib(const uint8_t* data, size_t size) {
  ZlibHeaderParser parser;
  size_t consumed = 0;
  return parser.Parse(data, size, &consumed) == HeaderStatus::kDone;
}

}  // namespace tfr
