// Deflates any data with every block and streaming deflater and inflates it
// again; also as gzip members at any file offset.

#include <algorithm>

#include "core/compression/container_inflater.h"
#include "core/compression/gzip_member.h"
#include "core/deflate/implementations.h"
#include "fuzz_input.h"

namespace {

using tfr::BlockDeflater;
using tfr::DeflateFlush;
using tfr::fuzz::Bytes;
using tfr::fuzz::Input;

void CheckInflates(const Bytes& deflated, const Bytes& data) {
  static tfr::BlockInflater* const zlib = tfr::NewZlibBlockInflater().release();
  Bytes out(data.size());
  FUZZ_CHECK(
      zlib->Inflate(deflated.data(), deflated.size(), out.data(), out.size()));
  FUZZ_CHECK(out == data);
}

void CheckBlock(BlockDeflater* deflater, const Bytes& data, size_t room) {
  Bytes out(deflater->Bound(data.size()));
  out.resize(
      deflater->Deflate(data.data(), data.size(), out.data(), out.size()));
  FUZZ_CHECK(!out.empty());
  CheckInflates(out, data);
  Bytes scarce(std::min(room, out.size()));
  scarce.resize(deflater->Deflate(data.data(), data.size(), scarce.data(),
                                  scarce.size()));
  if (!scarce.empty()) CheckInflates(scarce, data);
}

void CheckParts(BlockDeflater* deflater, const Bytes& data, size_t in_piece) {
  // Limits the number of parts, for speed.
  const size_t piece = std::max(in_piece, data.size() / 20 + 1);
  Bytes all;
  size_t at = 0;
  for (; data.size() - at > piece; at += piece) {
    Bytes part(deflater->Bound(piece));
    const size_t size = deflater->DeflatePart(data.data() + at, piece,
                                              part.data(), part.size());
    FUZZ_CHECK(size > 0);
    all.insert(all.end(), part.begin(), part.begin() + size);
  }
  Bytes last(deflater->Bound(data.size() - at));
  const size_t size = deflater->Deflate(data.data() + at, data.size() - at,
                                        last.data(), last.size());
  FUZZ_CHECK(size > 0);
  all.insert(all.end(), last.begin(), last.begin() + size);
  CheckInflates(all, data);
}

void CheckStream(int level, const Bytes& data, size_t in_piece,
                 size_t out_piece, DeflateFlush between) {
  const auto deflater = tfr::NewZlibDeflater(level);
  Bytes all;
  Bytes room(out_piece);
  size_t at = 0;
  for (;;) {
    const size_t size = std::min(in_piece, data.size() - at);
    const bool last = at + size == data.size();
    const auto step =
        deflater->Deflate(data.data() + at, size, room.data(), out_piece,
                          last ? DeflateFlush::kEnd : between);
    FUZZ_CHECK(step.consumed <= size && step.produced <= out_piece);
    all.insert(all.end(), room.begin(), room.begin() + step.produced);
    at += step.consumed;
    if (last && step.done) break;
    FUZZ_CHECK(step.done || step.produced > 0 || step.consumed > 0);
  }
  FUZZ_CHECK(at == data.size());
  CheckInflates(all, data);
}

void CheckMember(BlockDeflater* deflater, const Bytes& data, size_t near_end) {
  tfr::GzipMember member;
  FUZZ_CHECK(!member.Deflate(deflater, data.data(), data.size(), 1,
                             tfr::CancelToken()));
  const uint64_t bare = member.Finish(0).size;
  const uint64_t boundary = (bare / 262144 + 2) * 262144;
  const uint64_t offset = boundary - bare - 16 + near_end % 32;
  const auto bytes = member.Finish(offset);
  const uint64_t past = (offset + bytes.size) % 262144;
  FUZZ_CHECK(past < 1 || past > 8);
  FUZZ_CHECK(bytes.size <= bare + tfr::kMaxGzipMemberPadding);
  tfr::GzipMemberInfo info;
  FUZZ_CHECK(tfr::ReadGzipMemberInfo(bytes.data, bytes.size, &info));
  FUZZ_CHECK(info.member_size == bytes.size);
  tfr::ContainerInflater inflater(tfr::Compression::kGzip,
                                  tfr::NewZlibInflater());
  Bytes out(data.size() + 1);
  tfr::Fault fault;
  const auto step =
      inflater.Inflate(bytes.data, bytes.size, out.data(), out.size(), &fault);
  FUZZ_CHECK(!fault && !inflater.Finish());
  out.resize(step.produced);
  FUZZ_CHECK(out == data);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  const int level = input.Byte() % 10;
  const size_t in_piece = input.Piece();
  const size_t out_piece = input.Piece() + 8;
  const uint8_t choices = input.Byte();
  Bytes bytes = input.Rest();
  if (choices % 4 == 3 && in_piece > 100) {
    // Long enough for several blocks and for the whole window.
    const Bytes once = bytes;
    while (!once.empty() && bytes.size() < 100000) {
      bytes.insert(bytes.end(), once.begin(), once.end());
      bytes.push_back(static_cast<uint8_t>(bytes.size() >> 3));
    }
  }
  const std::unique_ptr<BlockDeflater> deflaters[] = {
      tfr::NewZlibBlockDeflater(level), tfr::NewLibdeflateBlockDeflater(level),
      tfr::NewIsalDeflater()};
  for (const auto& deflater : deflaters) {
    if (deflater == nullptr) continue;
    CheckBlock(deflater.get(), bytes, in_piece);
    CheckParts(deflater.get(), bytes, in_piece);
    CheckMember(deflater.get(), bytes, in_piece);
  }
  CheckStream(level, bytes, in_piece, out_piece,
              choices % 2 == 0 ? DeflateFlush::kNone : DeflateFlush::kSync);
  return 0;
}
