/** Jumps to records: `IndexBinding` in binding-places.ts. */
import type { ReaderHandle } from '../binding';
import type { IndexBinding, IndexHandle } from '../binding-places';
import { Handles, type Held } from './handles';
import type { Instance } from './instance';
import type { HeldReader } from './readers';
import { openBySpec } from './reader-spec';
import { Report } from './report';

interface HeldIndex extends Held {
  /** A job advances the scan. */
  busy: boolean;
}

export function indexBinding(instance: Instance, readers: Handles<HeldReader, ReaderHandle>): IndexBinding {
  const { exports } = instance;
  const indexes = new Handles<HeldIndex, IndexHandle>(instance, 'tfr_index_free');
  return {
    indexOpen(path, spec) {
      const pointer = instance.withText(path, (at, size) =>
        openBySpec(instance, spec, (numbers) => exports.tfr_index_open(at, size, numbers)),
      );
      return indexes.new({ pointer, busy: false });
    },

    indexAdvance(handle, milliseconds) {
      const held = indexes.of(handle);
      if (held.busy) throw new Error('tfrecord: the scan is at work');
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

    indexReader(handle, first, last) {
      const report = new Report(instance, exports.tfr_index_reader(indexes.of(handle).pointer, first, last));
      const pointer = report.number();
      if (pointer === 0) return undefined;
      return { reader: readers.new({ pointer, fed: 'none' }), bytes: report.number() };
    },

    indexClose(handle) {
      const job = exports.tfr_index_close(indexes.of(handle).pointer);
      return instance.jobs.begin(job, handle, () => undefined);
    },
  };
}
