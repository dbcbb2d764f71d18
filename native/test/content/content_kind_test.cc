#include "core/content/kind/content_kind.h"

#include <string>
#include <vector>

#include "core/compression/checksum.h"
#include "core/compression/zlib_format.h"
#include "core/record/framing/line_framers.h"
#include "test/support/check.h"
#include "test/support/positioned_source.h"

namespace tfr::test {
namespace {

std::string Zlib(const std::string& plain) {
  const auto deflater = NewBlockDeflater(6);
  std::string out(deflater->Bound(plain.size()), '\0');
  out.resize(deflater->Deflate(Data(plain), plain.size(),
                               reinterpret_cast<uint8_t*>(out.data()),
                               out.size()));
  uint8_t ends[kZlibHeaderSize + kZlibTrailerSize];
  StoreZlibHeader(ends, 6);
  StoreZlibTrailer(ends + kZlibHeaderSize,
                   Adler32(1, Data(plain), plain.size()));
  const std::string bytes(reinterpret_cast<char*>(ends), sizeof ends);
  return bytes.substr(0, kZlibHeaderSize) + out + bytes.substr(kZlibHeaderSize);
}

std::string Text(size_t lines) {
  std::string text;
  for (size_t i = 0; i < lines; ++i) {
    text += "line " + std::to_string(i * i * 7919) + "\n";
  }
  return text;
}

std::string Joined(const Reading& reading) {
  std::string text;
  for (const std::string& record : reading.records) text += record + "\n";
  return text;
}

Reading ReadText(const std::string& file, Compression option,
                 size_t piece = 1000) {
  ReadOptions options;
  options.compression = option;
  options.content = ContentRule::kBytes;
  return Read(file, piece, 4096, options, false, NewLineFramer(1 << 20));
}

TEST(TextIsRecognisedByItsContent) {
  const std::string text = Text(3000);
  const std::string gzip = Gzip(text);
  const std::string zlib = Zlib(text);
  for (const size_t piece : {1, 2, 3, 100, 1 << 20}) {
    for (const std::string& file :
         {text, gzip, Gzip("") + gzip, zlib,
          Zlib(text.substr(0, 18)) + Zlib(text.substr(18))}) {
      const Reading reading = ReadText(file, Compression::kAuto, piece);
      CHECK_EQ(reading.outcome, FillOutcome::kEnd);
      CHECK(Joined(reading) == text);
    }
    CHECK(Joined(ReadText(gzip, Compression::kGzip, piece)) == text);
    CHECK(Joined(ReadText(zlib, Compression::kZlib, piece)) == text);
  }
}

TEST(TextThatBeginsLikeZlibIsPlain) {
  for (const std::string& text :
       {std::string("x"), std::string("x^2"), std::string("x^2 + 1\nhC"),
        std::string("hC"), "x^" + Text(2000), std::string("\x1f"),
        std::string("\x1f\x8b"), std::string("\x1f\x8b\x09 no")}) {
    const Reading reading = ReadText(text + "\n", Compression::kAuto, 1);
    CHECK_EQ(reading.outcome, FillOutcome::kEnd);
    CHECK(Joined(reading) == text + "\n");
  }
}

TEST(EveryCutOfAShortZlibStreamIsPlain) {
  const std::string zlib = Zlib("some text, not much\n");
  for (size_t keep = 1; keep < zlib.size(); ++keep) {
    CHECK_EQ(KindOfBytes(Data(zlib), keep, true), Compression::kNone);
  }
  CHECK_EQ(KindOfBytes(Data(zlib), zlib.size(), true), Compression::kZlib);
  const std::string empty = Zlib("");
  CHECK_EQ(KindOfBytes(Data(empty), empty.size(), true), Compression::kZlib);
}

TEST(TwoBytesSuffice) {
  ReadOptions options;
  options.content = ContentRule::kBytes;
  auto source = std::make_unique<FedSource>();
  CHECK(source->Feed(Data("a\n"), 2, false));
  const Reading reading = ReadSource(
      std::move(source), 64, options, false, [] { return false; },
      NewLineFramer(100));
  CHECK(reading.records == std::vector<std::string>({"a"}));
}

TEST(PlainMayBeAnything) {
  const std::string gzip = Gzip(Text(10));
  CHECK(Joined(ReadText(gzip, Compression::kNone)) ==
        (gzip.back() == '\n' ? gzip : gzip + "\n"));
}

TEST(ALengthLikeAHeaderOfZlibIsJudgedAlikeInPiecesOfAllSizes) {
  // Lengths with a wrong checksum. As zlib, the damage of the first shows late,
  // and that of the second never.
  std::string late("\x78\x9c\x0c\xc8\0\0\0\0", 8);
  late += std::string(2, '\0') + std::string(80, '\xff');
  std::string never("\x78\x01\x62\x20\0\0\0\0", 8);
  never += "\x01\xff\xfe" + std::string(200, 'a');
  for (const std::string& bytes : {late, never}) {
    for (const auto option : {Compression::kAuto, Compression::kNone}) {
      ReadOptions options;
      options.compression = option;
      const Reading whole = Read(bytes, bytes.size(), 512, options, false);
      CHECK_EQ(whole.outcome, FillOutcome::kHalt);
      for (size_t piece = 1; piece < 40; ++piece) {
        const Reading pieces = Read(bytes, piece, 512, options, false);
        CHECK_EQ(pieces.halt.code, whole.halt.code);
        CHECK_EQ(pieces.halt.offset, whole.halt.offset);
        CHECK_EQ(pieces.halt.compressed_offset, whole.halt.compressed_offset);
      }
    }
  }
}

TEST(ANamedCompressionMustMatch) {
  const struct {
    std::string bytes;
    Compression option;
    const char* found;
  } cases[] = {
      {"text", Compression::kGzip, "uncompressed data"},
      {"text", Compression::kZlib, "uncompressed data"},
      {"x^2", Compression::kGzip, "uncompressed data"},
      {Zlib("text"), Compression::kGzip, "zlib data"},
      {Gzip("text"), Compression::kZlib, "gzip data"},
  };
  for (const auto& each : cases) {
    const Reading reading = ReadText(each.bytes, each.option, 1);
    CHECK_EQ(reading.halt.code, FaultCode::kCompression);
    CHECK_EQ(std::string(reading.halt.detail), each.found);
    CHECK(reading.records.empty());
  }
  for (const std::string& cut : {std::string("\x1f"), std::string("x")}) {
    const auto option = cut == "x" ? Compression::kZlib : Compression::kGzip;
    CHECK_EQ(ReadText(cut, option).halt.code, FaultCode::kTruncated);
  }
  CHECK_EQ(ReadText("", Compression::kGzip).outcome, FillOutcome::kEnd);
}

}  // namespace
}  // namespace tfr::test
