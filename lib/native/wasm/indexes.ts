/** Indexes, and jumps to records: `IndexBinding` in binding-index.ts. */
/* eslint-disable @typescript-eslint/no-unsafe-enum-assignment -- the numbers of the module are those of the enums */
import type { IndexBinding, IndexStart } from '../binding-index';
import type { Instance } from './instance';
import type { Specs } from './reader-spec';
import { Report } from './report';

/** The limits of core for an index: `IndexLimits` of core/index/record_index.h. */
const LOADED_DISTANCE = 2 ** 20;
const LOADED_MEMORY = 64 * 2 ** 20;

export function indexBinding(
  instance: Instance,
  specs: Specs,
): IndexBinding {
  const { exports } = instance;
  const { indexes, checkpoints } = specs;

  function scanOf(handle: Parameters<typeof indexes.of>[0]): ReturnType<typeof indexes.of> {
    const held = indexes.of(handle);
    if (held.busy || !held.scans) throw new Error('tfrecord: no scan, or it is at work');
    return held;
  }

  /** Reads a start; undefined if there is none. */
  function startIn(report: Report): IndexStart | undefined {
    const record = report.number();
    if (record < 0) return undefined;
    const start = { record, offset: report.number(), checked: report.flag(), position: report.number() };
    const pointer = report.number();
    return { ...start, from: pointer === 0 ? undefined : checkpoints.new({ pointer }) };
  }

  return {
    indexOpen(path, spec) {
      const pointer = instance.withText(path, (at, size) =>
        specs.open(spec, (numbers) => exports.tfr_index_open(at, size, numbers)),
      );
      return indexes.new({ pointer, scans: true, busy: false });
    },

    indexNew(path, spec, checkpointBytes, mostBytes) {
      const pointer = instance.withText(path, (at, size) =>
        specs.open(spec, (numbers) => exports.tfr_index_new(at, size, numbers, checkpointBytes, mostBytes)),
      );
      return indexes.new({ pointer, scans: false, busy: false });
    },

    indexLoad(path, spec, bytes) {
      const handle = this.indexNew(path, spec, LOADED_DISTANCE, LOADED_MEMORY);
      const { pointer } = indexes.of(handle);
      const report = new Report(
        instance,
        instance.withBytes(bytes, (at, size) => exports.tfr_index_load(pointer, at, size)),
      );
      return {
        status: report.number(),
        handle,
        records: report.number(),
        damaged: report.number(),
        cut: report.flag(),
        compression: report.compression(),
        verified: report.number(),
        size: report.number(),
        headCrc: report.number(),
        tailCrc: report.number(),
        time: report.bits(),
      };
    },

    indexSave(handle, size, headCrc, tailCrc, time) {
      const { pointer } = indexes.of(handle);
      const given = new Uint8Array(BigInt64Array.of(time).buffer);
      const result = instance.withBytes(given, (at) => exports.tfr_index_save(pointer, size, headCrc, tailCrc, at));
      const report = new Report(instance, result);
      const from = report.number();
      if (from === 0) return undefined;
      const saved = instance.copy(from, report.number());
      exports.tfr_index_saved();
      return saved;
    },

    indexStart(handle, record) {
      return startIn(new Report(instance, exports.tfr_index_start(indexes.of(handle).pointer, record)));
    },

    indexAdvance(handle, milliseconds) {
      const held = scanOf(handle);
      const job = exports.tfr_index_advance(held.pointer, milliseconds);
      held.busy = true;
      return instance.jobs.begin(job, handle, (result) => {
        held.busy = false;
        const report = new Report(instance, result);
        return {
          records: report.number(),
          compressedBytes: report.number(),
          totalBytes: report.number(),
          compression: report.compression(),
          complete: report.flag(),
          halt: report.fault(),
          heldBytes: report.number(),
          faults: report.faults(),
        };
      });
    },

    indexJump(handle, first, last) {
      const report = new Report(instance, exports.tfr_index_jump(indexes.of(handle).pointer, first, last));
      const start = startIn(report);
      return start && { start, bytes: report.number() };
    },

    indexClose(handle) {
      const { pointer, scans } = indexes.of(handle);
      if (!scans) throw new Error('tfrecord: no scan');
      return instance.jobs.begin(exports.tfr_index_close(pointer), handle, () => undefined);
    },
  };
}
