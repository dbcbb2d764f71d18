#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "core/base/endian.h"
#include "core/crc32c/crc32c.h"
#include "core/crc32c/mask.h"
#include "core/index/index_file.h"
#include "core/index/record_index.h"
#include "fuzz_input.h"
#include "test/index/jumps.h"

using tfr::test::Scanned;

namespace {

constexpr size_t kHead = 20;
constexpr size_t kSectionHead = 12;

std::string SavedIndexOf(const Scanned& scanned, size_t file_size) {
  tfr::IndexSummary summary;
  summary.file.size = file_size;
  summary.compression = scanned.state().compression;
  tfr::ByteBuffer saved;
  FUZZ_CHECK(scanned.index().Save(summary, &saved));
  return std::string(reinterpret_cast<const char*>(saved.data()), saved.size());
}

std::string KeyOf(uint64_t record) { return std::to_string(record % 150); }

std::vector<uint64_t> Find(tfr::RecordIndex* index, const std::string& key) {
  return index->keys()->Find(tfr::test::Data(key), key.size());
}

/// The saved index, with a key of each record.
std::string WithKeys(const std::string& saved) {
  tfr::RecordIndex index;
  tfr::IndexSummary summary;
  FUZZ_CHECK(index.Load(tfr::test::Data(saved), saved.size(), &summary) ==
             tfr::IndexStatus::kRight);
  index.keys()->SetFeature("key");
  for (uint64_t record = 0; record < index.records(); ++record) {
    const std::string key = KeyOf(record);
    FUZZ_CHECK(index.keys()->Add(record, tfr::test::Data(key), key.size()));
  }
  tfr::ByteBuffer keyed;
  FUZZ_CHECK(index.Save(summary, &keyed));
  return std::string(reinterpret_cast<const char*>(keyed.data()), keyed.size());
}

/// A file of each layout, its scan, and its saved index.
struct Sample {
  explicit Sample(int layout)
      : records(tfr::test::Records(300, 300)),
        file(FileOf(layout)),
        scanned(file, {}, tfr::test::CloseLimits()),
        saved(WithKeys(SavedIndexOf(scanned, file.size()))) {}

  std::string FileOf(int layout) const {
    const std::string content = tfr::test::Framed(records);
    switch (layout) {
      case 1:
        return tfr::test::Gzip(content);
      case 2:
        return tfr::test::Zlib(content);
      case 3:
        return tfr::test::InMembers(content, 5000, true);
      default:
        return content;
    }
  }

  const std::vector<std::string> records;
  const std::string file;
  const Scanned scanned;
  const std::string saved;
};

const Sample& SampleOf(int layout) {
  static const Sample* const samples[] = {new Sample(0), new Sample(1),
                                          new Sample(2), new Sample(3)};
  return *samples[layout];
}

void StoreCrc(std::string* bytes, size_t from, size_t to) {
  auto* const data = reinterpret_cast<uint8_t*>(bytes->data());
  tfr::StoreLE32(data + to, tfr::crc32c::Mask(tfr::crc32c::Extend(
                                0, data + from, to - from)));
}

/// The payloads of the sections of a right index.
std::vector<std::string> PayloadsOf(const std::string& saved) {
  std::vector<std::string> payloads;
  for (size_t at = kHead; at < saved.size();) {
    const auto size =
        static_cast<size_t>(tfr::LoadLE64(tfr::test::Data(saved) + at + 4));
    payloads.push_back(saved.substr(at + kSectionHead, size));
    at += kSectionHead + size + 4;
  }
  return payloads;
}

/// Changes sections and gives them right checksums. Each edit has five bytes:
/// section, kind, two for the position, value.
std::string Edited(const std::string& saved, tfr::fuzz::Input* input,
                   size_t edits) {
  std::vector<std::string> payloads = PayloadsOf(saved);
  for (; edits > 0; --edits) {
    std::string& payload = payloads[input->Byte() % payloads.size()];
    const uint8_t kind = input->Byte();
    const size_t high = input->Byte();
    const size_t at = (high << 8 | input->Byte()) % (payload.size() + 1);
    const auto value = static_cast<char>(input->Byte());
    if (kind % 4 == 0) {
      payload.resize(at);
    } else if (kind % 4 == 1) {
      payload.insert(at, 1, value);
    } else if (at < payload.size()) {
      payload[at] = value;
    }
  }
  std::string edited = saved.substr(0, kHead);
  const char* const tags[] = {"FILE", "RECS", "PLCS", "PNTS", "keys"};
  for (size_t i = 0; i < payloads.size(); ++i) {
    const size_t start = edited.size();
    edited += tags[i] + std::string(8, '\0') + payloads[i];
    tfr::StoreLE64(reinterpret_cast<uint8_t*>(edited.data()) + start + 4,
                   payloads[i].size());
    edited += "....";
    StoreCrc(&edited, start, edited.size() - 4);
  }
  return edited;
}

}  // namespace

/// An index of any bytes takes no more memory than its size allows, and a jump
/// by it ends, as does a search for a key. As long as the index is what was
/// saved, a jump gives the records that it is for.
///
/// Input: one byte each for layout, codecs and number of edits of the right
/// index (0: the rest is the index); then the edits.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tfr::fuzz::Input input(data, size);
  const Sample& sample = SampleOf(input.Byte() % 4);
  tfr::ChooseCodecs({input.Byte() % 2 == 0, true});
  const size_t edits = input.Byte() % 16;
  std::string saved;
  if (edits == 0) {
    const tfr::fuzz::Bytes rest = input.Rest();
    saved.assign(rest.begin(), rest.end());
  } else {
    saved = Edited(sample.saved, &input, edits - 1);
  }

  tfr::RecordIndex index;
  tfr::IndexSummary summary;
  const tfr::fuzz::Bytes bytes(saved.begin(), saved.end());
  const tfr::IndexStatus status =
      index.Load(bytes.data(), bytes.size(), &summary);
  // A place takes two bytes of a file and 16 of memory; a checkpoint three.
  FUZZ_CHECK(index.held_bytes() <= 100 * saved.size());
  if (status != tfr::IndexStatus::kRight || index.records() == 0) return 0;

  // Records with a key are among the candidates, which must be looked at.
  for (const uint64_t record : {0, 149, 299}) {
    const std::vector<uint64_t> found = Find(&index, KeyOf(record));
    FUZZ_CHECK(std::is_sorted(found.begin(), found.end()));
    FUZZ_CHECK(found.empty() || found.back() < index.records());
    FUZZ_CHECK(saved != sample.saved ||
               std::binary_search(found.begin(), found.end(), record));
  }
  for (uint64_t first = 0; first < 300; first += 99) {
    const auto jumped = sample.scanned.Read(first, first + 2, index);
    FUZZ_CHECK(jumped.records.size() <= 2);
    if (saved != sample.saved) continue;
    FUZZ_CHECK(jumped.records.size() == 2);
    FUZZ_CHECK(jumped.records[0] == sample.records[first]);
    FUZZ_CHECK(jumped.records[1] == sample.records[first + 1]);
  }
  return 0;
}
