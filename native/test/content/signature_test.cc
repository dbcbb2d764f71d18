#include "core/content/kind/signature.h"

#include <string>
#include <utility>
#include <vector>

#include "core/content/kind/serialized_example.h"
#include "test/support/check.h"
#include "test/support/record_files.h"

namespace tfr::test {
namespace {

std::string Name(const std::string& head) {
  const std::string seen = head.substr(0, kSignatureBytes);
  const char* const name = SignatureOf(Data(seen), seen.size());
  return name == nullptr ? "" : name;
}

std::string Bytes(std::initializer_list<int> bytes) {
  std::string text;
  for (const int byte : bytes) text += static_cast<char>(byte);
  return text;
}

std::string Varint(size_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  return out + static_cast<char>(value);
}

std::string Field(int number, const std::string& content) {
  return Bytes({number << 3 | 2}) + Varint(content.size()) + content;
}

std::string Entry(const std::string& key, const std::string& value) {
  return Field(1, Field(1, key) + Field(2, value));
}

const std::string kInts = Field(3, Field(1, Bytes({1, 0xac, 0x02})));
const std::string kFloats = Field(2, Field(1, std::string(8, '\x3f')));

/// An Example of all kinds, with a value of `size` bytes.
std::string Example(size_t size) {
  return Field(
      1, Entry("label", kInts) + Entry("mass/kg", kFloats) +
             Entry("empty", "") +
             Entry("picture", Field(1, Field(1, std::string(size, '\xd8')))) +
             Entry("step", Field(3, Bytes({0x08, 7}))));
}

std::string SequenceExample() {
  const std::string steps = Field(1, kInts) + Field(1, kInts);
  return Field(1, Entry("id", kInts)) + Field(2, Entry("tokens", steps));
}

/// A Snappy block of one literal.
std::string SnappyBlock(const std::string& content) {
  const size_t last = content.size() - 1;
  const std::string tag = last < 60
                              ? Bytes({static_cast<int>(last << 2)})
                              : Bytes({61 << 2, static_cast<int>(last & 0xff),
                                       static_cast<int>(last >> 8)});
  return Varint(content.size()) + tag + content;
}

std::string BigEndian(size_t value) {
  return Bytes({static_cast<int>(value >> 24), static_cast<int>(value >> 16),
                static_cast<int>(value >> 8), static_cast<int>(value)});
}

std::string Utf16(const std::string& ascii, bool big) {
  std::string out;
  for (const char c : ascii) out += big ? Bytes({0, c}) : Bytes({c, 0});
  return out;
}

TEST(FormatsWithMagicNumbersAreNamed) {
  const std::string more = "some more of the content";
  const std::vector<std::pair<std::string, const char*>> cases = {
      {"PK\x03\x04\x14" + more, "a zip archive"},
      {"PK\x05\x06" + std::string(18, '\0'), "an empty zip archive"},
      {Bytes({0x83, 0xaf, 0x70, 0xd1, 0x0d, 0x88, 0x4a, 0x3f}) + more,
       "a Riegeli or ArrayRecord file"},
      {"PAR1" + more, "a Parquet file"},
      {"ARROW1" + more, "an Arrow IPC file"},
      {Bytes({'O', 'b', 'j', 1, 4}) + more, "an Avro file"},
      {Bytes({'O', 'R', 'C', 0x0a, 0x14, 1}) + more, "an ORC file"},
      {Bytes({0x89, 'T', 'F', 'I', 'D', 'X', '\r', '\n'}) + more,
       "the index of a TFRecord file"},
      {Bytes({'S', 'E', 'Q', 6, 0x22}) + more, "a Hadoop SequenceFile"},
      {Bytes({'c', 'r', 'c', 0, 0, 0, 2, 0, 1, 2, 3, 4}),
       "a Hadoop checksum file (.crc)"},
      {Bytes({0, 5, 0x16, 7, 0, 2, 0, 0}) + "Mac OS X        ",
       "AppleDouble metadata of macOS"},
      {"BZh91AY&SY" + more, "bzip2 data"},
      {Bytes({0xfd, '7', 'z', 'X', 'Z', 0, 0, 4}) + more, "xz data"},
      {Bytes({0x28, 0xb5, 0x2f, 0xfd, 4}) + more, "Zstandard data"},
      {Bytes({4, 0x22, 0x4d, 0x18, 0x64}) + more, "LZ4 data"},
      {Bytes({2, 0x21, 0x4c, 0x18, 9}) + more, "LZ4 data"},
      {Bytes({0xff, 6, 0, 0}) + "sNaPpY" + more, "framed Snappy data"},
      {Bytes({0x82}) + "SNAPPY" + Bytes({0}) + more,
       "Snappy data of snappy-java"},
      {std::string(257, 'x') + "ustar" + more, "a tar archive"},
  };
  for (const auto& [bytes, name] : cases) CHECK_EQ(Name(bytes), name);
}

TEST(BareMessagesAreNamedWhereverTheHeadEnds) {
  for (const size_t size : {0, 100, 5000}) {
    const std::string bare = Example(size);
    CHECK_EQ(Name(bare),
             size < 500 ? "a serialized Example without framing"
                        : "a serialized Example without framing, or a TFRecord "
                          "file that lost its first bytes");
    for (size_t keep = 32; keep < bare.size() && keep < 600; ++keep) {
      CHECK_EQ(Name(bare.substr(0, keep)),
               "a serialized Example without framing, or a TFRecord file that "
               "lost its first bytes");
    }
  }
  CHECK_EQ(Name(SequenceExample().substr(0, SequenceExample().size() - 1)),
           "a serialized SequenceExample without framing, or a TFRecord file "
           "that lost its first bytes");
  CHECK_EQ(Name(SequenceExample()),
           "a serialized SequenceExample without framing");
  CHECK_EQ(Name(Field(2, Entry("tokens", Field(1, kInts)))),
           "a serialized SequenceExample without framing");
}

TEST(OtherMessagesAreNotExamples) {
  const auto is_bare = [](const std::string& bytes) {
    return BareMessageAt(Data(bytes), bytes.size()) != BareMessage::kNone;
  };
  CHECK(is_bare(Example(3)));
  // Behind the Example: a checksum and the next header of a file whose first 12
  // bytes are lost; another field; a byte.
  CHECK(!is_bare(Example(3) + "\x12\x34\x56\x78" + Framed("next")));
  CHECK(!is_bare(Example(3) + Field(3, "x")));
  CHECK(!is_bare(Example(3) + "\x0a\x0a\x0b"));
  // Text, Features without an entry, a list of Examples, an empty or a binary
  // key, two kinds, part of a float, a length past its parent.
  CHECK(!is_bare("\n\n\nSome lines of text\n"));
  CHECK(!is_bare(Field(1, "")));
  CHECK(!is_bare(Field(1, Example(3)) + Field(2, Example(3))));
  CHECK(!is_bare(Field(1, Entry("", kInts))));
  CHECK(!is_bare(Field(1, Entry(std::string("a\0b", 3), kInts))));
  CHECK(!is_bare(Field(1, Entry("a", kInts + kFloats))));
  CHECK(!is_bare(Field(1, Entry("a", Field(2, Field(1, "abc"))))));
  CHECK(!is_bare(Bytes({0x0a, 0x10, 0x0a, 0x20, 0x0a, 1, 'a', 0x12, 4, 0x1a,
                        2,    0x08, 1,    0,    0,    0, 0,   0,    0, 0})));
  // An Event: a double, a step and a text.
  CHECK(!is_bare(Bytes({0x09, 0, 0, 0, 0, 0, 0, 0xd0, 0x41, 0x1a, 0x0d}) +
                 "brain.Event:2"));
}

TEST(Utf16IsNamed) {
  const std::string text = "id,label\r\n1,caf\xc3\xa9\r\n";
  const std::string ascii = "id,label\r\n1,cat\r\n";
  CHECK_EQ(Name("\xff\xfe" + Utf16(ascii, false)), "UTF-16 text");
  CHECK_EQ(Name("\xfe\xff" + Utf16(ascii, true)), "UTF-16 text");
  CHECK_EQ(Name(Utf16(ascii, false)), "UTF-16 text");
  CHECK_EQ(Name(Utf16(ascii, true)), "UTF-16 text");
  CHECK_EQ(Name(text), "text");
  // A surrogate pair, and half of one.
  CHECK_EQ(Name(Bytes({0xff, 0xfe, 0x3d, 0xd8, 0, 0xde, 'a', 0, 'b', 0})),
           "UTF-16 text");
  CHECK_EQ(Name(Bytes({0xff, 0xfe, 0x3d, 0xd8, 'a', 0, 'b', 0, 'c', 0})), "");
  CHECK_EQ(Name(Bytes({0xff, 0xfe, 'a', 0, 1, 0, 'b', 0, 'c', 0})), "");
}

TEST(SnappyIsNamedByTheRecordsInIt) {
  const std::string block = SnappyBlock(Framed(kFive));
  const std::string size = BigEndian(Framed(kFive).size());
  CHECK_EQ(Name(block), "raw Snappy data");
  CHECK_EQ(Name(BigEndian(block.size()) + block), "Snappy data of TensorFlow");
  CHECK_EQ(Name(size + BigEndian(block.size()) + block),
           "Snappy data of Hadoop");
  // Only Hadoop's framing shows by itself.
  const std::string other = SnappyBlock(std::string(300, '\x91'));
  CHECK_EQ(Name(other), "");
  CHECK_EQ(Name(BigEndian(other.size()) + other), "");
  CHECK_EQ(Name(BigEndian(300) + BigEndian(other.size()) + other),
           "Snappy data of Hadoop");
  CHECK_EQ(Name(BigEndian(301) + BigEndian(other.size()) + other), "");
}

TEST(CompressedTwiceIsNamed) {
  CHECK_EQ(Name(Gzip(Framed(kFive))), "gzip data in a compressed file");
  // The bytes of the magic numbers alone are the length of a damaged record.
  std::string record = Framed(std::string(559903, '\x91'));
  record[9] ^= 1;
  CHECK_EQ(Name(record), "");
  record = Framed(std::string(40056, '\x91'));
  record[9] ^= 1;
  CHECK_EQ(Name(record), "");
}

/// A file of records whose header was damaged must not get a name.
TEST(DamagedTFRecordsHaveNoName) {
  const std::vector<std::string> payloads = {
      Example(0),        Example(700), SequenceExample(),
      std::string(9, 7), "text",       std::string(600, 't'),
      Gzip("abc"),       "",           std::string(700, '\0')};
  for (const std::string& payload : payloads) {
    const std::string file = Framed(payload) + Framed(kFive);
    for (size_t bit = 0; bit < 8 * kHeaderSize; ++bit) {
      std::string damaged = file;
      damaged[bit / 8] ^= static_cast<char>(1 << bit % 8);
      CHECK_EQ(Name(damaged), "");
    }
    // Another length below 4 GiB that begins like a magic number.
    for (const char* magic :
         {"PK\x03\x04", "PAR1", "ORC", "BZh9", "GIF8", "crc",
          "\xff\xd8\xff\xe0", "\x1f\x8b\x08", "\x78\x9c", "Obj\x01",
          "\x28\xb5\x2f\xfd", "\xff\xfe", "\n\x0c\n\n", "SEQ\x06", "{\"a\"",
          "text"}) {
      std::string damaged = file;
      damaged.replace(0, 4,
                      (std::string(magic) + std::string(4, '\0')).substr(0, 4));
      CHECK_EQ(Name(damaged), "");
    }
    // Files that lost the first header; one with gzip data is read as such.
    if (payload.size() < 400 && payload[0] != '\x1f') {
      CHECK_EQ(Name(file.substr(kHeaderSize)), "");
    }
    std::string erased = file;
    erased.replace(0, kHeaderSize, kHeaderSize, '\xff');
    CHECK_EQ(Name(erased), "");
  }
}

}  // namespace
}  // namespace tfr::test
