#ifndef TFR_TEST_SUPPORT_FOLDER_H_
#define TFR_TEST_SUPPORT_FOLDER_H_

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "test/support/check.h"

namespace tfr::test {

/// Names of all entries of a folder, sorted. (The C++ library that CI builds
/// for musl has neither <filesystem> nor <fstream>.)
inline std::vector<std::string> NamesIn(const std::string& path) {
  std::vector<std::string> names;
  DIR* const folder = opendir(path.c_str());
  REQUIRE(folder != nullptr);
  while (const dirent* entry = readdir(folder)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  closedir(folder);
  std::sort(names.begin(), names.end());
  return names;
}

/// A temporary folder; the destructor removes it with the files in it.
class Folder {
 public:
  Folder() {
    char name[] = "/tmp/tfrecord_core_test.XXXXXX";
    REQUIRE(mkdtemp(name) != nullptr);
    path_ = name;
  }
  ~Folder() {
    for (const std::string& name : Names()) unlink(Path(name).c_str());
    rmdir(path_.c_str());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string Path(const std::string& name) const { return path_ + "/" + name; }
  std::vector<std::string> Names() const { return NamesIn(path_); }

  void Put(const std::string& name, const std::string& text) const {
    std::FILE* const file = std::fopen(Path(name).c_str(), "wb");
    REQUIRE(file != nullptr);
    CHECK_EQ(std::fwrite(text.data(), 1, text.size(), file), text.size());
    CHECK_EQ(std::fclose(file), 0);
  }
  std::string Text(const std::string& name) const {
    std::FILE* const file = std::fopen(Path(name).c_str(), "rb");
    REQUIRE(file != nullptr);
    std::string text;
    char piece[4096];
    size_t got;
    while ((got = std::fread(piece, 1, sizeof piece, file)) > 0) {
      text.append(piece, got);
    }
    CHECK(std::ferror(file) == 0);
    std::fclose(file);
    return text;
  }

 private:
  std::string path_;
};

}  // namespace tfr::test

#endif  // TFR_TEST_SUPPORT_FOLDER_H_
