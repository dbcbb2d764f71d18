// Reads any bytes as gzip members or zlib streams, in pieces and whole, with
// every streaming inflater.

#include <algorithm>
#include <cstring>

#include "core/compression/container_inflater.h"
#include "core/compression/gzip_member.h"
#include "core/deflate/implementations.h"
#include "fuzz_input.h"

namespace {

using tfr::Compression;
using tfr::ContainerInflater;
using tfr::Fault;
using tfr::FaultCode;
using tfr::fuzz::Bytes;
using tfr::fuzz::Input;

constexpr size_t kMost = 1 << 18;

struct Outcome {
  Bytes out;
  Fault fault;
  bool whole = true;
};

Outcome Run(Compression kind, std::unique_ptr<tfr::StreamInflater> inflater,
            const Bytes& in, size_t in_piece, size_t out_piece) {
  Outcome outcome;
  ContainerInflater container(kind, std::move(inflater));
  Bytes room(out_piece);
  size_t at = 0;
  for (;;) {
    const size_t size = std::min(in_piece, in.size() - at);
    const Bytes piece(in.begin() + at, in.begin() + at + size);
    const auto step = container.Inflate(piece.data(), size, room.data(),
                                        out_piece, &outcome.fault);
    FUZZ_CHECK(step.consumed <= size && step.produced <= out_piece);
    outcome.out.insert(outcome.out.end(), room.begin(),
                       room.begin() + step.produced);
    at += step.consumed;
    FUZZ_CHECK(container.consumed() == at);
    if (outcome.fault) {
      FUZZ_CHECK(outcome.fault.compressed_offset <= at);
      return outcome;
    }
    if (outcome.out.size() > kMost) {
      outcome.whole = false;
      return outcome;
    }
    if (step.produced == out_piece) continue;
    FUZZ_CHECK(step.consumed == size);
    if (at == in.size()) {
      outcome.fault = container.Finish();
      return outcome;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  const Compression kind =
      input.Byte() % 2 == 0 ? Compression::kGzip : Compression::kZlib;
  const size_t in_piece = input.Piece();
  const size_t out_piece = input.Piece();
  const Bytes in = input.Rest();

  const Outcome zlib =
      Run(kind, tfr::NewZlibInflater(), in, size_t{1} << 30, 1 << 16);
  for (auto* make : {&tfr::NewZlibInflater, &tfr::NewIsalInflater}) {
    if (make() == nullptr) continue;
    const Outcome whole = Run(kind, make(), in, size_t{1} << 30, 1 << 16);
    const Outcome pieces = Run(kind, make(), in, in_piece, out_piece);
    if (!whole.whole || !pieces.whole) continue;
    FUZZ_CHECK(whole.fault.code == pieces.fault.code);
    FUZZ_CHECK(std::strcmp(whole.fault.part, pieces.fault.part) == 0);
    FUZZ_CHECK(whole.out == pieces.out);
    if (zlib.whole && !zlib.fault) {
      FUZZ_CHECK(!whole.fault);
      FUZZ_CHECK(whole.out == zlib.out);
    }
  }

  tfr::GzipMemberInfo info;
  if (tfr::ReadGzipMemberInfo(in.data(), in.size(), &info)) {
    FUZZ_CHECK(tfr::LooksLikeGzip(in.data(), in.size()));
    FUZZ_CHECK(info.header_size < info.member_size);
  }
  tfr::LooksLikeZlib(in.data(), in.size());
  return 0;
}
