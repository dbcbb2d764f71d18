#include "duckdb/scan.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/crc32c/record_format.h"
#include "core/example/parse/plan/rows_within.h"
#include "core/io/file_source.h"
#include "duckdb/write_column.h"

namespace tfr::duckdb {
namespace {

/// Maximum number of records of a piece: two chunks of DuckDB.
constexpr size_t kPieceRecords = 4096;
/// Maximum size of what the rows of a piece take however short its records are.
/// DuckDB gets copies of no more rows at once.
constexpr uint64_t kPieceBytes = uint64_t{16} << 20U;
/// Number of pieces that pool threads parse while DuckDB works on one.
constexpr size_t kPiecesAhead = 3;
/// Time between two reports of progress.
constexpr std::chrono::milliseconds kReportEvery(20);

constexpr size_t kNever = std::numeric_limits<size_t>::max();

/// True if the first row has no values except defaults.
bool IsEmptyRow(const BatchParser& parser) {
  const std::vector<ColumnPlan>& columns = parser.plan().columns;
  for (size_t i = 0; i < columns.size(); ++i) {
    const ColumnPlan& plan = columns[i];
    if (!plan.fallback.empty()) continue;
    const ColumnData& data = parser.column(i);
    const TypedBuffer<int32_t>& starts = plan.optional ? data.present
                                         : plan.section == Section::kLists
                                             ? data.steps
                                             : data.splits;
    if (starts.size() < 2 || starts[1] != 0) return false;
  }
  return true;
}

}  // namespace

std::unique_ptr<Rows> ReadingQuery::Open(const Api& api,
                                         const std::vector<uint64_t>& used,
                                         std::string* error) {
  std::unique_ptr<Reading> reading = Begin(used, error);
  if (reading == nullptr) return nullptr;
  return std::make_unique<Scan>(api, columns, used, std::move(reading));
}

Scan::Scan(const Api& api, const std::vector<Column>& columns,
           const std::vector<uint64_t>& used, std::unique_ptr<Reading> reading)
    : api_(api),
      columns_([&] {
        std::vector<Column> own;
        own.reserve(used.size());
        for (const uint64_t index : used) {
          own.push_back(index < columns.size() ? columns[index] : Column());
        }
        return own;
      }()),
      reading_(std::move(reading)),
      piece_records_(RowsWithin(*reading_->plan, kPieceBytes, kPieceRecords)),
      closing_(std::make_shared<CancelToken::Flag>(false)) {
  for (size_t i = 0; i < reading_->columns.size(); ++i) {
    const ScanColumn& column = reading_->columns[i];
    if (column.kind == ScanColumn::kFeature && columns_[i].type == kVarchar) {
      texts_.push_back(static_cast<uint32_t>(column.index));
    }
  }
  std::sort(texts_.begin(), texts_.end());
}

Scan::~Scan() {
  closing_->store(true);
  CloseFile();
}

bool Scan::Fill(DataChunk chunk, std::string* error) {
  while (!ended_) {
    if (open_ == nullptr) {
      if (!OpenFile(error)) return false;
      continue;
    }
    if (!has_piece_) {
      if (!TakePiece(error)) return false;
      continue;
    }
    const size_t refused = std::min({FaultRow(), TextFaultRow(), EventRow()});
    const size_t until = std::min(refused, rows());
    if (row_ < until) {
      if (!Report(error)) return false;
      const size_t count = std::min<size_t>(api_.vector_size(), until - row_);
      Write(chunk, count);
      row_ += count;
      passed_ += count;
      return true;
    }
    if (!(refused != kNever ? JudgeFault(error) : EndPiece(error))) {
      return false;
    }
  }
  api_.data_chunk_set_size(chunk, 0);
  return true;
}

/// Opens the next file, if there is one that can be read; else ends.
bool Scan::OpenFile(std::string* error) {
  if (next_file_ == reading_->files.size()) {
    ended_ = true;
    return Judge(Event(), error) != Verdict::kError;
  }
  const size_t index = next_file_++;
  const File& file = reading_->files[index];
  if (file.refused) {
    Event event;
    event.kind = Event::kRefused;
    event.file = index;
    return Judge(event, error) != Verdict::kError;
  }
  open_.reset(new Open{index, nullptr, {}});
  open_->reader = std::make_shared<PieceReader>(
      NewFileSource(file.path, file.spec.start.position()), file.spec,
      reading_->plan, closing_);
  return true;
}

/// Waits for the next piece of the file, unless the host gives the file up
/// because of its first record.
bool Scan::TakePiece(std::string* error) {
  WaitedPieces& waited = open_->waited;
  while (waited.size() <= kPiecesAhead) {
    waited.Submit(open_->reader.get(), piece_records_,
                  reading_->refuses_events);
  }
  piece_ = waited.Take();
  has_piece_ = true;
  row_ = fault_ = text_ = foreign_ = 0;
  text_faults_.clear();
  if (piece_.parser == nullptr) return true;
  text_faults_ = FindTextFaults(*piece_.parser, texts_);
  if (!BeginsForeign()) return true;
  Event event;
  event.kind = Event::kType;
  event.file = open_->file;
  event.piece = &piece_;
  const Verdict verdict = Judge(event, error);
  if (verdict == Verdict::kNextFile) {
    has_piece_ = false;
    open_->reader->Recycle(&piece_);
    CloseFile();
  }
  return verdict != Verdict::kError;
}

/// True if the first record of the file is clearly of another type, and its row
/// has no values, though the query uses some. A faulty record has no row, and
/// is judged by its fault.
bool Scan::BeginsForeign() const {
  return piece_.first_type != RecordType::kExample && rows() > 0 &&
         FaultRow() != 0 && !reading_->plan->columns.empty() &&
         IsEmptyRow(*piece_.parser);
}

/// Leaves the piece, whose rows and faults are done with.
bool Scan::EndPiece(std::string* error) {
  Verdict verdict = Verdict::kContinue;
  if (piece_.outcome == FillOutcome::kEnd) verdict = Verdict::kNextFile;
  if (piece_.outcome == FillOutcome::kHalt) {
    Event event;
    event.kind = Event::kHalt;
    event.file = open_->file;
    event.piece = &piece_;
    verdict = Judge(event, error);
  }
  has_piece_ = false;
  if (open_ != nullptr) open_->reader->Recycle(&piece_);
  if (verdict == Verdict::kSkip) {
    // The pieces that were requested ahead repeat the halt.
    open_->waited.Finish();
    open_->reader->Skip();
  }
  if (verdict == Verdict::kNextFile) CloseFile();
  return verdict != Verdict::kError;
}

/// Asks the host about the next faulty record.
bool Scan::JudgeFault(std::string* error) {
  if (FaultRow() <= std::min(TextFaultRow(), EventRow())) {
    const RowFault& fault = piece_.faults[fault_];
    Event event = EventAt(Event::kRecord, fault.index);
    event.fault = &fault;
    ++fault_;
    return Judge(event, error) != Verdict::kError;
  }
  // A refused row is passed over.
  ++row_;
  if (EventRow() < TextFaultRow()) {
    const size_t row = piece_.events[foreign_++];
    return Judge(EventAt(Event::kForeign, RecordOf(row)), error) !=
           Verdict::kError;
  }
  const TextFault& fault = text_faults_[text_++];
  Event event = EventAt(Event::kText, RecordOf(fault.row));
  event.text = &fault;
  return Judge(event, error) != Verdict::kError;
}

/// Reports progress to the host if it is time. Returns false if the host ends
/// the query.
bool Scan::Report(std::string* error) {
  if (!reading_->reports) return true;
  const auto now = std::chrono::steady_clock::now();
  if (now - reported_ < kReportEvery) return true;
  reported_ = now;
  Event event;
  event.kind = Event::kProgress;
  event.file = open_->file;
  event.piece = &piece_;
  return Judge(event, error) != Verdict::kError;
}

Event Scan::EventAt(Event::Kind kind, size_t index) const {
  Event event;
  event.kind = kind;
  event.file = open_->file;
  event.piece = &piece_;
  event.index = index;
  event.record = piece_.first_record + index;
  event.offset = OffsetOf(index);
  return event;
}

/// The offset in the content of the record with this index in the piece.
uint64_t Scan::OffsetOf(size_t index) const {
  uint64_t offset = piece_.offset + kFramingSize * index;
  for (size_t i = 0; i < index; ++i) offset += piece_.lengths[i];
  return offset;
}

Verdict Scan::Judge(Event event, std::string* error) {
  event.passed = std::exchange(passed_, 0);
  const Verdict verdict = reading_->Judge(event, error);
  if (verdict == Verdict::kStop || verdict == Verdict::kError) ended_ = true;
  return verdict;
}

void Scan::CloseFile() {
  if (open_ == nullptr) return;
  open_->reader->Cancel();
  open_.reset();
}

size_t Scan::rows() const {
  return piece_.parser == nullptr ? 0 : piece_.parser->rows();
}

/// The row before which the next record without a row lies.
size_t Scan::FaultRow() const {
  if (fault_ == piece_.faults.size()) return kNever;
  return piece_.faults[fault_].index - fault_;
}

size_t Scan::TextFaultRow() const {
  return text_ == text_faults_.size() ? kNever : text_faults_[text_].row;
}

size_t Scan::EventRow() const {
  return foreign_ == piece_.events.size() ? kNever : piece_.events[foreign_];
}

/// The index in the piece of the record of `row`.
size_t Scan::RecordOf(size_t row) const {
  size_t index = row;
  for (const RowFault& fault : piece_.faults) {
    if (fault.index > index) break;
    ++index;
  }
  return index;
}

void Scan::Write(DataChunk chunk, size_t count) {
  api_.data_chunk_set_size(chunk, count);
  for (size_t i = 0; i < reading_->columns.size(); ++i) {
    const ScanColumn& column = reading_->columns[i];
    const Vector vector = api_.data_chunk_get_vector(chunk, i);
    if (column.kind == ScanColumn::kFeature) {
      WriteColumn(api_, columns_[i], reading_->plan->columns[column.index],
                  piece_.parser->column(column.index), {row_, row_ + count},
                  vector);
    } else if (column.kind == ScanColumn::kFileName) {
      WriteText(api_, reading_->files[open_->file].name, count, vector);
    } else {
      WriteNumbers(column.kind, count,
                   static_cast<int64_t*>(api_.vector_get_data(vector)));
    }
  }
}

/// The numbers, or the offsets, of the records of the next `count` rows.
void Scan::WriteNumbers(ScanColumn::Kind kind, size_t count,
                        int64_t* to) const {
  size_t index = RecordOf(row_);
  uint64_t offset = OffsetOf(index);
  for (size_t row = 0; row < count; ++row) {
    for (const size_t own = RecordOf(row_ + row); index < own; ++index) {
      offset += kFramingSize + piece_.lengths[index];
    }
    to[row] = static_cast<int64_t>(kind == ScanColumn::kRecordOffset
                                       ? offset
                                       : piece_.first_record + index);
  }
}

}  // namespace tfr::duckdb
