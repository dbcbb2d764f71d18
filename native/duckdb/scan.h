#ifndef TFR_DUCKDB_SCAN_H_
#define TFR_DUCKDB_SCAN_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/cancel.h"
#include "core/example/flow/piece_reader.h"
#include "core/example/flow/waited_pieces.h"
#include "duckdb/host.h"

namespace tfr::duckdb {

/// Passes the records of a reading to DuckDB, chunk by chunk. Pool threads read
/// and parse ahead; one thread at a time calls it and waits for them.
class Scan final : public Rows {
 public:
  /// `columns`: those of the query, of which `used` are read.
  Scan(const Api& api, const std::vector<Column>& columns,
       const std::vector<uint64_t>& used, std::unique_ptr<Reading> reading);
  Scan(const Scan&) = delete;
  Scan& operator=(const Scan&) = delete;
  ~Scan() override;

  [[nodiscard]] bool Fill(DataChunk chunk, std::string* error) override;

 private:
  /// A file that is being read.
  struct Open {
    size_t file;
    std::shared_ptr<PieceReader> reader;
    WaitedPieces waited;
  };

  [[nodiscard]] bool OpenFile(std::string* error);
  [[nodiscard]] bool TakePiece(std::string* error);
  [[nodiscard]] bool EndPiece(std::string* error);
  [[nodiscard]] bool JudgeFault(std::string* error);
  Verdict Judge(Event event, std::string* error);
  Event EventAt(Event::Kind kind, size_t index) const;
  void CloseFile();
  bool BeginsForeign() const;
  size_t rows() const;
  size_t FaultRow() const;
  size_t TextFaultRow() const;
  size_t EventRow() const;
  [[nodiscard]] bool Report(std::string* error);
  size_t RecordOf(size_t row) const;
  uint64_t OffsetOf(size_t index) const;
  void Write(DataChunk chunk, size_t count);
  void WriteNumbers(ScanColumn::Kind kind, size_t count, int64_t* to) const;

  const Api& api_;
  const std::vector<Column> columns_;
  const std::unique_ptr<Reading> reading_;
  /// Maximum number of records of a piece.
  const size_t piece_records_;
  /// The columns of the plan whose values must be UTF-8.
  std::vector<uint32_t> texts_;
  const std::shared_ptr<CancelToken::Flag> closing_;

  size_t next_file_ = 0;
  std::unique_ptr<Open> open_;
  bool ended_ = false;
  /// Rows that were handed out since the last event.
  uint64_t passed_ = 0;

  /// The piece whose rows are passed on, if `has_piece_`.
  Piece piece_;
  bool has_piece_ = false;
  std::vector<TextFault> text_faults_;
  size_t row_ = 0;
  /// The next ones of `piece_.faults`, `text_faults_` and `piece_.events`.
  size_t fault_ = 0;
  size_t text_ = 0;
  size_t foreign_ = 0;
  std::chrono::steady_clock::time_point reported_;
};

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_SCAN_H_
