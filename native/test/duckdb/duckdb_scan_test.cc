/// The table function of the loadable extension over a DuckDB of the test's
/// own: several threads that scan at once, scans that change their thread, ends
/// before the data's, damage. Sanitizers see all of it; they cannot see into
/// the real DuckDB.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "duckdb/extension/file_host.h"
#include "duckdb/extension/settings.h"
#include "duckdb/table_function.h"
#include "test/duckdb/fake_duckdb.h"
#include "test/example/example_bytes.h"
#include "test/support/check.h"
#include "test/support/record_files.h"

namespace tfr::test {
namespace {

using duckdb::BindInfoHandle;
using duckdb::ConnectionHandle;
using duckdb::DataChunkHandle;
using duckdb::FunctionInfoHandle;
using duckdb::InitInfoHandle;
using duckdb::VectorHandle;

using Named = std::map<std::string, std::string>;
using Row = std::vector<std::string>;

/// A file in the working folder, removed by the destructor.
class TestFile {
 public:
  TestFile(std::string path, const std::string& bytes) : path(std::move(path)) {
    std::FILE* const file = std::fopen(this->path.c_str(), "wb");
    const bool written =
        file != nullptr &&
        std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() &&
        std::fclose(file) == 0;
    if (!written) std::abort();
  }
  TestFile(const TestFile&) = delete;
  TestFile& operator=(const TestFile&) = delete;
  ~TestFile() { std::remove(path.c_str()); }

  const std::string path;
};

const duckdb::TableFunctionHandle& ReadTFRecord() {
  static const ConnectionHandle* const connection = [] {
    auto* const made = new ConnectionHandle();
    REQUIRE(duckdb::Register(duckdb::fake::FakeApi(), made, "read_tfrecord",
                             duckdb::FileParameters(), duckdb::NewFileHost()));
    return made;
  }();
  return connection->functions.at("read_tfrecord");
}

/// A query whose columns are known.
class Query {
 public:
  explicit Query(std::vector<std::string> paths, Named named = {})
      : bound_{
            &ReadTFRecord(), std::move(paths), std::move(named), {}, {}, ""} {
    ReadTFRecord().bind(&bound_);
  }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  const BindInfoHandle& bound() const { return bound_; }
  const std::string& error() const { return bound_.error; }

 private:
  BindInfoHandle bound_;
};

/// A pass over the rows of a query.
class Pass {
 public:
  explicit Pass(const Query& query) : init_{&query.bound(), {}, 0, {}, ""} {
    for (uint64_t i = 0; i < query.bound().columns.size(); ++i) {
      init_.used.push_back(i);
    }
    ReadTFRecord().init(&init_);
    error_ = init_.error;
  }
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;

  /// Adds the rows of the next chunk to `rows`. Returns false after the last
  /// chunk, and after an error.
  bool Next(std::vector<Row>* rows) {
    if (!error_.empty()) return false;
    DataChunkHandle chunk;
    for (const uint64_t column : init_.used) {
      chunk.vectors.push_back(std::make_unique<VectorHandle>(
          init_.bound->columns[column].second, duckdb::kVectorSize));
    }
    FunctionInfoHandle info{&init_, ""};
    ReadTFRecord().fill(&info, &chunk);
    error_ = info.error;
    if (!error_.empty() || chunk.size == 0) return false;
    if (chunk.size > duckdb::kVectorSize) std::abort();
    for (uint64_t i = 0; i < chunk.size; ++i) {
      Row row;
      for (const auto& vector : chunk.vectors) row.push_back(vector->Text(i));
      rows->push_back(std::move(row));
    }
    return true;
  }

  const std::string& error() const { return error_; }

 private:
  InitInfoHandle init_;
  std::string error_;
};

struct Result {
  std::vector<Row> rows;
  std::string error;
};

Result Run(const Query& query) {
  Result result;
  result.error = query.error();
  if (!result.error.empty()) return result;
  Pass pass(query);
  while (pass.Next(&result.rows)) {
  }
  result.error = pass.error();
  return result;
}

constexpr size_t kRecords = 10'000;

std::string RecordOf(size_t i) {
  std::vector<std::string> entries;
  entries.push_back(Entry("id", IntFeature({static_cast<int64_t>(i)})));
  if (i % 3 != 0) {
    entries.push_back(Entry("t", BytesFeature({std::string(i % 40, 'x')})));
  }
  if (i % 5 != 0) {
    entries.push_back(Entry(
        "l", FloatFeature(std::vector<float>(i % 4, static_cast<float>(i)))));
  }
  return ExampleOf(entries);
}

Row RowOf(size_t i) {
  std::string list = "[";
  const std::string item = std::to_string(i);
  for (size_t k = 0; k < i % 4; ++k) list += (k == 0 ? "" : ",") + item;
  // In the order of the keys.
  return {item, i % 5 == 0 ? "NULL" : list + "]",
          i % 3 == 0 ? "NULL" : std::string(i % 40, 'x')};
}

std::string ContentOf(size_t records) {
  std::string content;
  for (size_t i = 0; i < records; ++i) content += Framed(RecordOf(i));
  return content;
}

const std::string& Content() {
  static const std::string* const content =
      new std::string(ContentOf(kRecords));
  return *content;
}

/// The spec of the records, without arrays.
Named Spec() {
  return {
      {"spec",
       R"({"id":{"type":"fixedLen","dtype":"int64","shape":[]},)"
       R"("l":{"type":"varLen","dtype":"float32"},)"
       R"("t":{"type":"fixedLen","dtype":"text","shape":[],"default":null}})"}};
}

/// Runs `run(i)` in threads, all at once. Checks belong to the main thread:
/// each thread returns what is wrong.
void InThreads(size_t count, const std::function<std::string(size_t)>& run) {
  std::vector<std::string> wrong(count);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < count; ++i) {
    threads.emplace_back([&, i] { wrong[i] = run(i); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& each : wrong) CHECK_EQ(each, "");
}

/// Text that is empty if `result` has `rows` rows and an error that begins with
/// `error`.
std::string Unlike(const Result& result, size_t rows,
                   const std::string& error = "") {
  const bool same = error.empty()
                        ? result.error.empty()
                        : result.error.substr(0, error.size()) == error;
  if (same && result.rows.size() == rows) return "";
  return std::to_string(result.rows.size()) + " rows, " + result.error;
}

TEST(RowsHaveTheValuesOfTheirRecords) {
  const TestFile file("duckdb_scan_values", Content());
  for (const Named& named : {Named(), Spec()}) {
    const Result result = Run(Query({file.path}, named));
    CHECK_EQ(result.error, "");
    REQUIRE_EQ(result.rows.size(), kRecords);
    for (size_t i = 0; i < kRecords; ++i) {
      Row expected = RowOf(i);
      for (size_t k = 0; k < 3; ++k) CHECK_EQ(result.rows[i][k], expected[k]);
    }
  }
}

TEST(ThreadsScanAtOnceOneQueryAndTheirOwn) {
  const TestFile file("duckdb_scan_threads", Content());
  const Query shared({file.path, file.path}, Spec());
  InThreads(4, [&](size_t thread) {
    const Query own({file.path}, thread % 2 == 0 ? Named() : Spec());
    return Unlike(Run(shared), 2 * kRecords) + Unlike(Run(own), kRecords);
  });
}

TEST(AScanGoesFromThreadToThread) {
  const TestFile file("duckdb_scan_moves", Content());
  const Query query({file.path, file.path});
  Pass pass(query);
  std::vector<Row> rows;
  bool more = true;
  while (more) {
    std::thread([&] { more = pass.Next(&rows); }).join();
  }
  CHECK_EQ(pass.error(), "");
  REQUIRE_EQ(rows.size(), 2 * kRecords);
  for (size_t i = 0; i < rows.size(); ++i) {
    CHECK_EQ(rows[i][0], RowOf(i % kRecords)[0]);
  }
}

TEST(ScansThatAreLeftEndTheirWork) {
  const TestFile file("duckdb_scan_left", Content());
  InThreads(4, [&](size_t thread) -> std::string {
    std::mt19937 random(static_cast<uint32_t>(thread));
    for (int i = 0; i < 30; ++i) {
      const Query query({file.path, file.path}, Spec());
      Pass pass(query);
      std::vector<Row> rows;
      for (uint32_t chunks = random() % 20; chunks > 0; --chunks) {
        if (!pass.Next(&rows)) return "an end: " + pass.error();
      }
    }
    return "";
  });
  CHECK_EQ(Unlike(Run(Query({file.path}, Spec())), kRecords), "");
}

/// Flips a bit of some records' data. Returns their number.
size_t FlipSome(std::string* content, size_t each) {
  size_t flipped = 0;
  size_t at = 0;
  for (size_t i = 0; i < kRecords; ++i) {
    if (i % each == each - 1) {
      (*content)[at + 13] ^= 1;
      ++flipped;
    }
    at += 16 + RecordOf(i).size();
  }
  return flipped;
}

TEST(ThreadsSkipDamageOrFailWithIt) {
  std::string content = Content();
  const size_t flipped = FlipSome(&content, 200);
  const TestFile file("duckdb_scan_damage", content);
  InThreads(4, [&](size_t thread) {
    Named named = Spec();
    named["on_error"] = thread % 2 == 0 ? "skip" : "throw";
    const Result result = Run(Query({file.path}, named));
    return thread % 2 == 0 ? Unlike(result, kRecords - flipped)
                           : Unlike(result, 199, "TFR_CORRUPT_DATA");
  });
}

TEST(AnyBytesGiveRowsOrAnErrorWithACode) {
  const std::string whole = ContentOf(600);
  const std::string gzip = Gzip(whole);
  InThreads(4, [&](size_t thread) -> std::string {
    std::mt19937 random(static_cast<uint32_t>(100 + thread));
    for (size_t i = 0; i < 300; i += LoopStep()) {
      std::string bytes = i % 3 == 0 ? gzip : whole;
      for (uint32_t times = 1 + random() % 3; times > 0; --times) {
        const size_t at = random() % bytes.size();
        switch (random() % 4) {
          case 0:
            bytes[at] = static_cast<char>(random());
            break;
          case 1:
            bytes.resize(at + 1);
            break;
          case 2:
            bytes.insert(at, bytes.substr(random() % (at + 1), random() % 99));
            break;
          default:
            bytes.erase(at, 1 + random() % 99);
            if (bytes.empty()) bytes = "x";
        }
      }
      // Each has a name of its own: Windows deletes a file when the last thread
      // has closed it.
      const TestFile file(
          "duckdb_scan_any_" + std::to_string(thread) + "_" + std::to_string(i),
          bytes);
      Named named = i % 2 == 0 ? Named() : Spec();
      const char* const policies[] = {"throw", "skip", "stop"};
      named["on_error"] = policies[random() % 3];
      const Result result = Run(Query({file.path}, named));
      const std::string& error = result.error;
      if (!error.empty() && error.substr(0, 4) != "TFR_") return error;
    }
    return "";
  });
}

TEST(RowsOfLongDefaultsComeInShortChunks) {
  const TestFile file("duckdb_scan_defaults", Content());
  constexpr size_t kValues = size_t{1} << 18;
  std::string values = "1";
  for (size_t i = 1; i < kValues; ++i) values += ",1";
  const Query query({file.path},
                    {{"spec", R"({"long":{"type":"fixedLen","dtype":"int64",)"
                              R"("shape":[262144],"default":[)" +
                                  values + "]}}"}});
  CHECK_EQ(query.error(), "");
  Pass pass(query);
  std::vector<Row> rows;
  CHECK(pass.Next(&rows));
  // Eight take 16 MiB and their positions.
  CHECK_EQ(rows.size(), 7U);
}

TEST(AListWithoutMemoryIsAnError) {
  const TestFile file("duckdb_scan_memory", Content());
  const Query query({file.path}, Spec());
  duckdb::fake::OutOfMemory() = true;
  CHECK_EQ(Unlike(Run(query), 0, "ENOMEM: not enough memory"), "");
  duckdb::fake::OutOfMemory() = false;
  CHECK_EQ(Unlike(Run(query), kRecords), "");
}

}  // namespace
}  // namespace tfr::test
