#include "core/io/file_sink.h"

#include <cerrno>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "test/support/check.h"

#if !defined(_WIN32)
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test/support/folder.h"
#endif

namespace tfr::test {
namespace {

std::string NameOf(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

TEST(TemporaryPathsDiffer) {
  std::set<std::string> paths;
  for (int i = 0; i < 1000; ++i) paths.insert(TemporaryPathFor("/a/b.gz", 0));
  CHECK_EQ(paths.size(), 1000u);
}

TEST(TemporaryPathIsHiddenBesideTheTarget) {
  const std::string path = TemporaryPathFor("/data/train.tfrecord", 0);
  CHECK_EQ(path.rfind("/data/.train.tfrecord.", 0), 0u);
  CHECK_EQ(path.substr(path.size() - 4), std::string(".tmp"));
  CHECK_EQ(TemporaryPathFor("/x", 0).rfind("/.x.", 0), 0u);
}

TEST(TemporaryPathOfALongNameFits) {
  for (size_t pad = 0; pad < 4; ++pad) {
    std::string name(pad, 'a');
    while (name.size() + 3 <= 255) name += "\xe2\x82\xac";  // the euro sign
    const std::string temporary =
        NameOf(TemporaryPathFor("/folder/" + name, 0));
    CHECK(temporary.size() <= 255);
    CHECK(temporary.size() >= 250);
    // Cut between two characters: the rest is a prefix of whole ones.
    const size_t dot = temporary.rfind('.', temporary.rfind('-'));
    CHECK_EQ((dot - 1 - pad) % 3, 0u);
  }
}

#if !defined(_WIN32)

struct stat Facts(const Folder& folder, const std::string& name) {
  struct stat facts = {};
  CHECK_EQ(lstat(folder.Path(name).c_str(), &facts), 0);
  return facts;
}

int OpenError(ByteSink* sink) {
  const SinkStep step = sink->Open();
  return step.state == SinkStep::State::kFault ? step.fault.system_error : 0;
}

/// Writes all of `text`; returns the error, or 0.
int Write(ByteSink* sink, const std::string& text) {
  const auto* data = reinterpret_cast<const uint8_t*>(text.data());
  size_t left = text.size();
  while (left > 0) {
    const SinkStep step = sink->Write(data, left);
    if (step.state == SinkStep::State::kFault) return step.fault.system_error;
    if (step.state == SinkStep::State::kReady) CHECK(step.taken > 0);
    data += step.taken;
    left -= step.taken;
  }
  return 0;
}

TEST(AtomicFileAppearsAtCommit) {
  const Folder folder;
  const auto sink = NewFileSink(folder.Path("a"), true);
  REQUIRE_EQ(OpenError(sink.get()), 0);
  const std::string text(3 << 20, 'x');
  CHECK_EQ(Write(sink.get(), text), 0);
  REQUIRE_EQ(folder.Names().size(), 1u);
  CHECK_EQ(folder.Names()[0].rfind(".a.", 0), 0u);
  CHECK(!sink->Sync());
  CHECK(!sink->Commit());
  CHECK(folder.Names() == std::vector<std::string>{"a"});
  CHECK(folder.Text("a") == text);
}

TEST(AtomicFileReplacesAndKeepsTheMode) {
  const Folder folder;
  folder.Put("a", "the old text");
  chmod(folder.Path("a").c_str(), 0640);
  const auto before = Facts(folder, "a");
  const auto sink = NewFileSink(folder.Path("a"), true);
  REQUIRE_EQ(OpenError(sink.get()), 0);
  CHECK_EQ(Write(sink.get(), "new"), 0);
  CHECK_EQ(folder.Text("a"), std::string("the old text"));
  CHECK(!sink->Commit());
  CHECK_EQ(folder.Text("a"), std::string("new"));
  CHECK_EQ(Facts(folder, "a").st_mode & 07777, 0640u);
  CHECK(Facts(folder, "a").st_ino != before.st_ino);
}

TEST(NewFileObeysTheUmask) {
  const Folder folder;
  const mode_t old = umask(027);
  const auto sink = NewFileSink(folder.Path("a"), true);
  REQUIRE_EQ(OpenError(sink.get()), 0);
  CHECK(!sink->Commit());
  umask(old);
  CHECK_EQ(Facts(folder, "a").st_mode & 07777, 0640u);
}

TEST(AbandonedAtomicFileLeavesNothing) {
  const Folder folder;
  folder.Put("a", "old");
  {
    const auto sink = NewFileSink(folder.Path("a"), true);
    REQUIRE_EQ(OpenError(sink.get()), 0);
    CHECK_EQ(Write(sink.get(), "new"), 0);
    CHECK_EQ(folder.Names().size(), 2u);
    sink->Abandon();
    CHECK_EQ(folder.Names().size(), 1u);
    sink->Abandon();
  }
  {
    const auto dropped = NewFileSink(folder.Path("b"), true);
    REQUIRE_EQ(OpenError(dropped.get()), 0);
    CHECK_EQ(folder.Names().size(), 2u);
  }
  CHECK(folder.Names() == std::vector<std::string>{"a"});
  CHECK_EQ(folder.Text("a"), std::string("old"));
}

TEST(FailedRenameRemovesTheTemporary) {
  const Folder folder;
  const auto sink = NewFileSink(folder.Path("a"), true);
  REQUIRE_EQ(OpenError(sink.get()), 0);
  // Another process turns the name into a folder.
  REQUIRE_EQ(mkdir(folder.Path("a").c_str(), 0700), 0);
  const Fault fault = sink->Commit();
  CHECK_EQ(fault.system_error, EISDIR);
  CHECK_EQ(std::string(fault.part), std::string("rename"));
  CHECK(folder.Names() == std::vector<std::string>{"a"});
  rmdir(folder.Path("a").c_str());
}

TEST(NotAtomicTruncatesInPlace) {
  const Folder folder;
  folder.Put("a", "the old text");
  const auto before = Facts(folder, "a");
  const auto sink = NewFileSink(folder.Path("a"), false);
  REQUIRE_EQ(OpenError(sink.get()), 0);
  CHECK_EQ(folder.Text("a"), std::string());
  CHECK_EQ(Write(sink.get(), "new"), 0);
  CHECK(!sink->Commit());
  CHECK_EQ(folder.Text("a"), std::string("new"));
  CHECK_EQ(Facts(folder, "a").st_ino, before.st_ino);
}

TEST(LinksAreWrittenThrough) {
  for (const bool hard : {false, true}) {
    const Folder folder;
    folder.Put("file", "old");
    const std::string file = folder.Path("file");
    const std::string other = folder.Path("other");
    REQUIRE_EQ(hard ? link(file.c_str(), other.c_str())
                    : symlink("file", other.c_str()),
               0);
    const auto sink = NewFileSink(other, true);
    REQUIRE_EQ(OpenError(sink.get()), 0);
    CHECK_EQ(Write(sink.get(), "new"), 0);
    CHECK(!sink->Commit());
    CHECK_EQ(folder.Text("file"), std::string("new"));
    CHECK_EQ(S_ISLNK(Facts(folder, "other").st_mode), !hard);
    CHECK_EQ(Facts(folder, "file").st_nlink, hard ? 2u : 1u);
    CHECK_EQ(folder.Names().size(), 2u);
  }
}

TEST(DanglingLinkCreatesItsTarget) {
  const Folder folder;
  REQUIRE_EQ(symlink("file", folder.Path("link").c_str()), 0);
  const auto sink = NewFileSink(folder.Path("link"), true);
  REQUIRE_EQ(OpenError(sink.get()), 0);
  CHECK_EQ(Write(sink.get(), "new"), 0);
  CHECK(!sink->Commit());
  CHECK_EQ(folder.Text("file"), std::string("new"));
}

TEST(OpenFaultsNameTheirCause) {
  const Folder folder;
  folder.Put("file", "");
  for (const bool atomic : {false, true}) {
    const auto missing = NewFileSink(folder.Path("none/a"), atomic);
    CHECK_EQ(OpenError(missing.get()), ENOENT);
    const auto directory = NewFileSink(folder.Path(""), atomic);
    CHECK_EQ(OpenError(directory.get()), EISDIR);
    const auto through = NewFileSink(folder.Path("file/a"), atomic);
    CHECK_EQ(OpenError(through.get()), ENOTDIR);
    const auto longer = NewFileSink(folder.Path(std::string(256, 'n')), atomic);
    CHECK_EQ(OpenError(longer.get()), ENAMETOOLONG);
  }
  CHECK_EQ(folder.Names().size(), 1u);
}

TEST(LongestNameWorks) {
  const Folder folder;
  const std::string name(255, 'n');
  const auto sink = NewFileSink(folder.Path(name), true);
  REQUIRE_EQ(OpenError(sink.get()), 0);
  CHECK(!sink->Commit());
  CHECK(folder.Names() == std::vector<std::string>{name});
}

TEST(PipeWaitsForItsReaderAndForRoom) {
  signal(SIGPIPE, SIG_IGN);
  const Folder folder;
  const std::string path = folder.Path("pipe");
  REQUIRE_EQ(mkfifo(path.c_str(), 0600), 0);
  const auto sink = NewFileSink(path, true);
  CHECK(sink->Open().state == SinkStep::State::kWait);
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  REQUIRE(reader >= 0);
  REQUIRE(sink->Open().state == SinkStep::State::kReady);
  CHECK(!sink->Sync());

  const std::vector<uint8_t> bytes(100 << 10, 'p');
  size_t taken = 0;
  SinkStep step;
  while ((step = sink->Write(bytes.data(), bytes.size())).state ==
         SinkStep::State::kReady) {
    taken += step.taken;
  }
  CHECK(step.state == SinkStep::State::kWait);
  std::vector<uint8_t> got(1 << 20);
  CHECK_EQ(read(reader, got.data(), got.size()), static_cast<ssize_t>(taken));
  CHECK(sink->Write(bytes.data(), 1).state == SinkStep::State::kReady);
  close(reader);
  CHECK_EQ(Write(sink.get(), "nobody reads"), EPIPE);
}

#if defined(__linux__)
TEST(FullDeviceIsAnError) {
  const auto sink = NewFileSink("/dev/full", true);
  REQUIRE_EQ(OpenError(sink.get()), 0);
  CHECK_EQ(Write(sink.get(), "x"), ENOSPC);
  sink->Abandon();
  struct stat facts = {};
  CHECK_EQ(lstat("/dev/full", &facts), 0);
  CHECK(S_ISCHR(facts.st_mode));
}
#endif

#endif  // !_WIN32

}  // namespace
}  // namespace tfr::test
