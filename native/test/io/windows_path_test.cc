#include "core/io/windows_path.h"

#include <cerrno>
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

TEST(EndsOfNamesThatWindowsDrops) {
  for (const wchar_t* path :
       {L"C:\\data\\a.", L"C:/data/a ", L"a. .", L"C:a.", L"...",
        L"C:\\data.\\a", L"data./a", L"a./", L"\\\\server\\share\\a "}) {
    CHECK(LosesNameEnd(path));
  }
  for (const wchar_t* path :
       {L"C:\\data\\a.tfrecord", L".", L"..", L"..\\a", L"./a", L"C:..\\a",
        L"C:.", L"\\\\.\\COM1", L"C:\\my data \\a", L"a/", L".a", L" a"}) {
    CHECK(!LosesNameEnd(path));
  }
}

#if defined(_WIN32)
TEST(NamesThatWindowsWouldChangeAreRefused) {
  std::wstring wide;
  for (const char* path : {"C:\\data\\a.", "C:/data/a ", "data./a"}) {
    const Fault fault = WidePath(path, &wide);
    CHECK_EQ(fault.system_error, EINVAL);
    CHECK_EQ(std::string(fault.detail), std::string("name end"));
  }
  CHECK_EQ(std::string(WidePath("con", &wide).detail),
           std::string("reserved name"));
  CHECK(!WidePath("C:\\data\\..\\a", &wide));
  CHECK(wide == L"C:\\a");
  // The prefix says that the name is meant as it is.
  CHECK(!WidePath("\\\\?\\C:\\data\\a.", &wide));
  CHECK(wide == L"\\\\?\\C:\\data\\a.");
}
#endif

}  // namespace
}  // namespace tfr
