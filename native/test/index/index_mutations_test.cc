/// Indexes that were damaged, or changed on purpose: they are refused, or a
/// read gives records of the file, in their order, or a fault.
#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "core/index/record_index.h"
#include "test/index/jumps.h"
#include "test/index/saved_index.h"
#include "test/support/check.h"

namespace tfr::test {
namespace {

constexpr size_t kMutations = 2000;

/// The sections of a saved index: tag and payload.
struct Part {
  std::string tag;
  std::string payload;
};

std::vector<Part> PartsOf(const std::string& saved) {
  std::vector<Part> parts;
  const std::vector<size_t> starts = SectionsOf(saved);
  for (size_t i = 0; i + 1 < starts.size(); ++i) {
    const size_t from = starts[i] + kSectionHead;
    parts.push_back({saved.substr(starts[i], 4),
                     saved.substr(from, starts[i + 1] - 4 - from)});
  }
  return parts;
}

std::string Joined(const std::string& saved, const std::vector<Part>& parts) {
  std::string joined = saved.substr(0, kHead);
  for (const Part& part : parts) joined += Section(part.tag, part.payload);
  SetCount(&joined, static_cast<uint32_t>(parts.size()));
  return joined;
}

/// Flips a bit, cuts, inserts bytes, or repeats some of them.
void Mutate(std::string* bytes, std::mt19937* random) {
  const size_t at = (*random)() % (bytes->size() + 1);
  switch ((*random)() % 5) {
    case 0:
      bytes->resize(at);
      break;
    case 1:
      bytes->insert(at, 1 + (*random)() % 9, static_cast<char>((*random)()));
      break;
    case 2:
      bytes->erase(at, 1 + (*random)() % 9);
      break;
    case 3:
      bytes->insert(at, bytes->substr((*random)() % (bytes->size() + 1), 40));
      break;
    default:
      if (at < bytes->size()) {
        (*bytes)[at] = static_cast<char>((*bytes)[at] ^ 1 << (*random)() % 8);
      }
  }
}

/// Returns `saved` with a change and right checksums, as somebody makes it who
/// knows the format.
std::string Forged(const std::string& saved, std::mt19937* random) {
  std::vector<Part> parts = PartsOf(saved);
  Part& part = parts[(*random)() % parts.size()];
  switch ((*random)() % 8) {
    case 0:  // The payloads of two sections are swapped.
      std::swap(part.payload, parts[(*random)() % parts.size()].payload);
      break;
    case 1:  // Two sections change places, which changes nothing else.
      std::swap(part, parts[(*random)() % parts.size()]);
      break;
    default:
      Mutate(&part.payload, random);
  }
  return Joined(saved, parts);
}

std::vector<std::string> Numbered(size_t count) {
  std::mt19937 random(4);
  std::vector<std::string> records;
  for (size_t i = 0; i < count; ++i) {
    // Without checks, a place among zeros would be that of an empty record.
    records.push_back(std::to_string(i) + Letters(random() % 200, &random) +
                      std::string(random() % 200, '\0'));
  }
  return records;
}

}  // namespace

TEST(AMutatedIndexGivesRecordsOfTheFileOrAFault) {
  const std::vector<std::string> records = Numbered(500);
  std::map<std::string, size_t> numbers;
  for (size_t i = 0; i < records.size(); ++i) numbers[records[i]] = i;
  const std::string content = Framed(records);
  for (const std::string& file :
       {content, Gzip(content), InMembers(content, 20000, true)}) {
    const Scanned scanned(file, {}, CloseLimits());
    const std::string saved = Saved(scanned, file.size());
    std::mt19937 random(7);
    size_t loaded = 0;
    for (size_t i = 0; i < kMutations; ++i) {
      const bool forged = i % 2 == 0;
      std::string changed = saved;
      if (forged) {
        changed = Forged(saved, &random);
      } else {
        Mutate(&changed, &random);
      }
      RecordIndex index;
      IndexSummary summary;
      const IndexStatus status = Load(changed, &index, &summary);
      CHECK(index.held_bytes() <= 100 * changed.size());
      if (status != IndexStatus::kRight) continue;
      // Without right checksums, only an unchanged index is accepted.
      if (!forged) CHECK(changed == saved);
      ++loaded;
      for (uint64_t first = 0; first < records.size(); first += 125) {
        const auto read = scanned.Read(first, first + 40, index);
        CHECK(read.records.size() <= 40);
        if (read.records.empty()) continue;
        // A number may be forged. The records are right all the same.
        const size_t bad = read.faults.size();
        size_t wrong = 0;
        for (size_t k = 0; k < read.records.size(); ++k) {
          const auto found = numbers.find(read.records[k]);
          if (found == numbers.end()) {
            ++wrong;
          } else if (k > 0 && numbers.count(read.records[k - 1]) > 0) {
            CHECK_EQ(found->second, numbers[read.records[k - 1]] + 1);
          }
        }
        CHECK(wrong <= bad);
      }
    }
    CHECK(loaded > kMutations / 20);
  }
}

}  // namespace tfr::test
