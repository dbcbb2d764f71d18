#include "core/index/index_file.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "core/base/endian.h"
#include "core/index/record_index.h"
#include "test/index/jumps.h"
#include "test/index/saved_index.h"
#include "test/support/check.h"

using namespace tfr;
using namespace tfr::test;

TEST(ALoadedIndexJumpsAsTheScanDid) {
  for (const IndexLimits& limits : AllLimits()) {
    const std::vector<std::string> records = Records(1500, 900);
    WithEveryCodec([&] {
      for (const std::string& file : Files(records)) {
        const Scanned scanned(file, {}, limits);
        const std::string saved = Saved(scanned, file.size());
        // An index of one process is used by another, with another inflater.
        for (const bool isal : {true, false}) {
          ChooseCodecs({isal, isal});
          RecordIndex index;
          IndexSummary summary;
          REQUIRE_EQ(Load(saved, &index, &summary), IndexStatus::kRight);
          CHECK_EQ(index.records(), records.size());
          for (uint64_t first = 0; first < records.size(); first += 37) {
            const uint64_t last = std::min<uint64_t>(first + 5, records.size());
            const auto now = scanned.Read(first, last, index);
            CHECK(now.records ==
                  std::vector<std::string>(
                      records.begin() + static_cast<std::ptrdiff_t>(first),
                      records.begin() + static_cast<std::ptrdiff_t>(last)));
            const auto then = scanned.Read(first, last);
            CHECK_EQ(now.jump.place.offset, then.jump.place.offset);
            CHECK_EQ(now.jump.start().position(), then.jump.start().position());
            CHECK_EQ(now.jump.end, then.jump.end);
          }
        }
      }
    });
  }
}

TEST(TheSummaryIsSaved) {
  const std::vector<std::string> records = Records(300, 900);
  for (const std::string& whole : Files(records)) {
    for (const size_t lost : {size_t{0}, whole.size() / 3}) {
      const std::string file = whole.substr(0, whole.size() - lost);
      const Scanned scanned(file, {}, CloseLimits());
      const IndexSummary then = SummaryOf(scanned, file.size());
      RecordIndex index;
      IndexSummary now;
      REQUIRE_EQ(Load(Saved(scanned, file.size()), &index, &now),
                 IndexStatus::kRight);
      CHECK_EQ(now.file.size, file.size());
      CHECK_EQ(now.file.head_crc, then.file.head_crc);
      CHECK_EQ(now.file.tail_crc, then.file.tail_crc);
      CHECK_EQ(now.file.time, then.file.time);
      CHECK_EQ(now.compression, then.compression);
      CHECK_EQ(now.verified, then.verified);
      CHECK_EQ(now.cut, lost > 0);
      CHECK_EQ(now.stored, then.stored);
      CHECK_EQ(now.damaged, then.damaged);
      CHECK_EQ(index.records(), scanned.state().records);
    }
  }
}

TEST(SavingALoadedIndexGivesTheSameBytes) {
  for (const IndexLimits& limits : AllLimits()) {
    for (const std::string& file : Files(Records(800, 900))) {
      const std::string saved = Saved(Scanned(file, {}, limits), file.size());
      RecordIndex index;
      IndexSummary summary;
      REQUIRE_EQ(Load(saved, &index, &summary), IndexStatus::kRight);
      ByteBuffer again;
      REQUIRE(index.Save(summary, &again));
      CHECK(saved == std::string(reinterpret_cast<const char*>(again.data()),
                                 again.size()));
    }
  }
}

TEST(EveryChangedByteAndEveryCutIsSeen) {
  for (const IndexLimits& limits : AllLimits()) {
    for (const std::string& file : Files(Records(250, 400))) {
      const std::string saved = Saved(Scanned(file, {}, limits), file.size());
      for (size_t at = 0; at < saved.size(); ++at) {
        CHECK(StatusOf(saved.substr(0, at)) != IndexStatus::kRight);
        for (const int bit : {1, 0x80, 0xff}) {
          std::string changed = saved;
          changed[at] = static_cast<char>(changed[at] ^ bit);
          CHECK(StatusOf(changed) != IndexStatus::kRight);
        }
      }
      CHECK(StatusOf(saved + '\0') != IndexStatus::kRight);
      CHECK(StatusOf(saved + saved) != IndexStatus::kRight);
    }
    CHECK_EQ(StatusOf(""), IndexStatus::kForeign);
    CHECK_EQ(StatusOf(Framed(Records(10, 90))), IndexStatus::kForeign);
  }
}

TEST(ChangedOnPurposeNothingIsReadOutsideTheFile) {
  for (const IndexLimits& limits : AllLimits()) {
    std::mt19937 random(3);
    const std::vector<std::string> records = Records(250, 400);
    for (const std::string& file : Files(records)) {
      const Scanned scanned(file, {}, limits);
      const std::string saved = Saved(scanned, file.size());
      size_t loaded = 0;
      for (size_t i = 0; i < 3000; ++i) {
        std::string changed = saved;
        // Not the sizes of sections: without them, no checksum can be made.
        const std::vector<size_t> starts = SectionsOf(saved);
        const size_t section = random() % (starts.size() - 1);
        const size_t from = starts[section] + kSectionHead;
        const size_t size = starts[section + 1] - 4 - from;
        for (size_t k = 0; k <= random() % 3; ++k) {
          changed[from + random() % size] = static_cast<char>(random());
        }
        StoreCrcs(&changed);
        RecordIndex index;
        IndexSummary summary;
        if (Load(changed, &index, &summary) != IndexStatus::kRight) continue;
        ++loaded;
        if (i % 10 != 0 || index.records() == 0) continue;
        const uint64_t first = random() % index.records();
        const auto jumped = scanned.Read(first, first + 2, index);
        CHECK(jumped.records.size() <= 2);
      }
      CHECK(loaded > 0);
    }
  }
}

TEST(TooLargeCountsTakeNoMemory) {
  const std::string file = Gzip(Framed(Records(20, 90)));
  const std::string saved =
      Saved(Scanned(file, {}, AllLimits()[1]), file.size());
  const std::vector<size_t> starts = SectionsOf(saved);
  const std::string counts[] = {
      "\xff\xff\xff\xff\xff\xff\xff\x0f",
      "\xff\xff\xff\xff\x7f",
      std::string(9, '\xff') + '\1',
  };
  for (const size_t section : {size_t{2}, size_t{3}, size_t{4}}) {
    for (const std::string& count : counts) {
      const std::string tag = saved.substr(starts[section], 4);
      const std::string changed = saved.substr(0, starts[section]) +
                                  Section(tag, count) +
                                  saved.substr(starts[section + 1]);
      CHECK_EQ(StatusOf(changed), IndexStatus::kDamaged);
    }
  }
}

TEST(LaterVersionsAreRefusedAndTheirOptionalSectionsIgnored) {
  const std::string file = Framed(Records(20, 90));
  const std::string saved =
      Saved(Scanned(file, {}, CloseLimits()), file.size());
  std::string later = saved;
  later[8] = 2;
  StoreCrcs(&later);
  CHECK_EQ(StatusOf(later), IndexStatus::kNewer);
  std::string with_note = saved + Section("note", "of a later version");
  CHECK_EQ(StatusOf(with_note), IndexStatus::kDamaged);
  SetCount(&with_note, 5);
  CHECK_EQ(StatusOf(with_note), IndexStatus::kRight);
  std::string needed = saved + Section("NOTE", "of a later version");
  SetCount(&needed, 5);
  CHECK_EQ(StatusOf(needed), IndexStatus::kNewer);
  std::string twice = saved + saved.substr(kHead);
  SetCount(&twice, 8);
  CHECK_EQ(StatusOf(twice), IndexStatus::kDamaged);
  std::string fewer = saved.substr(0, SectionsOf(saved)[3]);
  SetCount(&fewer, 3);
  CHECK_EQ(StatusOf(fewer), IndexStatus::kDamaged);
}

TEST(OffsetsThatDisagreeWithPlacesAreRefused) {
  const std::string file = Framed(std::vector<std::string>(40, "abcd"));
  const std::string saved =
      Saved(Scanned(file, {}, AllLimits()[1]), file.size());
  CHECK_EQ(StatusOf(saved), IndexStatus::kRight);
  const std::vector<size_t> starts = SectionsOf(saved);
  // The distances are 20 bytes. Records 1 and 2 move, and number 16 is a place.
  std::string moved = saved;
  const size_t at = starts[4] + kSectionHead + 2;
  CHECK_EQ(moved[at], 20);
  moved[at] = 21;
  moved[at + 1] = 19;
  StoreCrcs(&moved);
  CHECK_EQ(StatusOf(moved), IndexStatus::kRight);
  moved[at + 1] = 20;
  moved[at + 20] = 19;
  StoreCrcs(&moved);
  CHECK_EQ(StatusOf(moved), IndexStatus::kDamaged);
}

TEST(AMissingFirstCheckpointIsRefused) {
  const std::string file = Gzip(Framed(Records(20, 90)));
  const std::string saved =
      Saved(Scanned(file, {}, CloseLimits()), file.size());
  const std::vector<size_t> starts = SectionsOf(saved);
  const std::string without =
      saved.substr(0, starts[3]) + Section("PNTS", std::string(1, '\0'));
  CHECK_EQ(StatusOf(without), IndexStatus::kDamaged);
}

TEST(AReaderThatVerifiesNothingChecksTheLengthAtAPlace) {
  // Without a check, zeros are empty records.
  const std::vector<std::string> records(400, std::string(84, '\0'));
  ReaderSpec unverified;
  unverified.verify = Verify::kNone;
  for (const std::string& file : Files(records)) {
    const std::string saved =
        Saved(Scanned(file, {}, CloseLimits()), file.size());
    const Scanned reader(file, unverified, CloseLimits());
    const auto code_of = [&](Verify verified) {
      std::string changed = saved;
      const std::vector<size_t> starts = SectionsOf(saved);
      changed[starts[1] + kSectionHead + 1] = static_cast<char>(verified);
      // The place of record 16 moves into its data.
      const size_t at = starts[2] + kSectionHead + 4;
      CHECK_EQ(changed[at - 1], 16);
      changed[at] ^= 16;
      StoreCrcs(&changed);
      RecordIndex index;
      IndexSummary summary;
      CHECK_EQ(Load(changed, &index, &summary), IndexStatus::kRight);
      return reader.Read(16, 17, index).halt.code;
    };
    CHECK_EQ(code_of(Verify::kAll), FaultCode::kCorruptLength);
    CHECK_EQ(code_of(Verify::kLength), FaultCode::kCorruptLength);
    CHECK(code_of(Verify::kNone) != FaultCode::kCorruptLength);
  }
}
