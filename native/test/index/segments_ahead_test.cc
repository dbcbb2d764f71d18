/// Inflating between the checkpoints of an index gives the same as inflating in
/// order: for valid files, for damage, and for indexes of other files.
#include "core/content/ahead/segments_ahead.h"

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/compression/checksum.h"
#include "core/index/record_index.h"
#include "test/index/jumps.h"
#include "test/support/check.h"

using namespace tfr;
using namespace tfr::test;

namespace {

/// Records that deflate to blocks of several kinds.
std::string Content(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::string> records;
  for (size_t i = 0; i < count; ++i) {
    std::string record = std::to_string(i) + ":";
    const size_t length = random() % 200;
    const bool noise = random() % 4 == 0;
    for (size_t k = 0; k < length; ++k) {
      record += static_cast<char>(noise ? random() : 'a' + random() % 3);
    }
    records.push_back(record);
  }
  return Framed(records);
}

/// The files that hold `content` in one member, in several, and as zlib.
std::vector<std::string> Files(const std::string& content) {
  const size_t third = content.size() / 3;
  return {Gzip(content),
          Gzip(content.substr(0, third)) + Gzip("") +
              Gzip(content.substr(third, third)) +
              Gzip(content.substr(2 * third)),
          Zlib(content)};
}

std::shared_ptr<RecordIndex> IndexOf(const std::string& file) {
  IndexLimits limits;
  limits.checkpoint_bytes = 8192;
  const auto index = std::make_shared<RecordIndex>(limits);
  ReadOptions options;
  options.index = index;
  options.ahead.most_content = 0;
  ReadSource(std::make_unique<PositionedSource>(file), 4096, options, false,
             [] { return false; });
  return index;
}

struct Result {
  Reading reading;
  PositionedSource::Counts counts;
};

Result ReadBy(const std::string& file, std::shared_ptr<RecordIndex> index,
              bool continues = false, const ReadStart& start = {},
              std::shared_ptr<IndexSink> notes = nullptr) {
  ReadOptions options;
  options.checkpoints = std::move(index);
  options.index = std::move(notes);
  options.least_segment = 1;
  options.continues = options.counts_lost = continues;
  options.start = start;
  Result read;
  auto source = std::make_unique<PositionedSource>(file, &read.counts);
  source->StepOver(start.position());
  read.reading = ReadSource(std::move(source), 4096, options, continues,
                            [] { return false; });
  return read;
}

bool SameFault(const Fault& a, const Fault& b) {
  return a.code == b.code && std::string(a.part) == b.part &&
         a.expected == b.expected && a.found == b.found &&
         a.record == b.record && a.offset == b.offset &&
         a.compressed_offset == b.compressed_offset;
}

bool Same(const Reading& a, const Reading& b) {
  bool same = a.records == b.records && a.numbers == b.numbers &&
              a.offsets == b.offsets && a.outcome == b.outcome &&
              SameFault(a.halt, b.halt) && a.faults.size() == b.faults.size();
  for (size_t i = 0; same && i < a.faults.size(); ++i) {
    same = SameFault(a.faults[i], b.faults[i]);
  }
  return same;
}

/// Checkpoints that are wrong in one thing.
class WrongCheckpoints final : public CheckpointSource {
 public:
  WrongCheckpoints(std::shared_ptr<RecordIndex> index, int what)
      : index_(std::move(index)), what_(what) {}

  std::shared_ptr<const Checkpoint> CheckpointFrom(
      uint64_t offset) const override {
    const auto right = index_->CheckpointFrom(offset);
    if (!right || count_++ != 2) return right;
    auto wrong = std::make_shared<Checkpoint>();
    wrong->compression = right->compression;
    wrong->point = right->point;
    wrong->state_size = right->state_size;
    REQUIRE(wrong->state.Assign(right->state.data(), right->state.size()));
    switch (what_) {
      case 0:
        ++wrong->point.consumed;
        break;
      case 1:
        --wrong->point.produced;
        break;
      case 2:
        wrong->point.checksum ^= 1;
        break;
      case 3:
        --wrong->point.member_start;
        break;
      case 4:
        --wrong->point.proven;
        break;
      case 5:
        wrong->state_size /= 2;
        break;
      case 6:
        wrong->compression = wrong->compression == Compression::kGzip
                                 ? Compression::kZlib
                                 : Compression::kGzip;
        break;
      default:
        wrong->point.between_members = !wrong->point.between_members;
    }
    return wrong;
  }

 private:
  const std::shared_ptr<RecordIndex> index_;
  const int what_;
  mutable int count_ = 0;
};

/// The points of `index` as an index of another program states them: without
/// checksums. `wrong`: the number of a point whose window is changed.
std::shared_ptr<RecordIndex> PartialOf(const RecordIndex& index,
                                       size_t wrong = 0) {
  const auto points = std::make_shared<RecordIndex>();
  for (size_t at = 1; const auto point = index.CheckpointAt(at); ++at) {
    ByteBuffer state;
    REQUIRE(InflateState(*point, &state) == RestoreResult::kRestored);
    if (at == wrong && state.size() > 2) state.data()[state.size() - 1] ^= 1;
    points->Add(CheckpointMaker().MakePartial(point->point.consumed,
                                              point->point.produced,
                                              state.data(), state.size()));
  }
  return points;
}

/// Gzip files: of one member, of several, and with trailers that are wrong.
std::vector<std::string> GzipFiles(const std::string& content) {
  std::vector<std::string> files = Files(content);
  files.pop_back();
  const size_t whole = files.size();
  for (size_t i = 0; i < whole; ++i) {
    for (const size_t from_end : {1, 6}) {
      std::string wrong = files[i];
      wrong[wrong.size() - from_end] ^= 4;
      files.push_back(wrong + Gzip("after"));
    }
  }
  return files;
}

}  // namespace

TEST(PointsWithoutChecksumsGiveWhatInflatingInOrderGives) {
  const std::string content = Content(4000, 9);
  for (const std::string& file : GzipFiles(content)) {
    const auto index = IndexOf(file);
    const auto points = PartialOf(*index);
    IndexLimits limits;
    limits.checkpoint_bytes = 8192;
    const auto notes = std::make_shared<RecordIndex>(limits);
    for (const bool continues : {false, true}) {
      const Result in_order = ReadBy(file, nullptr, continues);
      const Result ahead = ReadBy(file, points, continues);
      CHECK(Same(in_order.reading, ahead.reading));
      CHECK(ahead.counts.at > file.size() / 2);
    }
    ReadBy(file, points, false, {}, notes);
    for (const uint64_t record : {1, 1000, 2000, 3000}) {
      ReadStart start;
      REQUIRE(notes->FindStart(record, &start));
      const Result jumped = ReadBy(file, nullptr, false, start);
      ReadStart other = start;
      RecordIndex::Jump jump;
      REQUIRE(index->Find(start.record, start.record + 1, &jump));
      other.from = jump.from;
      const Result right = ReadBy(file, nullptr, false, other);
      CHECK(Same(right.reading, jumped.reading));
    }
  }
}

TEST(WrongPointsWithoutChecksumsChangeNothing) {
  const std::string content = Content(1500, 10);
  const std::string other = Content(1500, 11);
  for (const std::string& file : GzipFiles(content)) {
    const Reading in_order = ReadBy(file, nullptr).reading;
    for (const std::string& foreign : GzipFiles(other)) {
      CHECK(Same(in_order, ReadBy(file, PartialOf(*IndexOf(foreign))).reading));
    }
    for (size_t wrong = 1; wrong < 8; ++wrong) {
      CHECK(Same(in_order,
                 ReadBy(file, PartialOf(*IndexOf(file), wrong)).reading));
    }
  }
}

TEST(DamageIsFoundByPointsWithoutChecksums) {
  const std::string content = Content(1500, 12);
  std::mt19937 random(13);
  for (const std::string& file : GzipFiles(content)) {
    const auto points = PartialOf(*IndexOf(file));
    for (int i = 0; i < 60; ++i) {
      std::string damaged = file;
      const size_t at = random() % file.size();
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
      const bool continues = i % 2 == 0;
      CHECK(Same(ReadBy(damaged, nullptr, continues).reading,
                 ReadBy(damaged, points, continues).reading));
    }
  }
}

TEST(SumsOfPartsCombine) {
  const std::string bytes = Content(40, 14);
  for (size_t at = 0; at <= bytes.size(); at += 97) {
    CHECK_EQ(CombineCrc32(Crc32(0, Data(bytes), at),
                          Crc32(0, Data(bytes) + at, bytes.size() - at),
                          bytes.size() - at),
             Crc32(0, Data(bytes), bytes.size()));
  }
}

TEST(SegmentsGiveWhatInflatingInOrderGives) {
  const std::string content = Content(4000, 1);
  for (const std::string& file : Files(content)) {
    const auto index = IndexOf(file);
    const Result in_order = ReadBy(file, nullptr);
    const Result ahead = ReadBy(file, index);
    CHECK(Framed(ahead.reading.records) == content);
    CHECK(Same(in_order.reading, ahead.reading));
    CHECK_EQ(ahead.reading.compressed_bytes, file.size());
    // All but the part after the last checkpoint.
    CHECK(ahead.counts.at > file.size() / 2);
    CHECK(ahead.counts.in_order < file.size() / 2);
  }
}

TEST(AReaderThatBeginsAtACheckpointUsesThoseAfterIt) {
  const std::string content = Content(4000, 2);
  for (const std::string& file : Files(content)) {
    const auto index = IndexOf(file);
    ReadStart start;
    REQUIRE(index->FindStart(1500, &start));
    const Result in_order = ReadBy(file, nullptr, false, start);
    const Result ahead = ReadBy(file, index, false, start);
    CHECK(!ahead.reading.records.empty());
    CHECK(Same(in_order.reading, ahead.reading));
    CHECK(ahead.counts.at > 0);
  }
}

TEST(ANotingReaderHandsTheCheckpointsOn) {
  const std::string file = Gzip(Content(4000, 3));
  const auto index = IndexOf(file);
  IndexLimits limits;
  limits.checkpoint_bytes = 8192;
  const auto notes = std::make_shared<RecordIndex>(limits);
  ReadBy(file, index, false, {}, notes);
  CHECK_EQ(notes->records(), 4000U);
  ReadStart start;
  REQUIRE(notes->FindStart(3000, &start));
  CHECK(start.from != nullptr);
  CHECK(Same(ReadBy(file, notes).reading, ReadBy(file, nullptr).reading));
}

TEST(DamageIsFoundAsInOrder) {
  const std::string content = Content(1500, 4);
  std::mt19937 random(5);
  for (const std::string& file : Files(content)) {
    const auto index = IndexOf(file);
    for (int i = 0; i < 150; ++i) {
      std::string damaged = file;
      const size_t at = random() % file.size();
      switch (i % 3) {
        case 0:
          damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
          break;
        case 1:
          damaged.resize(at);
          break;
        default:
          // A wrong trailer.
          damaged[damaged.size() - 1 - random() % 8] ^= 1;
      }
      const bool continues = i % 2 == 0;
      CHECK(Same(ReadBy(damaged, nullptr, continues).reading,
                 ReadBy(damaged, index, continues).reading));
    }
  }
}

TEST(AnIndexOfAnotherFileChangesNothing) {
  const std::vector<std::string> files = Files(Content(1500, 6));
  const std::vector<std::string> others = Files(Content(1500, 7));
  for (const std::string& file : files) {
    const Reading in_order = ReadBy(file, nullptr).reading;
    for (const std::string& other : others) {
      CHECK(Same(in_order, ReadBy(file, IndexOf(other)).reading));
    }
    for (const std::string& other : files) {
      CHECK(Same(in_order, ReadBy(file, IndexOf(other)).reading));
    }
  }
}

TEST(ACheckpointThatIsWrongInOneThingChangesNothing) {
  const std::string content = Content(3000, 8);
  for (const std::string& file : Files(content)) {
    const Reading in_order = ReadBy(file, nullptr).reading;
    for (int what = 0; what <= 7; ++what) {
      ReadOptions options;
      options.checkpoints =
          std::make_shared<WrongCheckpoints>(IndexOf(file), what);
      options.least_segment = 1;
      const Reading reading =
          ReadSource(std::make_unique<PositionedSource>(file), 4096, options,
                     false, [] { return false; });
      if (!Same(in_order, reading))
        std::printf("what %d: %zu %zu, %d %d %s %llu\n", what,
                    in_order.records.size(), reading.records.size(),
                    int(reading.outcome), int(reading.halt.code),
                    std::string(reading.halt.part).c_str(),
                    (unsigned long long)reading.halt.compressed_offset);
      CHECK(Same(in_order, reading));
    }
  }
}
