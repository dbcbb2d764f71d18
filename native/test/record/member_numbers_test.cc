/// The numbers of the records with which members of ours begin.
#include "core/record/recovery/member_numbers.h"

#include "test/support/check.h"

namespace tfr::test {
namespace {

/// Members of 3, 4 and 5 records at the offsets 0, 100 and 200.
constexpr MemberStart kFirst = {0, 3, 0};
constexpr MemberStart kSecond = {100, 4, 1000};
constexpr MemberStart kThird = {200, 5, 2000};

TEST(TheNextMemberBeginsAfterTheRecordsOfThisOne) {
  MemberNumbers numbers;
  numbers.Read(kFirst, 0, {0, 10});
  CHECK_EQ(numbers.FirstOfNext(), 13u);
  CHECK_EQ(numbers.next().offset, kUnknown);
  // Two of its records are framed, and the second one begins among the others.
  numbers.Framed(60);
  numbers.Read(kSecond, 100, {60, 12});
  CHECK_EQ(numbers.next().position, 1000u);
  CHECK_EQ(numbers.FirstOfNext(), 13u);
  CHECK_EQ(numbers.Before(60, 100), 40u);
  CHECK_EQ(numbers.Before(60, 40), 40u);
  CHECK_EQ(numbers.Before(60, 10), 10u);
  // The first of several is the next one.
  numbers.Read(kThird, 200, {60, 12});
  CHECK_EQ(numbers.next().position, 1000u);
}

TEST(AMemberIsKnownByItsFirstByteOnly) {
  MemberNumbers numbers;
  numbers.Read(kFirst, 0, {0, 0});
  numbers.Read(kSecond, 130, {60, 2});
  CHECK_EQ(numbers.next().offset, kUnknown);
  CHECK_EQ(numbers.Before(60, 500), 500u);
  // One that is not ours is no place to go on.
  numbers.Read({100, kUnknown, 1000}, 100, {60, 2});
  CHECK_EQ(numbers.next().offset, kUnknown);
}

TEST(ARecordThatCrossesTheStartOfAMemberEndsTheCounting) {
  MemberNumbers numbers;
  numbers.Read(kFirst, 0, {0, 0});
  numbers.Read(kSecond, 100, {60, 2});
  numbers.Framed(110);
  CHECK_EQ(numbers.next().offset, kUnknown);
  CHECK_EQ(numbers.FirstOfNext(), 0u);
  CHECK_EQ(numbers.FirstAfter(kFirst, {110, 3}), 0u);
  // At a start that is also that of a record, it begins anew.
  numbers.Read(kThird, 200, {200, 7});
  CHECK_EQ(numbers.FirstAfter(kThird, {230, 8}), 12u);
}

TEST(RecordsAfterADamagedMember) {
  MemberNumbers numbers;
  numbers.Read(kFirst, 0, {0, 20});
  numbers.Framed(60);
  // Its own header says how many it has.
  CHECK_EQ(numbers.FirstAfter(kFirst, {60, 22}), 23u);
  // No byte of the member was read: it begins with the next record.
  CHECK_EQ(numbers.FirstAfter({60, 9, 500}, {60, 22}), 31u);
  CHECK_EQ(numbers.FirstAfter({60, kUnknown, 500}, {60, 22}), 0u);
  CHECK_EQ(numbers.FirstAfter({70, 9, 500}, {60, 22}), 0u);
}

TEST(ReadingGoesOnWithAMember) {
  MemberNumbers numbers;
  numbers.Read(kFirst, 0, {0, 0});
  numbers.Read(kSecond, 100, {60, 2});
  numbers.Begin(kSecond, 3);
  CHECK_EQ(numbers.next().offset, kUnknown);
  CHECK_EQ(numbers.FirstOfNext(), 7u);
  // One of which nothing but its place is known.
  numbers.Begin({300, kUnknown, kUnknown}, 9);
  CHECK_EQ(numbers.FirstOfNext(), 0u);
  CHECK_EQ(numbers.FirstAfter({300, 2, 3000}, {310, 10}), 11u);
}

}  // namespace
}  // namespace tfr::test
