#include "duckdb/extension/files/found_files.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/base/text.h"
#include "duckdb/extension/files/glob.h"
#include "duckdb/extension/files/shards.h"
#include "duckdb/extension/query_error.h"

namespace tfr::duckdb {
namespace {

namespace fs = std::filesystem;

fs::path PathOf(const std::string& text) { return fs::u8path(text); }

bool IsUtf8(const std::string& text) {
  return TextKindOf(reinterpret_cast<const uint8_t*>(text.data()),
                    text.size()) != TextKind::kBinary;
}

/// Returns the scheme of a URL in lower case; empty for paths.
std::string SchemeOf(const std::string& text) {
  const size_t end = text.find("://");
  if (end == std::string::npos || end < 2) return "";
  std::string scheme;
  for (const char c : text.substr(0, end)) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    const bool letter = lower >= 'a' && lower <= 'z';
    const bool other = (lower >= '0' && lower <= '9') || lower == '+' ||
                       lower == '-' || lower == '.';
    if (!letter && (scheme.empty() || !other)) return "";
    scheme += lower;
  }
  return scheme;
}

FoundFile Refused(const std::string& name, FileError error) {
  return {name, name, std::move(error)};
}

FoundFile Missing(const std::string& name, const char* operation) {
  return Refused(name, SystemError(ENOENT, operation, name));
}

bool IsAbsent(const std::error_code& error) {
  return error == std::errc::no_such_file_or_directory ||
         error == std::errc::not_a_directory;
}

bool IsThere(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(PathOf(path), error);
  return status.type() != fs::file_type::not_found &&
         status.type() != fs::file_type::none;
}

/// True for digits and lower hexadecimal digits in `text`, as the ends of names
/// that writers and caches leave behind have them: `.PID-HEX.tmp`.
bool IsLeftover(const std::string& name, bool folder) {
  const size_t hex = folder ? 16 : 12;
  const std::string end = ".tmp";
  if (!EndsWith(name, end) || name.size() < hex + end.size() + 4) return false;
  size_t at = name.size() - end.size();
  for (size_t i = 0; i < hex; ++i) {
    const char c = name[--at];
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return false;
  }
  if (name[--at] != '-') return false;
  size_t digits = 0;
  while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9') {
    --at;
    ++digits;
  }
  if (digits < 1 || digits > 10 || at == 0 || name[at - 1] != '.') return false;
  return folder ? at > 1 : at > 2 && name[0] == '.';
}

/// True for saved indexes and manifests, which only patterns that end so match.
bool LiesBesideRecords(const std::string& name, const std::string& pattern) {
  return (EndsWith(name, ".tfindex") && !EndsWith(pattern, ".tfindex")) ||
         (EndsWith(name, ".manifest.json") && !EndsWith(pattern, ".json"));
}

/// Finds the matches of a pattern.
class Walk {
 public:
  explicit Walk(const std::string& pattern) : text_(pattern), glob_(pattern) {}

  std::vector<FoundFile> Run() {
    Enter({glob_.prefix(), glob_.start(), {}, false});
    while (!folders_.empty()) {
      const Folder folder = std::move(folders_.back());
      folders_.pop_back();
      List(folder);
    }
    if (files_.empty() && faults_.empty()) return {Missing(text_, "glob")};
    std::sort(files_.begin(), files_.end());
    for (std::string& file : files_) {
      faults_.push_back({file, file, std::nullopt});
    }
    return std::move(faults_);
  }

 private:
  struct Folder {
    /// With a slash at its end; empty for the working directory.
    std::string path;
    Glob::Positions positions;
    /// The folders above.
    std::vector<std::pair<std::string, Glob::Positions>> above;
    /// A link leads to it, or to a folder above it.
    bool linked;
  };

  void Enter(Folder folder) { folders_.push_back(std::move(folder)); }

  void List(const Folder& folder) {
    std::error_code error;
    fs::directory_iterator entries(
        PathOf(folder.path.empty() ? "." : folder.path), error);
    for (; !error && entries != fs::directory_iterator();
         entries.increment(error)) {
      Take(folder, *entries);
    }
    // A folder that does not exist has no matches.
    if (!error || IsAbsent(error)) return;
    const std::string name = folder.path.empty() ? "." : folder.path;
    faults_.push_back(Refused(
        name,
        SystemError(error.default_error_condition().value(), "scandir", name)));
  }

  void Take(const Folder& folder, const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().u8string();
    const Glob::Positions positions = glob_.After(folder.positions, name);
    if (positions.empty()) return;
    const std::string path = folder.path + name;
    std::error_code error;
    const fs::file_type type = entry.status(error).type();
    const bool is_folder = type == fs::file_type::directory;
    if (!IsUtf8(name)) {
      if (is_folder ? glob_.Continues(positions) : glob_.IsEnd(positions)) {
        faults_.push_back(
            Refused(folder.path, SystemError(EILSEQ, "scandir", path)));
      }
      return;
    }
    if (IsLeftover(name, is_folder)) return;
    if (is_folder) {
      if (glob_.Continues(positions)) AddFolder(folder, entry, path, positions);
    } else if (glob_.IsEnd(positions) && !LiesBesideRecords(name, text_)) {
      // Opening a broken link reports the error.
      files_.push_back(path);
    }
  }

  void AddFolder(const Folder& parent, const fs::directory_entry& entry,
                 const std::string& path, const Glob::Positions& positions) {
    std::error_code error;
    Folder folder{path + "/", positions, parent.above, parent.linked};
    folder.linked |= entry.is_symlink(error);
    folder.above.emplace_back(parent.path, parent.positions);
    if (!folder.linked || !IsRepeated(folder)) Enter(std::move(folder));
  }

  /// True if links form a cycle: a folder above is the same folder, at the same
  /// positions.
  static bool IsRepeated(const Folder& folder) {
    const auto real = [](const std::string& path) {
      std::error_code ignored;
      return fs::canonical(PathOf(path.empty() ? "." : path), ignored);
    };
    const fs::path own = real(folder.path);
    return std::any_of(
        folder.above.begin(), folder.above.end(), [&](const auto& above) {
          return above.second == folder.positions && real(above.first) == own;
        });
  }

  const std::string text_;
  const Glob glob_;
  std::vector<Folder> folders_;
  std::vector<std::string> files_;
  std::vector<FoundFile> faults_;
};

/// Returns the shards of `set` that exist, after an error if any are missing.
std::vector<FoundFile> FindShards(const std::string& name,
                                  const ShardSet& set) {
  std::vector<FoundFile> found;
  for (const ShardSet::Form& form : set.forms) {
    std::vector<FoundFile> present;
    for (const std::string& path : set.Paths(form)) {
      if (IsThere(path)) present.push_back({path, path, std::nullopt});
    }
    if (present.size() == set.count) return present;
    if (found.empty()) found = std::move(present);
  }
  FileError missing = SystemError(ENOENT, "open", name);
  missing.text += ": " + std::to_string(set.count - found.size()) + " of " +
                  Counted(set.count, "shard") + " are missing";
  found.insert(found.begin(), Refused(name, std::move(missing)));
  return found;
}

std::vector<FoundFile> Expand(const std::string& path) {
  const FoundFile itself{path, path, std::nullopt};
  if (path == "-") return {itself};
  const std::optional<ShardSet> set = ShardSetOf(path);
  const bool url = !SchemeOf(path).empty();
  const bool counted = !set && IsCounted(path);
  const bool pattern = IsPattern(path);
  if (!set && !counted && !url && !pattern) return {itself};
  if (IsThere(path)) return {itself};
  if (url || (counted && !pattern)) return {Missing(path, "open")};
  return set ? FindShards(path, *set) : Walk(path).Run();
}

/// Sets the full path of `file`, and the error if it is no regular file.
void LookAt(FoundFile* file) {
  const std::string& name = file->name;
  std::error_code error;
  const fs::path full = name.empty() ? fs::current_path(error)
                                     : fs::absolute(PathOf(name), error);
  const fs::file_status status = fs::status(full, error);
  file->path = full.u8string();
  if (status.type() == fs::file_type::regular) return;
  if (status.type() == fs::file_type::directory) {
    file->error = SystemError(EISDIR, "read", name);
  } else if (status.type() == fs::file_type::not_found ||
             status.type() == fs::file_type::none) {
    const int number = error ? error.default_error_condition().value() : ENOENT;
    file->error = SystemError(number, "open", name);
  } else {
    file->error = FileError{"EINVAL", name + " is not a regular file"};
  }
}

}  // namespace

void CheckPaths(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    const std::string scheme = SchemeOf(path);
    for (const char* known : {"http", "https", "s3", "gs", "az"}) {
      if (scheme != known) continue;
      // Without the rest, which may hold a password or a signature.
      throw QueryError("TFR_SQL", "read_tfrecord reads files only, found a " +
                                      scheme + " URL");
    }
  }
}

std::vector<FoundFile> FindFiles(const std::vector<std::string>& paths) {
  std::vector<FoundFile> files;
  for (const std::string& path : paths) {
    for (FoundFile& file : Expand(path)) {
      if (!file.error) {
        if (file.name == "-") {
          file.error = FileError{"EINVAL", "- is not a regular file"};
        } else {
          LookAt(&file);
        }
      }
      files.push_back(std::move(file));
    }
  }
  return files;
}

std::vector<File> FilesOf(const std::vector<FoundFile>& found,
                          const ReaderSpec& spec) {
  std::vector<File> files;
  files.reserve(found.size());
  for (const FoundFile& each : found) {
    files.push_back({each.name, each.path, spec, each.error.has_value()});
  }
  return files;
}

}  // namespace tfr::duckdb
