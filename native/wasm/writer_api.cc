#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/io/file_sink.h"
#include "core/io/memory_sink.h"
#include "core/write/slab_encoder.h"
#include "core/write/slab_writer.h"
#include "wasm/exports.h"
#include "wasm/job.h"

namespace tfr::wasm {
namespace {

/// The object behind a WriterHandle.
struct Writer {
  std::shared_ptr<SlabWriter> slabs;
  /// The sink if JavaScript delivers the output; else null.
  MemorySink* memory;
};

/// Settles with a `WriteResult` of lib/native/binding.ts.
class WriteJob final : public Job, public SlabWriter::Call {
 public:
  explicit WriteJob(MemorySink* memory) : memory_(memory) {}

  void Done(const WriteOutcome& outcome) noexcept override {
    outcome_ = outcome;
    if (memory_ != nullptr) output_ = memory_->Take();
    bytes_.Free();
    Settle();
  }

  void Result(Report* report) override {
    report->Add(static_cast<double>(outcome_.file_bytes))
        .Add(outcome_.replaced_other ? 1 : 0)
        .AddAddress(output_ ? output_->data() : nullptr)
        .Add(output_ ? static_cast<double>(output_->size()) : 0)
        .AddFault(outcome_.fault);
  }

  /// Memory for a slab; JavaScript copies it here.
  uint8_t* NewSlab(size_t size) {
    NeedMemory(bytes_.Reserve(size));
    bytes_.Resize(size);
    return bytes_.data();
  }
  ByteBuffer& bytes() { return bytes_; }

 private:
  MemorySink* const memory_;
  WriteOutcome outcome_;
  std::unique_ptr<ByteBuffer> output_;
  ByteBuffer bytes_;
};

std::unique_ptr<SlabEncoder> NewEncoder(uint32_t compression, int level) {
  auto encoder = NewSlabEncoder(static_cast<Compression>(compression), level);
  NeedMemory(encoder != nullptr);
  return encoder;
}

template <class Call>
Job* Begin(Writer* writer, Call call) {
  return Guarded([&]() -> Job* {
    auto* const begun = new WriteJob(writer->memory);
    call(writer->slabs.get(), begun);
    return begun;
  });
}

/// Slabs that become a whole file at once.
struct Encoding {
  std::vector<std::unique_ptr<ByteBuffer>> memory;
  std::vector<Slab> slabs;
  std::unique_ptr<ByteBuffer> output;
};

}  // namespace

/// Without a path (null), JavaScript delivers the output.
TFR_EXPORT(tfr_writer_open)
Writer* tfr_writer_open(const char* path, size_t size, uint32_t compression,
                        int level, bool atomic) {
  return Guarded([&] {
    auto writer = std::make_unique<Writer>();
    std::unique_ptr<ByteSink> sink;
    if (path != nullptr) {
      sink = NewFileSink({path, size}, atomic);
    } else {
      sink.reset(writer->memory = new MemorySink);
    }
    writer->slabs = std::make_shared<SlabWriter>(NewEncoder(compression, level),
                                                 std::move(sink), 1, nullptr);
    return writer.release();
  });
}

TFR_EXPORT(tfr_writer_start)
Job* tfr_writer_start(Writer* writer, double before) {
  return Begin(writer, [&](auto* slabs, auto* call) {
    slabs->Start(call, static_cast<uint64_t>(before));
  });
}

/// A job for a slab of `size` bytes, which go to `tfr_write_slab`.
TFR_EXPORT(tfr_write_new)
WriteJob* tfr_write_new(Writer* writer, size_t size) {
  return Guarded([&] {
    auto job = std::make_unique<WriteJob>(writer->memory);
    job->NewSlab(size);
    return job.release();
  });
}

TFR_EXPORT(tfr_write_slab)
uint8_t* tfr_write_slab(WriteJob* job) { return job->bytes().data(); }

/// Returns the same job, as one that settles.
TFR_EXPORT(tfr_writer_push)
Job* tfr_writer_push(Writer* writer, WriteJob* job, uint32_t records) {
  ByteBuffer& bytes = job->bytes();
  writer->slabs->Push({bytes.data(), bytes.size(), records}, job);
  return job;
}

TFR_EXPORT(tfr_writer_flush)
Job* tfr_writer_flush(Writer* writer, bool sync) {
  return Begin(writer,
               [=](auto* slabs, auto* call) { slabs->Flush(sync, call); });
}

TFR_EXPORT(tfr_writer_close)
Job* tfr_writer_close(Writer* writer) {
  return Begin(writer, [](auto* slabs, auto* call) { slabs->Close(call); });
}

TFR_EXPORT(tfr_writer_abort)
Job* tfr_writer_abort(Writer* writer) {
  writer->slabs->token().Cancel();
  return Begin(writer, [](auto* slabs, auto* call) { slabs->Abort(call); });
}

/// The handle was collected.
TFR_EXPORT(tfr_writer_free)
void tfr_writer_free(Writer* writer) {
  writer->slabs->token().Cancel();
  delete writer;
}

TFR_EXPORT(tfr_encoding_new)
Encoding* tfr_encoding_new() {
  return Guarded([] { return new Encoding; });
}

/// Adds a slab; JavaScript copies it to the returned memory.
TFR_EXPORT(tfr_encoding_add)
uint8_t* tfr_encoding_add(Encoding* encoding, size_t size, uint32_t records) {
  return Guarded([&] {
    encoding->memory.push_back(std::make_unique<ByteBuffer>());
    ByteBuffer& bytes = *encoding->memory.back();
    NeedMemory(bytes.Reserve(size));
    encoding->slabs.push_back({bytes.data(), size, records});
    return bytes.data();
  });
}

/// Returns the size of the file.
TFR_EXPORT(tfr_encoding_run)
size_t tfr_encoding_run(Encoding* encoding, uint32_t compression, int level) {
  return Guarded([&]() -> size_t {
    const auto encoder = NewEncoder(compression, level);
    MemorySink sink;
    NeedMemory(!EncodeSlabs(encoder.get(), encoding->slabs, &sink));
    encoding->output = sink.Take();
    return encoding->output ? encoding->output->size() : 0;
  });
}

TFR_EXPORT(tfr_encoding_output)
const uint8_t* tfr_encoding_output(Encoding* encoding) {
  return encoding->output ? encoding->output->data() : nullptr;
}

TFR_EXPORT(tfr_encoding_free)
void tfr_encoding_free(Encoding* encoding) { delete encoding; }

}  // namespace tfr::wasm
