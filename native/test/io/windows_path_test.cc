#include "core/io/windows_path.h"

#include <string>

#include "test/support/check.h"

namespace tfr {
namespace {

std::wstring Folders(size_t characters) {
  std::wstring folders;
  while (folders.size() < characters) folders += L"\\folder";
  return folders;
}

TEST(ShortPathsStayAsTheyAre) {
  for (const wchar_t* path :
       {L"C:\\data\\a.tfrecord", L"\\\\server\\share\\a", L"\\\\.\\NUL"}) {
    CHECK(LongPath(path) == path);
  }
}

TEST(LongPathsGetThePrefix) {
  const std::wstring rest = Folders(250);
  CHECK(LongPath(L"C:" + rest) == L"\\\\?\\C:" + rest);
  CHECK(LongPath(L"\\\\server\\share" + rest) ==
        L"\\\\?\\UNC\\server\\share" + rest);
}

TEST(PathsWithAPrefixStayAsTheyAre) {
  for (const std::wstring& prefix :
       {std::wstring(L"\\\\?\\C:"), std::wstring(L"\\\\?\\UNC\\server\\share"),
        std::wstring(L"\\\\.\\C:")}) {
    const std::wstring path = prefix + Folders(300);
    CHECK(LongPath(path) == path);
  }
}

TEST(NamesOfDevicesAreReserved) {
  CHECK(IsReservedName(L"con", L"\\\\.\\con"));
  CHECK(IsReservedName(L"C:\\data\\aux.tfrecord", L"\\\\.\\aux"));
  CHECK(IsReservedName(L"lpt1", L"\\\\.\\lpt1"));
  CHECK(!IsReservedName(L"nul", L"\\\\.\\nul"));
  CHECK(!IsReservedName(L"C:\\data\\console", L"C:\\data\\console"));
  // Whoever writes the prefix means the device.
  CHECK(!IsReservedName(L"\\\\.\\COM1", L"\\\\.\\COM1"));
  CHECK(!IsReservedName(L"//./COM1", L"\\\\.\\COM1"));
}

}  // namespace
}  // namespace tfr
