// Inflates raw deflate data with every inflater, in pieces and whole. Each must
// fulfil its contract, and accept what zlib accepts, with the same bytes.

#include <algorithm>

#include "core/deflate/implementations.h"
#include "fuzz_input.h"

namespace {

using tfr::InflateStatus;
using tfr::InflateStep;
using tfr::StreamInflater;
using tfr::fuzz::Bytes;
using tfr::fuzz::Input;

constexpr size_t kMost = 1 << 18;

struct Outcome {
  Bytes out;
  size_t consumed = 0;
  InflateStatus status = InflateStatus::kMore;
};

Outcome Run(StreamInflater* inflater, const Bytes& in, size_t in_piece,
            size_t out_piece) {
  Outcome outcome;
  inflater->Reset();
  Bytes room(out_piece);
  for (;;) {
    const size_t size = std::min(in_piece, in.size() - outcome.consumed);
    const Bytes piece(in.begin() + outcome.consumed,
                      in.begin() + outcome.consumed + size);
    const InflateStep step =
        inflater->Inflate(piece.data(), size, room.data(), out_piece);
    FUZZ_CHECK(step.consumed <= size && step.produced <= out_piece);
    outcome.out.insert(outcome.out.end(), room.begin(),
                       room.begin() + step.produced);
    outcome.consumed += step.consumed;
    outcome.status = step.status;
    if (step.status != InflateStatus::kMore) return outcome;
    if (outcome.out.size() > kMost) return outcome;
    if (step.produced == out_piece) continue;
    FUZZ_CHECK(step.consumed == size);
    if (outcome.consumed == in.size()) return outcome;
  }
}

void CheckAgainst(const Outcome& oracle, const Outcome& other) {
  const size_t both = std::min(oracle.out.size(), other.out.size());
  FUZZ_CHECK(std::equal(oracle.out.begin(), oracle.out.begin() + both,
                        other.out.begin()));
  if (oracle.out.size() > kMost || oracle.status != InflateStatus::kEnd) return;
  FUZZ_CHECK(other.status == InflateStatus::kEnd);
  FUZZ_CHECK(other.out == oracle.out);
  FUZZ_CHECK(other.consumed == oracle.consumed);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static StreamInflater* const zlib = tfr::NewZlibInflater().release();
  static StreamInflater* const isal = tfr::NewIsalInflater().release();
  static tfr::BlockInflater* const blocks[] = {
      tfr::NewZlibBlockInflater().release(),
      tfr::NewLibdeflateBlockInflater().release()};

  Input input(data, size);
  const size_t in_piece = input.Piece();
  const size_t out_piece = input.Piece();
  const Bytes in = input.Rest();

  const Outcome oracle = Run(zlib, in, size_t{1} << 30, 1 << 16);
  const Outcome pieces = Run(zlib, in, in_piece, out_piece);
  CheckAgainst(oracle, pieces);
  CheckAgainst(pieces, oracle);
  if (isal != nullptr) {
    CheckAgainst(oracle, Run(isal, in, size_t{1} << 30, 1 << 16));
    CheckAgainst(oracle, Run(isal, in, in_piece, out_piece));
  }
  for (tfr::BlockInflater* block : blocks) {
    if (block == nullptr || oracle.out.size() > kMost) continue;
    Bytes out(oracle.out.size() + 1);
    if (oracle.status == InflateStatus::kEnd) {
      FUZZ_CHECK(block->Inflate(in.data(), oracle.consumed, out.data(),
                                oracle.out.size()));
      FUZZ_CHECK(std::equal(oracle.out.begin(), oracle.out.end(), out.begin()));
    }
    block->Inflate(in.data(), in.size(), out.data(), out.size());
  }
  return 0;
}
