#include "core/example/piece_reader.h"

#include <algorithm>
#include <new>
#include <utility>

namespace tfr {

namespace {

constexpr size_t kBlockBytes = size_t{256} << 10;
/// A piece is done at this size, however few its records are.
constexpr size_t kPieceBytes = size_t{2} << 20;
constexpr size_t kMaxHeldBytes = 2 * kPieceBytes;
/// Blocks read ahead of what was asked for.
constexpr size_t kAheadBlocks = 2;
constexpr size_t kPooledBlocks = 16;
/// Most memory of idle blocks (beyond `kBlockBytes` each) and of idle parsers.
/// Memory for large records is used again, because the system is slow to map
/// fresh pages.
constexpr size_t kSpareBlockBytes = size_t{32} << 20;
constexpr size_t kSpareParserBytes = size_t{32} << 20;
constexpr size_t kSpareParsers = 16;
/// The size of 2 MiB of records if each of their bytes is an int64.
constexpr size_t kKeptColumnBytes = 8 * kPieceBytes;
/// Large blocks are freed after so many fills that needed only `kBlockBytes`.
constexpr size_t kSmallFills = 64;
/// Longer values are copied once, from the block to where they are wanted.
constexpr size_t kReferFrom = size_t{4} << 10;

}  // namespace

PieceReader::PieceReader(std::unique_ptr<ByteSource> source,
                         const RecordStreamOptions& options,
                         std::shared_ptr<const Plan> plan, bool stop,
                         std::shared_ptr<const CancelToken::Flag> closing)
    : plan_(std::move(plan)),
      stop_(stop),
      cancel_(std::move(closing)),
      stream_(std::move(source), options) {
  pool_.reserve(kPooledBlocks);
  spare_parsers_.reserve(kSpareParsers);
}

void PieceReader::Submit(Request* request) {
  LinkedQueue<Request> formed;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ++away_;
    if (request->records == 0) {
      closing_.Push(request);
    } else {
      requests_.Push(request);
      wanted_ += request->records;
      formed = Advance();
    }
  }
  SubmitParses(formed);
  Leave();
}

void PieceReader::PassOver() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (filling_) return;
  stream_.PassOver();
  ended_ = false;
  blocks_.clear();
}

/// A closed flow may wait long for the collection of its handle.
void PieceReader::FreeHeld() {
  closed_ = true;
  blocks_.clear();
  pool_.clear();
  spare_parsers_.clear();
  spare_parser_bytes_ = 0;
}

void PieceReader::Recycle(Piece* piece) {
  std::lock_guard<std::mutex> lock(mutex_);
  piece->ranges.clear();
  FreeSpareBlocks(kSpareBlockBytes);
  if (piece->parser == nullptr || closed_) return;
  const size_t bytes = piece->parser->HeldBytes();
  if (spare_parsers_.size() < kSpareParsers &&
      spare_parser_bytes_ + bytes <= kSpareParserBytes) {
    spare_parser_bytes_ += bytes;
    spare_parsers_.push_back(std::move(piece->parser));
  }
}

/// Frees large idle blocks until they hold at most `keep` bytes.
void PieceReader::FreeSpareBlocks(size_t keep) {
  for (const std::shared_ptr<Reading>& block : pool_) {
    const size_t bytes = block->memory.capacity();
    if (block.use_count() > 1 || bytes <= kBlockBytes) continue;
    if (bytes > keep) {
      block->memory.Free();
    } else {
      keep -= bytes;
    }
  }
}

bool PieceReader::MayFill() const {
  if (filling_ || ended_ || short_of_memory_) return false;
  size_t records = 0;
  size_t bytes = 0;
  for (const auto& block : blocks_) {
    records += block->left();
    bytes += block->bytes;
  }
  const bool wanted = records < wanted_ || blocks_.size() < kAheadBlocks;
  return (wanted && bytes < kMaxHeldBytes) || Stuck();
}

/// Everything is there that was read, and the first request needs more.
bool PieceReader::Stuck() const {
  return !requests_.empty() &&
         std::all_of(blocks_.begin(), blocks_.end(),
                     [](const auto& block) { return block->complete; });
}

std::shared_ptr<PieceReader::Reading> PieceReader::TakeBlock() {
  if (small_fills_ == kSmallFills) FreeSpareBlocks(0);
  std::shared_ptr<Reading> found;
  for (const std::shared_ptr<Reading>& block : pool_) {
    // References are dropped with the lock held.
    if (block.use_count() > 1) continue;
    if (found == nullptr || FitsBetter(*block, *found)) found = block;
  }
  if (found != nullptr) {
    found->fill = Fill();
    found->complete = false;
    found->records = found->bytes = found->taken = found->left_payload = 0;
    return found;
  }
  auto block = std::make_shared<Reading>();
  if (pool_.size() < kPooledBlocks) pool_.push_back(block);
  return block;
}

/// True if `block` suits a fill as large as the last one better than `other`:
/// the smallest block that is large enough, else the largest.
bool PieceReader::FitsBetter(const Block& block, const Block& other) const {
  const size_t bytes = block.memory.capacity();
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

/// Null when memory ran out: then nothing happened.
std::shared_ptr<PieceReader::Reading> PieceReader::BeginFill() {
  try {
    blocks_.push_back(TakeBlock());
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  filling_ = true;
  ++away_;
  return blocks_.back();
}

/// Where inflating takes long, the thread that does it goes on with the next
/// block, and others look at this one: waking them costs nobody time then.
void PieceReader::RunFill(std::shared_ptr<Reading> block) {
  for (;;) {
    const size_t bytes = FillBlock(block.get());
    std::shared_ptr<Reading> next;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      NoteFill(block.get(), bytes);
      filling_ = false;
      ended_ = block->fill.outcome != FillOutcome::kMore;
      // Without memory `Advance` tries again, and tells.
      if (MayFill()) next = BeginFill();
    }
    if (next == nullptr) return RunComplete(std::move(block));
    if (block->fill.compression == Compression::kNone) {
      Reading::Submit(next, shared_from_this(), &PieceReader::RunFill);
      return RunComplete(std::move(block));
    }
    Reading::Submit(block, shared_from_this(), &PieceReader::RunComplete);
    block = std::move(next);
  }
}

void PieceReader::RunComplete(std::shared_ptr<Reading> block) {
  stream_.Complete(block->memory.data(), cancel_, &block->fill);
  for (const Frame& frame : block->fill.frames) {
    block->left_payload += frame.length;
  }
  LinkedQueue<Request> formed;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    Note(block.get());
    block->complete = true;
    ended_ |= block->fill.outcome != FillOutcome::kMore;
    formed = Advance();
  }
  // One is for this thread.
  Request* const first = formed.Pop();
  SubmitParses(formed);
  if (first != nullptr) RunParse(first);
  // Before the flow may go.
  block.reset();
  Leave();
}

/// What the steps of reading found, for those who look with the lock held.
void PieceReader::Note(Block* block) {
  block->records = block->fill.frames.size();
}

/// Call it with the lock held, after the first step of reading.
void PieceReader::NoteFill(Block* block, size_t bytes) {
  Note(block);
  block->bytes = last_fill_bytes_ = bytes;
  small_fills_ =
      bytes > kBlockBytes ? 0 : std::min(small_fills_ + 1, kSmallFills);
}

/// Returns the number of bytes of memory that the fill took.
size_t PieceReader::FillBlock(Block* block) {
  size_t size = kBlockBytes;
  do {
    // Frees first, so that the old content is not copied.
    if (block->memory.capacity() < size) block->memory.Free();
    if (!block->memory.Reserve(size)) {
      block->fill.outcome = FillOutcome::kHalt;
      block->fill.halt = MemoryFault();
      return size;
    }
    stream_.FillSlab(block->memory.data(), size, cancel_, &block->fill);
    if (block->fill.outcome == FillOutcome::kGrow) {
      size = static_cast<size_t>(block->fill.grow_to);
    }
  } while (block->fill.outcome == FillOutcome::kGrow);
  return size;
}

/// Forms the pieces that can be formed, and begins a fill if more is wanted.
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
  if (MayFill()) {
    if (const std::shared_ptr<Reading> block = BeginFill()) {
      Reading::Submit(block, shared_from_this(), &PieceReader::RunFill);
    } else {
      // Else a block that is on its way tries again.
      short_of_memory_ = Stuck();
    }
  }
  while (short_of_memory_ && !requests_.empty()) {
    Request* const request = requests_.Pop();
    wanted_ -= request->records;
    request->piece.Halt(MemoryFault());
    ++away_;
    formed.Push(request);
  }
  return formed;
}

/// Gives the first request what is there for it, if that is enough. Throws
/// before it changes anything.
bool PieceReader::FormPiece() {
  Request* const request = requests_.front();
  const size_t wanted = request->records;
  size_t records = 0;
  size_t bytes = 0;
  size_t whole = 0;  // Blocks that are given in whole.
  bool last = false;
  for (const auto& block : blocks_) {
    if (!block->complete || records >= wanted || bytes >= kPieceBytes) break;
    records += block->left();
    bytes += block->left_payload;
    ++whole;
    last = block->fill.outcome != FillOutcome::kMore;
    if (last) break;  // What was read behind it does not count.
  }
  if (records < wanted && bytes < kPieceBytes && !last) return false;

  Piece& piece = request->piece;
  piece.ranges.reserve(whole);
  piece.parser = TakeParser();
  size_t open = wanted;
  for (size_t i = 0; i < whole; ++i) {
    Block& block = *blocks_[i];
    const size_t count = std::min(open, block.left());
    if (count == 0) continue;
    piece.ranges.push_back({blocks_[i], block.taken, block.taken + count});
    for (size_t end = block.taken + count; block.taken < end; ++block.taken) {
      block.left_payload -= block.fill.frames[block.taken].length;
    }
    open -= count;
  }
  const Block& reached = *blocks_[whole - 1];
  piece.compressed_bytes = reached.fill.compressed_bytes;
  piece.total_bytes = reached.fill.total_bytes;
  piece.compression = reached.fill.compression;
  const bool at_end = reached.left() == 0 && last;
  piece.outcome = at_end ? reached.fill.outcome : FillOutcome::kMore;
  if (at_end) piece.halt = reached.fill.halt;

  while (!blocks_.empty() && blocks_.front()->complete &&
         blocks_.front()->left() == 0 &&
         blocks_.front()->fill.outcome == FillOutcome::kMore) {
    blocks_.pop_front();
  }
  // A source that ran dry may have more by now.
  if (piece.outcome == FillOutcome::kInput) {
    blocks_.pop_front();
    ended_ = false;
  }
  wanted_ -= wanted;
  return true;
}

void PieceReader::SubmitParses(LinkedQueue<Request> formed) {
  while (Request* const request = formed.Pop()) {
    request->flow = shared_from_this();
    ThreadPool::Shared().Submit(request);
  }
}

void PieceReader::RunParse(Request* request) {
  Piece& piece = request->piece;
  if (piece.parser != nullptr) ParsePiece(stop_, &piece);
  if (piece.parser == nullptr || !piece.parser->refers_to_slabs()) {
    std::lock_guard<std::mutex> lock(mutex_);
    piece.ranges.clear();
  }
  request->Done();
  Leave();
}

/// Ends a task. The last one closes, when that was asked for.
void PieceReader::Leave() {
  LinkedQueue<Request> done;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (--away_ == 0 && !closing_.empty()) {
      stream_.Close();
      FreeHeld();
      done = closing_.TakeAll();
    }
  }
  while (Request* const each = done.Pop()) each->Done();
}

}  // namespace tfr
