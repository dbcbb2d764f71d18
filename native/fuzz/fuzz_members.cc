#include <algorithm>
#include <string>

#include "fuzz_input.h"
#include "test/support/positioned_source.h"

using tfr::FaultCode;
using tfr::test::OurMember;
using tfr::test::Reading;

namespace {

struct Patch {
  size_t at;
  uint8_t flip;
};

/// Returns up to `size` bytes of the input.
std::string Take(const tfr::fuzz::Bytes& from, size_t* at, size_t size) {
  const size_t n = std::min(size, from.size() - *at);
  const auto first = from.begin() + static_cast<std::ptrdiff_t>(*at);
  *at += n;
  return std::string(first, first + static_cast<std::ptrdiff_t>(n));
}

bool SameFault(const tfr::Fault& a, const tfr::Fault& b) {
  return a.code == b.code && std::string(a.part) == b.part &&
         std::string(a.detail) == b.detail && a.record == b.record &&
         a.offset == b.offset && a.expected == b.expected && a.found == b.found;
}

bool Same(const Reading& a, const Reading& b) {
  return a.records == b.records && a.outcome == b.outcome &&
         SameFault(a.halt, b.halt) && a.faults.size() == b.faults.size() &&
         std::equal(a.faults.begin(), a.faults.end(), b.faults.begin(),
                    SameFault);
}

/// libdeflate inflates code sets that igzip and zlib refuse; its output is used
/// only if size and checksum are right.
bool OnlyInOrderRefuses(const Reading& ahead, const Reading& in_order) {
  return in_order.halt.code == FaultCode::kCompression &&
         std::string(in_order.halt.part) == "deflate data" &&
         ahead.records.size() >= in_order.records.size() &&
         std::equal(in_order.records.begin(), in_order.records.end(),
                    ahead.records.begin());
}

}  // namespace

/// A file of our members, with damage, gives the same whether its members are
/// inflated ahead or in order.
///
/// Input: one byte each for verify, limit, slab size, members, record size and
/// number of patches; three bytes per patch; then the content, which is framed
/// unless the record size is 0.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tfr::fuzz::Input input(data, size);
  tfr::ReadOptions options;
  options.verify = static_cast<tfr::Verify>(input.Byte() % 3);
  const uint8_t limit = input.Byte();
  options.max_record_bytes = limit < 128 ? 0x7fffffff : limit;
  const size_t slab = 512 + 16 * size_t{input.Byte()};
  const size_t members = 1 + input.Byte() % 8;
  const size_t record_size = input.Byte();
  Patch patches[4];
  const size_t damage = input.Byte() % 5;
  for (size_t i = 0; i < damage; ++i) {
    const size_t high = input.Byte();
    patches[i].at = high << 8 | input.Byte();
    patches[i].flip = input.Byte();
  }

  const tfr::fuzz::Bytes rest = input.Rest();
  std::string content;
  if (record_size == 0) content.assign(rest.begin(), rest.end());
  for (size_t at = 0; record_size > 0 && at < rest.size();) {
    content += tfr::test::Framed(Take(rest, &at, record_size));
  }
  std::string file;
  const size_t each = content.size() / members + 1;
  for (size_t at = 0; at < content.size(); at += each) {
    file += OurMember(content.substr(at, each), 1, file.size());
  }
  if (file.empty()) return 0;
  for (size_t i = 0; i < damage; ++i) {
    const size_t at = patches[i].at % file.size();
    file[at] = static_cast<char>(file[at] ^ patches[i].flip);
  }

  const Reading in_order =
      tfr::test::Read(file, 1 << 20, slab, options, limit % 2 == 0);
  const Reading ahead =
      tfr::test::ReadPositioned(file, slab, options, limit % 2 == 0);
  FUZZ_CHECK(Same(ahead, in_order) || OnlyInOrderRefuses(ahead, in_order));
  return 0;
}
