#include "core/record/recovery/member_numbers.h"

namespace tfr {
namespace {

uint64_t After(uint64_t first, uint64_t records) {
  return first == kUnknown || records == kUnknown ? 0 : first + records;
}

}  // namespace

void MemberNumbers::Read(const MemberStart& member, uint64_t at,
                         const StreamPlace& next) {
  if (member.offset != at) return;
  if (at == next.offset) {
    current_ = member;
    first_record_ = next.record;
  } else if (next_.offset == kUnknown && member.records != kUnknown) {
    next_ = member;
  }
}

/// After a record that crosses the start of a member, it is not known with
/// which record that member begins.
void MemberNumbers::Framed(uint64_t offset) {
  if (next_.offset > offset) return;
  next_ = current_ = MemberStart();
  first_record_ = kUnknown;
}

size_t MemberNumbers::Before(uint64_t offset, size_t size) const {
  const bool there = next_.offset != kUnknown && next_.offset - offset < size;
  return there ? static_cast<size_t>(next_.offset - offset) : size;
}

uint64_t MemberNumbers::FirstOfNext() const {
  return After(first_record_, current_.records);
}

uint64_t MemberNumbers::FirstAfter(const MemberStart& before,
                                   const StreamPlace& next) const {
  if (before.offset == current_.offset) {
    return After(first_record_, before.records);
  }
  return before.offset == next.offset ? After(next.record, before.records) : 0;
}

void MemberNumbers::Begin(const MemberStart& member, uint64_t record) {
  current_ = member;
  first_record_ = record;
  next_ = MemberStart();
}

}  // namespace tfr
