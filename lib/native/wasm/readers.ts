/** Readers of records: `RecordBinding` in binding.ts. */
/* eslint-disable @typescript-eslint/no-unsafe-enum-assignment -- the numbers of the module are those of the enums */
import type { FillOutcome, ReaderHandle, RecordBinding, SlabFill } from '../binding';
import { ownBytes } from './arrays';
import type { Handles, NativeObject } from './handles';
import type { Instance } from './instance';
import { readWants, rangesPointer, type Feeding } from './ranges';
import type { Specs } from './reader-spec';
import { Report } from './report';

/** Least size of a slab: `SlabStream::kLeastSlab` in native/core. */
const LEAST_SLAB = 64;
/** After the data of a record, its checksum. */
const FOOTER_BYTES = 4;

type ReaderBinding = Pick<
  RecordBinding,
  | 'readerOpenFile'
  | 'readerOpenFed'
  | 'readerOpenRanges'
  | 'readerFeed'
  | 'readerFeedRange'
  | 'readerEndAt'
  | 'readerWants'
  | 'readerFill'
  | 'readerFillSync'
  | 'readerSkip'
  | 'readerClose'
>;

export interface ReaderObject extends NativeObject {
  readonly fed: Feeding;
}

export function readerBinding(
  instance: Instance,
  specs: Specs,
  readers: Handles<ReaderObject, ReaderHandle>,
): ReaderBinding {
  const { exports } = instance;

  /** Reads a fill, and copies what it framed to `given`. */
  function takeFill(result: number, given: Uint8Array): SlabFill {
    const slab = ownBytes(given);
    const report = new Report(instance, result);
    const from = report.number();
    const outcome = report.number() as FillOutcome;
    const framesAt = report.number();
    const frames = new Uint32Array(instance.copy(framesAt, 8 * report.number()).buffer);
    const last = frames.length - 2;
    if (last >= 0) {
      const end = Math.min(slab.length, frames[last]! + frames[last + 1]! + FOOTER_BYTES);
      slab.set(instance.view(from, end));
    }
    const firstRecord = report.number();
    const base = report.number();
    const growTo = report.number();
    const compressedBytes = report.number();
    const compression = report.compression();
    const totalBytes = report.number();
    const halt = report.fault();
    const faults = report.faults();
    return {
      outcome,
      frames,
      firstRecord,
      base,
      faults,
      halt,
      growTo,
      compression,
      compressedBytes,
      totalBytes,
    };
  }

  function slabSize(slab: Uint8Array): number {
    const { length } = ownBytes(slab);
    if (length < LEAST_SLAB || length > 0xffff_ffff) throw new RangeError('tfrecord: slab size');
    return length;
  }

  return {
    readerOpenFile(path, spec) {
      const pointer = instance.withText(path, (at, size) =>
        specs.open(spec, (numbers) => exports.tfr_reader_open_file(at, size, numbers)),
      );
      return readers.new({ pointer, fed: 'none' });
    },

    readerOpenFed(spec) {
      return readers.new({ pointer: specs.open(spec, exports.tfr_reader_open_fed), fed: 'stream' });
    },

    readerOpenRanges(spec, size = -1, maxAhead) {
      const pointer = specs.open(spec, (numbers) => exports.tfr_reader_open_ranges(numbers, size, maxAhead));
      return readers.new({ pointer, fed: 'ranges' });
    },

    readerFeed(handle, chunk, last) {
      const { pointer, fed } = readers.of(handle);
      if (fed !== 'stream') throw instance.memoryError();
      instance.withBytes(chunk, (at, size) => exports.tfr_reader_feed(pointer, at, size, Number(last)));
    },

    readerFeedRange(handle, position, bytes) {
      const pointer = rangesPointer(readers.of(handle));
      instance.withBytes(bytes, (at, size) => exports.tfr_reader_feed_range(pointer, position, at, size));
    },

    readerEndAt(handle, position) {
      exports.tfr_reader_end_at(rangesPointer(readers.of(handle)), position);
    },

    readerWants(handle) {
      return readWants(instance, exports.tfr_reader_wants(rangesPointer(readers.of(handle))));
    },

    readerFill(handle, slab) {
      const { pointer } = readers.of(handle);
      const job = exports.tfr_reader_fill(pointer, slabSize(slab));
      return instance.jobs.begin(job, handle, (result) => takeFill(result, slab));
    },

    readerFillSync(handle, slab) {
      const { pointer } = readers.of(handle);
      const job = exports.tfr_reader_fill_now(pointer, slabSize(slab));
      if (job === 0) throw new Error('tfrecord: fills are pending');
      try {
        return takeFill(exports.tfr_job_result(job), slab);
      } finally {
        exports.tfr_job_free(job);
      }
    },

    readerSkip(handle) {
      exports.tfr_reader_skip(readers.of(handle).pointer);
    },

    readerClose(handle) {
      const job = exports.tfr_reader_close(readers.of(handle).pointer);
      return instance.jobs.begin(job, handle, () => undefined);
    },
  };
}
