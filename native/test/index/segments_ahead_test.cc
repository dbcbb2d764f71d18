/// Inflating between the checkpoints of an index gives the same as inflating in
/// order: for valid files, for damage, and for indexes of other files.
#include "core/content/segments_ahead.h"

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

}  // namespace

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
