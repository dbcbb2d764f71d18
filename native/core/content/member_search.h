#ifndef TFR_CORE_CONTENT_MEMBER_SEARCH_H_
#define TFR_CORE_CONTENT_MEMBER_SEARCH_H_

#include <cstddef>
#include <cstdint>

namespace tfr {

/// Longest member that a search believes on its own evidence. Bounds the bytes
/// that a search holds, with `kMostVerbatim`.
inline constexpr size_t kLongestFound = size_t{4} << 20;

/// deflate stores at most this many bytes verbatim: then the header of another
/// block follows.
inline constexpr size_t kMostVerbatim = 65535;

/// Searches `data` from `*at` on for the start of a gzip member that we wrote
/// (core/compression/gzip_member.h), for reading to go on there after damage.
/// `last`: the source ends with `data`.
///
/// A record may hold such a file, so a header alone proves nothing. A member is
/// believed if it begins at index `expected`, where the damaged member says
/// that it ends; or if a chain of members, each where the one before ends, runs
/// from it over more than `kMostVerbatim` bytes or to the end of the source.
/// Within a record a chain is shorter: deflate interrupts it.
///
/// Returns true with the member's start in `*at`. Returns false if more data is
/// needed, or there is none: no member begins before `*at`.
bool FindMember(const uint8_t* data, size_t size, bool last, size_t expected,
                size_t* at);

}  // namespace tfr

#endif  // TFR_CORE_CONTENT_MEMBER_SEARCH_H_
