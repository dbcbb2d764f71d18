#ifndef TFR_WASM_HOST_H_
#define TFR_WASM_HOST_H_

#include <cstddef>
#include <cstdint>

/// The functions of lib/native/wasm/host.ts. Where a call of the system fails,
/// they return a negative number, which `HostFault` decodes.
#define TFR_IMPORT(name) \
  extern "C" __attribute__((import_module("host"), import_name(#name)))

TFR_IMPORT(outOfMemory) [[noreturn]] void tfr_host_out_of_memory();
TFR_IMPORT(settled) void tfr_host_settled(void* job);
TFR_IMPORT(wait) void tfr_host_wait(void* waiter);
/// Milliseconds on a clock that never goes back.
TFR_IMPORT(now) double tfr_host_now();
TFR_IMPORT(fileOpen) int32_t tfr_host_file_open(const char* path, size_t size);
TFR_IMPORT(fileRead)
int32_t tfr_host_file_read(int32_t file, double position, uint8_t* to,
                           size_t size);
TFR_IMPORT(fileSize) double tfr_host_file_size(int32_t file);
TFR_IMPORT(fileClose) void tfr_host_file_close(int32_t file);
TFR_IMPORT(sinkNew)
int32_t tfr_host_sink_new(const char* path, size_t size, bool atomic);
TFR_IMPORT(sinkOpen) int32_t tfr_host_sink_open(int32_t sink);
TFR_IMPORT(sinkWrite)
int32_t tfr_host_sink_write(int32_t sink, const uint8_t* data, size_t size);
TFR_IMPORT(sinkSync) int32_t tfr_host_sink_sync(int32_t sink);
TFR_IMPORT(sinkCommit) int32_t tfr_host_sink_commit(int32_t sink);
TFR_IMPORT(sinkReplacedOther) bool tfr_host_sink_replaced_other(int32_t sink);
TFR_IMPORT(sinkAbandon) void tfr_host_sink_abandon(int32_t sink);
TFR_IMPORT(sinkFree) void tfr_host_sink_free(int32_t sink);

namespace tfr::host {

/// Throws JavaScript's error for lack of memory.
[[noreturn]] inline void OutOfMemory() { tfr_host_out_of_memory(); }

/// Notifies JavaScript that `job` is done. JavaScript calls no export before
/// this returns.
inline void Settled(void* job) { tfr_host_settled(job); }

}  // namespace tfr::host

#endif  // TFR_WASM_HOST_H_
