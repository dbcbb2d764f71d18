// Gzip members and zlib streams, valid and damaged, with every implementation
// of streaming inflate and in pieces of every size.

#include <cstring>

#include "core/compression/container_inflater.h"
#include "core/deflate/registry.h"
#include "test/compression/container_damage.h"
#include "test/support/check.h"

namespace tfr::test {
namespace {

constexpr Compression kKinds[] = {Compression::kGzip, Compression::kZlib};
constexpr size_t kPieces[] = {1, 2, 3, 7, 64, 1000, 1 << 20};

/// Calls `body(kind, unwrap)` for both kinds and every implementation.
template <typename Body>
void ForEach(Body body) {
  for (Compression kind : kKinds) {
    body(kind, [kind](const Bytes& in, size_t in_piece = 1u << 30,
                      size_t out_piece = 1u << 16) {
      const Unwrapped first =
          Unwrap(kind, NewZlibInflater(), in, in_piece, out_piece);
      if (auto isal = NewIsalInflater()) {
        const Unwrapped second =
            Unwrap(kind, std::move(isal), in, in_piece, out_piece);
        CHECK_EQ(first.fault.code, second.fault.code);
        CHECK_EQ(std::string(first.fault.part), second.fault.part);
        if (std::strcmp(first.fault.part, "deflate data") != 0) {
          CHECK(first.out == second.out);
          CHECK_EQ(first.fault.compressed_offset,
                   second.fault.compressed_offset);
          CHECK_EQ(first.fault.expected, second.fault.expected);
          CHECK_EQ(first.fault.found, second.fault.found);
        }
      }
      return first;
    });
  }
}

void CheckFault(const Unwrapped& got, FaultCode code, const char* part,
                uint64_t offset) {
  CHECK_EQ(got.fault.code, code);
  CHECK_EQ(std::string(got.fault.part), part);
  CHECK_EQ(got.fault.compressed_offset, offset);
}

TEST(WholeFilesInPiecesOfEverySize) {
  const Bytes a = Mixture(3000);
  const Bytes b = Mixture(100, 5);
  ForEach([&](Compression kind, auto unwrap) {
    const Bytes in = Wrap(kind, a) + Wrap(kind, {}) + Wrap(kind, b);
    for (size_t in_piece : kPieces) {
      for (size_t out_piece : kPieces) {
        const Unwrapped got = unwrap(in, in_piece, out_piece);
        CHECK_EQ(got.fault.code, FaultCode::kNone);
        CHECK(got.out == a + b);
        CHECK_EQ(got.consumed, in.size());
      }
    }
  });
}

TEST(EmptyMembersAnywhere) {
  const Bytes a = Mixture(500);
  ForEach([&](Compression kind, auto unwrap) {
    const Bytes full = Wrap(kind, a);
    const Bytes none = Wrap(kind, {});
    for (size_t piece : kPieces) {
      CHECK(unwrap(none, piece).out.empty());
      CHECK(unwrap(none + full, piece).out == a);
      CHECK(unwrap(full + none, piece).out == a);
      CHECK(unwrap(none + none + full + none + full, piece).out == a + a);
      CHECK(!unwrap(none + none + full + none + full, piece).fault);
    }
  });
}

TEST(EmptyInputHasNoMembers) {
  ForEach([](Compression, auto unwrap) {
    const Unwrapped got = unwrap({});
    CHECK(!got.fault);
    CHECK(got.out.empty());
  });
}

TEST(ManyMembersWithOneInflater) {
  ForEach([](Compression kind, auto unwrap) {
    Bytes in;
    Bytes all;
    for (size_t i = 0; i < 300; ++i) {
      const Bytes data = Mixture(i * 7 % 400, i);
      in = in + Wrap(kind, data);
      all = all + data;
    }
    CHECK(unwrap(in).out == all);
    CHECK(unwrap(in, 13, 11).out == all);
    CHECK(!unwrap(in, 1000, 1).fault);
  });
}

TEST(EveryHeaderFieldIsAccepted) {
  const Bytes data = Mixture(200);
  GzipFields fields;
  fields.extra = Noise(1000);
  fields.name = "train-00000-of-00001.tfrecord";
  fields.comment = std::string(70000, 'c');
  for (uint8_t flags = 0; flags < 32; ++flags) {
    fields.flags = flags;
    if (flags == 31) fields.name.clear();
    const Bytes in = GzipOf(data, fields);
    for (size_t piece : {1, 2, 13, 1 << 20}) {
      const Unwrapped got =
          Unwrap(Compression::kGzip, NewStreamInflater(), in + in, piece);
      CHECK_EQ(got.fault.code, FaultCode::kNone);
      CHECK(got.out == data + data);
    }
  }
}

TEST(EmptyAndLongestExtraField) {
  const Bytes data = Mixture(200);
  GzipFields fields;
  fields.flags = kFlagExtra | kFlagCrc;
  for (size_t size : {0, 65535}) {
    fields.extra = Noise(size);
    for (size_t piece : {1, 1 << 20}) {
      const Unwrapped got = Unwrap(Compression::kGzip, NewStreamInflater(),
                                   GzipOf(data, fields), piece);
      CHECK(!got.fault);
      CHECK(got.out == data);
    }
  }
}

TEST(HeaderCrcIsChecked) {
  GzipFields fields;
  fields.flags = kFlagCrc | kFlagName;
  fields.name = "name";
  const Bytes good = GzipOf(Mixture(200), fields);
  for (uint16_t error : {1, 0x100, 0x8000}) {
    fields.crc_error = error;
    for (size_t piece : kPieces) {
      const Unwrapped got = Unwrap(Compression::kGzip, NewStreamInflater(),
                                   good + GzipOf(Mixture(200), fields), piece);
      CheckFault(got, FaultCode::kCompression, "gzip header CRC16",
                 good.size());
      CHECK_EQ((got.fault.expected + error) & 0xffff, got.fault.found);
      CHECK(got.out == Mixture(200));
    }
  }
}

TEST(ReservedFlagsAreRefused) {
  const Bytes good = GzipOf({1, 2, 3});
  for (uint8_t bit : {0x20, 0x40, 0x80}) {
    CheckFault(
        Unwrap(Compression::kGzip, NewStreamInflater(), Flip(good, 3, bit)),
        FaultCode::kCompression, "gzip header reserved flags", 0);
    CheckFault(Unwrap(Compression::kGzip, NewStreamInflater(),
                      good + Flip(good, 3, bit)),
               FaultCode::kCompression, "gzip header reserved flags",
               good.size());
  }
}

TEST(TrailersAreCheckedAfterTheirBytes) {
  const Bytes data = Mixture(3000);
  ForEach([&](Compression kind, auto unwrap) {
    const Bytes good = Wrap(kind, data);
    const size_t trailer = kind == Compression::kGzip ? 8 : 4;
    for (size_t i = 0; i < trailer; ++i) {
      const Bytes bad = good + Flip(good, good.size() - trailer + i, 0x10);
      for (size_t piece : kPieces) {
        const Unwrapped got = unwrap(bad, piece, piece);
        CHECK(got.out == data + data);
        const size_t start = bad.size() - trailer;
        if (kind == Compression::kZlib) {
          CheckFault(got, FaultCode::kCompression, "zlib trailer Adler-32",
                     start);
        } else if (i < 4) {
          CheckFault(got, FaultCode::kCompression, "gzip trailer CRC32", start);
        } else {
          CheckFault(got, FaultCode::kCompression, "gzip trailer ISIZE",
                     start + 4);
          CHECK_EQ(got.fault.expected, data.size());
        }
        CHECK(got.fault.expected != got.fault.found);
      }
    }
  });
}

TEST(EveryCutIsTruncation) {
  const Bytes data = Mixture(700);
  ForEach([&](Compression kind, auto unwrap) {
    const Bytes good = Wrap(kind, data);
    const size_t trailer = kind == Compression::kGzip ? 8 : 4;
    const size_t header = kind == Compression::kGzip ? 10 : 2;
    for (size_t cut = 1; cut < good.size(); cut += LoopStep()) {
      for (const Bytes& before : {Bytes(), good}) {
        for (size_t piece : {size_t{1}, size_t{5}, size_t{1} << 20}) {
          const Unwrapped got = unwrap(before + Cut(good, cut), piece, piece);
          CHECK_EQ(got.fault.code, FaultCode::kTruncated);
          CHECK_EQ(got.fault.compressed_offset, before.size() + cut);
          const std::string part = got.fault.part;
          if (cut < header) {
            CHECK_EQ(part.substr(5), "header");
          } else if (cut < good.size() - trailer) {
            CHECK_EQ(part, "deflate data");
          } else {
            CHECK_EQ(part.substr(5), "trailer");
            CHECK_EQ(got.out.size(), before.empty() ? 700u : 1400u);
          }
        }
      }
    }
  });
}

TEST(BytesThatStartNoMemberAreTrailing) {
  const Bytes data = Mixture(300);
  ForEach([&](Compression kind, auto unwrap) {
    const Bytes good = Wrap(kind, data);
    const bool gzip = kind == Compression::kGzip;
    const Bytes tails[] = {
        {0},
        {'\n'},
        Bytes(1000, 0),
        {0x1f, 0x8c},
        {0x1f, 0x8b, 7},
        {0x1f, 0},
        {0x78, 0x9d},
        {0x78, 0xbb},  // A preset dictionary.
        {0x88, 0x1c},  // A window of 64 KiB.
        gzip ? ZlibOf(data) : GzipOf(data),
    };
    for (const Bytes& tail : tails) {
      // Some are a valid start of the other kind only.
      for (size_t piece : kPieces) {
        const Unwrapped got = unwrap(good + tail, piece);
        CHECK_EQ(got.fault.code, FaultCode::kTrailingData);
        CHECK_EQ(got.fault.compressed_offset, good.size());
        CHECK(got.out == data);
      }
    }
  });
}

TEST(PartOfAMagicNumberIsACutMember) {
  const Bytes data = Mixture(300);
  ForEach([&](Compression kind, auto unwrap) {
    const Bytes good = Wrap(kind, data);
    const size_t magic = kind == Compression::kGzip ? 3 : 1;
    for (size_t size = 1; size <= magic; ++size) {
      const Unwrapped got = unwrap(good + Cut(good, size));
      CHECK_EQ(got.fault.code, FaultCode::kTruncated);
      CHECK(got.out == data);
    }
  });
}

TEST(AForeignStartIsACompressionFault) {
  ForEach([](Compression kind, auto unwrap) {
    const bool gzip = kind == Compression::kGzip;
    for (const Bytes& in :
         {Bytes{0}, Bytes{'a', 'b', 'c'}, Bytes(100, 0), Bytes{0x1f, 0x8c, 8},
          gzip ? ZlibOf({1}) : GzipOf({1})}) {
      const Unwrapped got = unwrap(in);
      CHECK_EQ(got.fault.code, FaultCode::kCompression);
      CHECK_EQ(got.fault.compressed_offset, 0u);
      CHECK(got.out.empty());
    }
  });
}

TEST(ValidOutputComesBeforeBadDeflateData) {
  const Bytes data = Mixture(100000);
  ForEach([&](Compression kind, auto unwrap) {
    // All data, flushed; then a block of the reserved type.
    const Bytes header =
        Cut(Wrap(kind, {}), kind == Compression::kGzip ? 10 : 2);
    Bytes deflated = ZlibDeflate(data, 6, Z_DEFAULT_STRATEGY, 15, data.size());
    deflated.resize(deflated.size() - 2);
    const Bytes in = header + deflated + Bytes(50, 0xff);
    for (size_t piece : {size_t{1}, size_t{100}, size_t{1} << 20}) {
      const Unwrapped got = unwrap(in, piece, piece == 1 ? 1000 : piece);
      CHECK_EQ(got.fault.code, FaultCode::kCompression);
      CHECK_EQ(std::string(got.fault.part), "deflate data");
      CHECK(got.out == data);
    }
  });
}

TEST(EverySingleFlippedBitIsFoundOrHarmless) {
  const Bytes data = Mixture(150);
  ForEach([&](Compression kind, auto unwrap) {
    const Bytes good = Wrap(kind, data);
    for (size_t at = 0; at < good.size(); at += LoopStep()) {
      for (int bit = 0; bit < 8; ++bit) {
        const Unwrapped got =
            unwrap(Flip(good, at, static_cast<uint8_t>(1 << bit)));
        if (!got.fault) {
          // Fields without effect (FTEXT, time, XFL, OS), and the padding bits
          // in the last byte of the deflate data.
          const bool gzip = kind == Compression::kGzip;
          CHECK((gzip && at >= 3 && at < 10) ||
                at == good.size() - (gzip ? 9 : 5));
          CHECK(got.out == data);
        }
      }
    }
  });
}

TEST(NeedsNoRoomForEmptyMembers) {
  ForEach([](Compression kind, auto) {
    const Bytes none = Wrap(kind, {});
    const Bytes in = none + none + none;
    ContainerInflater container(kind, NewStreamInflater());
    Fault fault;
    const auto step =
        container.Inflate(in.data(), in.size(), nullptr, 0, &fault);
    CHECK(!fault);
    CHECK_EQ(step.produced, 0u);
    // The ends of empty members need no room, but a step may stop before them.
    CHECK(step.consumed > 0);
  });
}

TEST(LooksLike) {
  const Bytes gzip = GzipOf({});
  const Bytes zlib = ZlibOf({});
  CHECK(LooksLikeGzip(gzip.data(), gzip.size()));
  CHECK(LooksLikeGzip(gzip.data(), 3));
  CHECK(!LooksLikeGzip(gzip.data(), 2));
  CHECK(!LooksLikeGzip(nullptr, 0));
  CHECK(!LooksLikeGzip(zlib.data(), zlib.size()));
  CHECK(LooksLikeZlib(zlib.data(), zlib.size()));
  CHECK(LooksLikeZlib(zlib.data(), 2));
  CHECK(!LooksLikeZlib(zlib.data(), 1));
  CHECK(!LooksLikeZlib(nullptr, 0));
  CHECK(!LooksLikeZlib(gzip.data(), gzip.size()));
  int count = 0;
  for (int value = 0; value < 65536; ++value) {
    const uint8_t header[] = {static_cast<uint8_t>(value >> 8),
                              static_cast<uint8_t>(value)};
    z_stream stream = {};
    REQUIRE(inflateInit(&stream) == Z_OK);
    uint8_t out;
    stream.next_in = const_cast<Bytef*>(header);
    stream.avail_in = 2;
    stream.next_out = &out;
    stream.avail_out = 1;
    const int result = inflate(&stream, Z_NO_FLUSH);
    inflateEnd(&stream);
    // zlib accepts a preset dictionary and then asks for it.
    const bool theirs =
        (result == Z_OK || result == Z_BUF_ERROR) && (header[1] & 0x20) == 0;
    CHECK_EQ(LooksLikeZlib(header, 2), theirs);
    count += theirs ? 1 : 0;
  }
  CHECK(count > 0);
}

TEST(WithoutAnInflaterReportsOutOfMemory) {
  ContainerInflater container(Compression::kGzip, nullptr);
  Fault fault;
  uint8_t out;
  const Bytes in = GzipOf({1});
  container.Inflate(in.data(), in.size(), &out, 1, &fault);
  CHECK_EQ(fault.code, FaultCode::kOutOfMemory);
}

}  // namespace
}  // namespace tfr::test
