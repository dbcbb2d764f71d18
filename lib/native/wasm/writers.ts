/** Writers of records: `RecordBinding` in binding.ts. */
import type { RecordBinding, WriteResult, WriterHandle } from '../binding';
import { ownBytes } from './arrays';
import { Handles, type NativeObject } from './handles';
import type { Instance } from './instance';
import { Report } from './report';

type WriterBinding = Pick<
  RecordBinding,
  'writerOpen' | 'writerStart' | 'writerPush' | 'writerFlush' | 'writerClose' | 'writerAbort' | 'encodeSlabs'
>;

const MAX_LEVEL = 9;
/** Number of `'zlib'`, the last that is not `'auto'`. */
const MAX_COMPRESSION = 2;

export function writerBinding(instance: Instance): WriterBinding {
  const { exports } = instance;
  const writers = new Handles<NativeObject, WriterHandle>(instance, 'tfr_writer_free');

  function readResult(result: number): WriteResult {
    const report = new Report(instance, result);
    const fileBytes = report.number();
    const replacedOther = report.flag();
    const output = report.number();
    const size = report.number();
    const fault = report.fault();
    const copied = output === 0 ? undefined : instance.copy(output, size);
    return { fault, fileBytes, output: copied, replacedOther, crc32c: undefined };
  }

  function begin(handle: WriterHandle, call: (pointer: number) => number): Promise<WriteResult> {
    return instance.jobs.begin(call(writers.of(handle).pointer), handle, readResult);
  }

  function checkFormat(compression: number, level: number): void {
    if (!(compression >= 0 && compression <= MAX_COMPRESSION)) throw new RangeError('tfrecord: compression');
    if (!(level >= 0 && level <= MAX_LEVEL)) throw new RangeError('tfrecord: level');
  }

  return {
    writerOpen(path, compression, level, atomic) {
      checkFormat(compression, level);
      const open = (at: number, size: number): number =>
        exports.tfr_writer_open(at, size, compression, level, Number(atomic));
      const pointer = path === undefined ? open(0, 0) : instance.withText(path, open);
      return writers.new({ pointer });
    },

    writerStart(handle, bytesBefore) {
      return begin(handle, (pointer) => exports.tfr_writer_start(pointer, bytesBefore));
    },

    // Copies in any case: the module has a memory of its own.
    writerPush(handle, given, used, records) {
      const slab = ownBytes(given);
      if (used <= 0 || used > slab.length) throw new RangeError('tfrecord: slab size');
      return begin(handle, (pointer) => {
        const job = exports.tfr_write_new(pointer, used);
        const at = exports.tfr_write_slab(job);
        instance.bytes.set(slab.subarray(0, used), at);
        return exports.tfr_writer_push(pointer, job, records);
      });
    },

    writerFlush(handle, sync) {
      return begin(handle, (pointer) => exports.tfr_writer_flush(pointer, Number(sync)));
    },

    writerClose(handle) {
      return begin(handle, exports.tfr_writer_close);
    },

    writerAbort(handle) {
      return begin(handle, exports.tfr_writer_abort);
    },

    encodeSlabs(slabs, records, compression, level) {
      checkFormat(compression, level);
      if (records.length < slabs.length) throw new RangeError('tfrecord: counts of records');
      const encoding = exports.tfr_encoding_new();
      try {
        slabs.forEach((given, i) => {
          const slab = ownBytes(given);
          if (slab.length === 0) throw new RangeError('tfrecord: slab size');
          const at = exports.tfr_encoding_add(encoding, slab.length, records[i]!);
          instance.bytes.set(slab, at);
        });
        const size = exports.tfr_encoding_run(encoding, compression, level);
        return instance.copy(exports.tfr_encoding_output(encoding), size);
      } finally {
        exports.tfr_encoding_free(encoding);
      }
    },
  };
}
