/** The keys of an index: `IndexBinding` in binding-index.ts. */
/* eslint-disable @typescript-eslint/no-unsafe-enum-assignment -- the numbers of the module are those of the enums */
import type { IndexBinding } from '../binding-index';
import { ownBytes } from './arrays';
import type { Instance } from './instance';
import { placeFrames } from './parsers';
import type { Specs } from './reader-spec';
import { Report } from './report';

export type KeyBinding = Pick<IndexBinding, 'keysAdd' | 'keysOf' | 'keysFind' | 'keysSave' | 'keysHold'>;

export function keyBinding(instance: Instance, { indexes }: Specs): KeyBinding {
  const { exports } = instance;

  return {
    keysAdd(handle, feature, slab, frames, begin, end, first) {
      const { pointer } = indexes.of(handle);
      const placed = placeFrames(slab, frames, begin, end);
      const report = instance.withText(feature, (name, length) =>
        instance.withBytes(placed.records, (records) =>
          instance.withBytes(
            placed.frames,
            (places) =>
              new Report(instance, exports.tfr_keys_add(pointer, name, length, records, places, end - begin, first)),
          ),
        ),
      );
      const code = report.number();
      return code === 0 ? undefined : { code, row: begin + report.number() };
    },

    keysOf(handle) {
      const report = new Report(instance, exports.tfr_keys_of(indexes.of(handle).pointer));
      const at = report.number();
      const length = report.number();
      return length === 0 ? undefined : { feature: instance.text(at, length), count: report.number() };
    },

    keysFind(handle, key) {
      const { pointer } = indexes.of(handle);
      const found = instance.withBytes(ownBytes(key), (at, size) => exports.tfr_keys_find(pointer, at, size));
      const report = new Report(instance, found);
      return report.numbers(report.number());
    },

    keysSave(handle, part, sum) {
      const report = new Report(instance, exports.tfr_keys_save(indexes.of(handle).pointer, part, sum));
      const from = report.number();
      if (from === 0) return undefined;
      const saved = instance.copy(from, report.number());
      exports.tfr_index_saved();
      return saved;
    },

    keysHold: (feature, record, key) =>
      instance.withText(feature, (name, length) =>
        instance.withBytes(ownBytes(record), (at, size) =>
          instance.withBytes(ownBytes(key), (keyAt, keySize) =>
            Boolean(exports.tfr_keys_hold(name, length, at, size, keyAt, keySize)),
          ),
        ),
      ),
  };
}
