#include "core/example/flow/piece_reader.h"

#include <algorithm>
#include <new>
#include <utility>

namespace tfr {

namespace {

constexpr size_t kSlabBytes = SlabStream::kNativeSlab;
/// A piece is complete at this size, even with fewer records than requested.
constexpr size_t kPieceBytes = size_t{2} << 20;
constexpr size_t kMaxHeldBytes = 2 * kPieceBytes;
/// Slabs to read ahead of the requests.
constexpr size_t kAheadSlabs = 2;
constexpr size_t kPooledSlabs = 16;
/// Limits on the memory of idle slabs (beyond `kSlabBytes` each) and idle
/// parsers. Memory for large records is reused because mapping fresh pages is
/// slow.
constexpr size_t kSpareSlabBytes = size_t{32} << 20;
constexpr size_t kSpareParserBytes = size_t{32} << 20;
constexpr size_t kSpareParsers = 16;
/// The column memory for 2 MiB of records in which each byte is an int64.
constexpr size_t kKeptColumnBytes = 8 * kPieceBytes;
/// Large slabs are freed after this many fills in a row that needed only
/// `kSlabBytes`.
constexpr size_t kSmallFills = 64;
/// Values from this size on stay in the slab, and are copied only to their
/// destination.
constexpr size_t kReferFrom = size_t{4} << 10;

}  // namespace

PieceReader::PieceReader(std::unique_ptr<ByteSource> source,
                         const ReaderSpec& spec,
                         std::shared_ptr<const Plan> plan,
                         std::shared_ptr<const CancelToken::Flag> closing)
    : plan_(std::move(plan)),
      stop_(!spec.continues),
      slab_reader_(NewSlabReader(std::move(source), spec, std::move(closing))) {
  pool_.reserve(kPooledSlabs);
  spare_parsers_.reserve(kSpareParsers);
}

void PieceReader::Submit(Request* request) {
  LinkedQueue<Request> formed;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ++away_;
    requests_.Push(request);
    wanted_ += request->records;
    formed = Advance();
  }
  SubmitParses(formed);
  Leave();
}

void PieceReader::Close(SlabReader::Closing* closing) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ++away_;
    closing_.Push(closing);
  }
  Leave();
}

void PieceReader::Skip() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (filling_) return;
  slab_reader_->Skip();
  ended_ = false;
  window_.clear();
}

/// Frees memory early: a closed reader may live until its handle is collected.
void PieceReader::FreeHeld() {
  closed_ = true;
  window_.clear();
  pool_.clear();
  spare_parsers_.clear();
  spare_parser_bytes_ = 0;
}

void PieceReader::Recycle(Piece* piece) {
  std::lock_guard<std::mutex> lock(mutex_);
  piece->runs.clear();
  FreeSpareSlabs(kSpareSlabBytes);
  if (piece->parser == nullptr || closed_) return;
  const size_t bytes = piece->parser->HeldBytes();
  if (spare_parsers_.size() < kSpareParsers &&
      spare_parser_bytes_ + bytes <= kSpareParserBytes) {
    spare_parser_bytes_ += bytes;
    spare_parsers_.push_back(std::move(piece->parser));
  }
}

/// Frees large idle slabs until they hold at most `keep` bytes.
void PieceReader::FreeSpareSlabs(size_t keep) {
  for (const std::shared_ptr<Slab>& slab : pool_) {
    // References are dropped with the lock held, so a count of 1 is final;
    // threads may use slabs with more.
    if (slab.use_count() > 1) continue;
    const size_t bytes = slab->memory.capacity();
    if (bytes <= kSlabBytes) continue;
    if (bytes > keep) {
      slab->memory.Free();
    } else {
      keep -= bytes;
    }
  }
}

bool PieceReader::MayFill() const {
  if (filling_ || ended_ || short_of_memory_) return false;
  size_t records = 0;
  size_t bytes = 0;
  for (const auto& slab : window_) {
    records += slab->left();
    bytes += slab->bytes;
  }
  const bool wanted = records < wanted_ || window_.size() < kAheadSlabs;
  return (wanted && bytes < kMaxHeldBytes) || Stuck();
}

/// True if all slabs are complete and the first request needs more.
bool PieceReader::Stuck() const {
  return !requests_.empty() &&
         std::all_of(window_.begin(), window_.end(),
                     [](const auto& slab) { return slab->complete; });
}

std::shared_ptr<PieceReader::Slab> PieceReader::TakeSlab() {
  if (small_fills_ == kSmallFills) FreeSpareSlabs(0);
  std::shared_ptr<Slab> found;
  for (const std::shared_ptr<Slab>& slab : pool_) {
    if (slab.use_count() > 1) continue;
    if (found == nullptr || FitsBetter(*slab, *found)) found = slab;
  }
  if (found != nullptr) {
    found->slab = nullptr;
    found->size = 0;
    found->fill = SlabFill();
    found->complete = false;
    found->records = found->bytes = found->taken = found->left_payload = 0;
    return found;
  }
  auto slab = std::make_shared<Slab>();
  if (pool_.size() < kPooledSlabs) pool_.push_back(slab);
  return slab;
}

/// True if `slab` suits a fill of the size of the last one better than `other`:
/// prefers the smallest slab that is large enough, else the largest.
bool PieceReader::FitsBetter(const Slab& slab, const Slab& other) const {
  const size_t bytes = slab.memory.capacity();
  const size_t others = other.memory.capacity();
  if (bytes < last_fill_bytes_) return bytes > others;
  return others < last_fill_bytes_ || bytes < others;
}

std::unique_ptr<BatchParser> PieceReader::TakeParser() {
  if (spare_parsers_.empty()) {
    return std::make_unique<BatchParser>(plan_, kReferFrom, kKeptColumnBytes);
  }
  std::unique_ptr<BatchParser> parser = std::move(spare_parsers_.back());
  spare_parsers_.pop_back();
  spare_parser_bytes_ -= parser->HeldBytes();
  return parser;
}

/// Returns false, with no effect, when memory runs out.
bool PieceReader::BeginFill() {
  try {
    window_.push_back(TakeSlab());
  } catch (const std::bad_alloc&) {
    return false;
  }
  Slab* const slab = window_.back().get();
  slab->reader = shared_from_this();
  slab->self = window_.back();
  filling_ = true;
  ++away_;
  slab_reader_->Fill(slab);
  return true;
}

bool PieceReader::Slab::Grow(uint64_t needed) {
  const auto wanted = std::max(static_cast<size_t>(needed), kSlabBytes);
  // Freeing first avoids copying the old content.
  if (memory.capacity() < wanted) memory.Free();
  if (!memory.Reserve(wanted)) return false;
  slab = memory.data();
  size = wanted;
  return true;
}

void PieceReader::NoteFilled(Slab* slab) {
  SlabFill& fill = slab->fill;
  if (fill.outcome == FillOutcome::kGrow) {
    fill.outcome = FillOutcome::kHalt;
    fill.halt = MemoryFault();
  }
  std::lock_guard<std::mutex> lock(mutex_);
  slab->records = fill.frames.size();
  slab->bytes = last_fill_bytes_ = slab->size;
  small_fills_ =
      slab->bytes > kSlabBytes ? 0 : std::min(small_fills_ + 1, kSmallFills);
  filling_ = false;
  ended_ = fill.outcome != FillOutcome::kMore;
  // If memory runs out here, `Advance` tries again and reports it.
  if (MayFill()) BeginFill();
}

void PieceReader::RunCompleted(std::shared_ptr<Slab> slab) {
  for (const Frame& frame : slab->fill.frames) {
    slab->left_payload += frame.length;
  }
  LinkedQueue<Request> formed;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    slab->records = slab->fill.frames.size();
    slab->complete = true;
    ended_ |= slab->fill.outcome != FillOutcome::kMore;
    formed = Advance();
  }
  // This thread parses the first one itself.
  Request* const first = formed.Pop();
  SubmitParses(formed);
  if (first != nullptr) RunParse(first);
  // The slab must be released before the reader may be closed.
  slab.reset();
  Leave();
}

/// Forms as many pieces as possible, and begins a fill if more data is needed.
/// Returns the requests that are ready to be parsed.
LinkedQueue<PieceReader::Request> PieceReader::Advance() {
  LinkedQueue<Request> formed;
  try {
    while (!short_of_memory_ && !requests_.empty() && FormPiece()) {
      ++away_;
      formed.Push(requests_.Pop());
    }
  } catch (const std::bad_alloc&) {
    short_of_memory_ = true;
  }
  // On failure, the completion of a pending slab tries again.
  if (MayFill() && !BeginFill()) short_of_memory_ = Stuck();
  while (short_of_memory_ && !requests_.empty()) {
    Request* const request = requests_.Pop();
    wanted_ -= request->records;
    request->piece.Halt(MemoryFault());
    ++away_;
    formed.Push(request);
  }
  return formed;
}

/// Forms the piece of the first request if enough data is available. Throws
/// before it changes anything.
bool PieceReader::FormPiece() {
  Request* const request = requests_.front();
  const size_t wanted = request->records;
  size_t records = 0;
  size_t bytes = 0;
  size_t whole = 0;  // Number of slabs to take from.
  bool last = false;
  for (const auto& slab : window_) {
    if (!slab->complete || records >= wanted || bytes >= kPieceBytes) break;
    records += slab->left();
    bytes += slab->left_payload;
    ++whole;
    last = slab->fill.outcome != FillOutcome::kMore;
    if (last) break;  // Nothing after the end or a halt counts.
  }
  if (records < wanted && bytes < kPieceBytes && !last) return false;

  Piece& piece = request->piece;
  piece.runs.reserve(whole);
  piece.parser = TakeParser();
  size_t open = wanted;
  for (size_t i = 0; i < whole; ++i) {
    Slab& slab = *window_[i];
    const size_t count = std::min(open, slab.left());
    if (count == 0) continue;
    piece.runs.push_back({window_[i], slab.taken, slab.taken + count});
    for (size_t end = slab.taken + count; slab.taken < end; ++slab.taken) {
      slab.left_payload -= slab.fill.frames[slab.taken].length;
    }
    open -= count;
  }
  const Slab& reached = *window_[whole - 1];
  piece.compressed_bytes = reached.fill.compressed_bytes;
  piece.total_bytes = reached.fill.total_bytes;
  piece.compression = reached.fill.compression;
  const bool at_end = reached.left() == 0 && last;
  piece.outcome = at_end ? reached.fill.outcome : FillOutcome::kMore;
  if (at_end) piece.halt = reached.fill.halt;

  while (!window_.empty() && window_.front()->complete &&
         window_.front()->left() == 0 &&
         window_.front()->fill.outcome == FillOutcome::kMore) {
    window_.pop_front();
  }
  // A source that ran dry may have more data by now.
  if (piece.outcome == FillOutcome::kInput) {
    window_.pop_front();
    ended_ = false;
  }
  wanted_ -= wanted;
  return true;
}

void PieceReader::SubmitParses(LinkedQueue<Request> formed) {
  while (Request* const request = formed.Pop()) {
    request->reader_ = shared_from_this();
    ThreadPool::Shared().Submit(request);
  }
}

void PieceReader::RunParse(Request* request) {
  Piece& piece = request->piece;
  if (piece.parser != nullptr) ParsePiece(stop_, &piece);
  if (piece.parser == nullptr || !piece.parser->refers_to_slabs()) {
    std::lock_guard<std::mutex> lock(mutex_);
    piece.runs.clear();
  }
  request->Done();
  Leave();
}

/// Ends a fill, a parse or a call. The last one closes the reader, if
/// requested.
void PieceReader::Leave() {
  LinkedQueue<SlabReader::Closing> closing;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (--away_ == 0 && !closing_.empty()) {
      FreeHeld();
      closing = closing_.TakeAll();
    }
  }
  while (SlabReader::Closing* const each = closing.Pop()) {
    slab_reader_->Close(each);
  }
}

}  // namespace tfr
