/** Indexes, and jumps to records: `IndexBinding` in binding-index.ts. */
/* eslint-disable @typescript-eslint/no-unsafe-enum-assignment -- the numbers of the module are those of the enums */
import { systemErrorOf } from '../../base';
import type { IndexHandle } from '../binding';
import type { IndexBinding, IndexStart } from '../binding-index';
import type { Instance } from './instance';
import type { Specs } from './reader-spec';
import type { KeyBinding } from './keys';
import { Report } from './report';

/** The limits of core for an index: `IndexLimits` of core/index/record_index.h. */
const LOADED_DISTANCE = 2 ** 20;
const LOADED_MEMORY = 64 * 2 ** 20;

function noExport(): never {
  throw systemErrorOf('ENOSYS', 'export', 'the index', 'WebAssembly has no forms of other programs');
}

/** The functions of an index but for those of its keys. */
export function indexBinding(instance: Instance, specs: Specs): Omit<IndexBinding, keyof KeyBinding> {
  const { exports } = instance;
  const { indexes, checkpoints } = specs;
  /** The bytes of saved indexes so far, and their number. */
  const loading = new WeakMap<IndexHandle, { readonly bytes: Uint8Array; length: number }>();

  /** Reads a start; undefined if there is none. */
  function startIn(report: Report): IndexStart | undefined {
    const record = report.number();
    if (record < 0) return undefined;
    const start = { record, offset: report.number(), checked: report.flag(), position: report.number() };
    const pointer = report.number();
    return { ...start, from: pointer === 0 ? undefined : checkpoints.new({ pointer }) };
  }

  return {
    indexNew(checkpointBytes, maxBytes, compressedOnly, offsetBytes) {
      return indexes.new({ pointer: exports.tfr_index_new(checkpointBytes, maxBytes, Number(compressedOnly), offsetBytes) });
    },

    indexState(handle) {
      const report = new Report(instance, exports.tfr_index_state(indexes.of(handle).pointer));
      return {
        records: report.number(),
        contentBytes: report.number(),
        heldBytes: report.number(),
        compression: report.compression(),
        cut: report.flag(),
      };
    },

    indexComplete(handle, compression, stored, damaged, cut) {
      exports.tfr_index_complete(indexes.of(handle).pointer, compression, stored, damaged, Number(cut));
    },

    indexWrote(handle, framed, compression, stored) {
      const { pointer } = indexes.of(handle);
      instance.withBytes(framed, (at, size) => exports.tfr_index_wrote(pointer, at, size, compression, stored));
    },

    // Points serve several threads.
    indexAddPoint: () => true,

    indexLoad(size) {
      const handle = this.indexNew(LOADED_DISTANCE, LOADED_MEMORY, false, 0);
      // Keys stay in the module's memory, so parts would save nothing.
      loading.set(handle, { bytes: new Uint8Array(size), length: 0 });
      return handle;
    },

    indexLoadPart(handle, bytes) {
      const parts = loading.get(handle)!;
      parts.bytes.set(bytes, parts.length);
      parts.length += bytes.length;
    },

    indexLoaded(handle) {
      const { bytes, length } = loading.get(handle)!;
      loading.delete(handle);
      const { pointer } = indexes.of(handle);
      const report = new Report(
        instance,
        instance.withBytes(bytes.subarray(0, length), (at, size) => exports.tfr_index_load(pointer, at, size)),
      );
      return {
        status: report.number(),
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

    indexJump(handle, first, last) {
      const report = new Report(instance, exports.tfr_index_jump(indexes.of(handle).pointer, first, last));
      const start = startIn(report);
      return start && { start, bytes: report.number() };
    },

    indexPoint: noExport,

    indexExtents(handle, first, count) {
      const report = new Report(instance, exports.tfr_index_extents(indexes.of(handle).pointer, first, count));
      const extents = new Float64Array(2 * count);
      for (let at = 0; at < extents.length; at++) {
        const place = report.number();
        if (place < 0) return undefined;
        extents[at] = place;
      }
      return extents;
    },

    // Without threads, reading run by run is as fast.
    gatherPlan() {
      return Promise.resolve(undefined);
    },

    gatherRead() {
      throw new TypeError('tfrecord: nothing was planned');
    },
  };
}
