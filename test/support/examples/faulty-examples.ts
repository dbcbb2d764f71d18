/** Files of Examples, some of which do not fit the spec. */
import { fixedLen, ragged, sparse, varLen } from '../../../lib';
import { flipBit, offsets, tfrecord } from '../records/tfrecord';
import { exampleOf, floats, int64s, record, strings, wireOf } from './wire';

export const SPEC = {
  id: fixedLen([], 'int64'),
  tags: varLen('bytes'),
  grid: sparse({ indexKey: 'at', valueKey: 'grid', dtype: 'int64', size: 10 }),
  rows: ragged({ dtype: 'int64', valueKey: 'n', partitions: [{ by: 'rowLengths', key: 'len' }] }),
};
const fitting = (i: number): Uint8Array =>
  exampleOf({
    id: int64s(i),
    tags: strings(...Array.from({ length: i % 3 }, (_, k) => `${i}.${k}`)),
    ...(i % 2 === 0 && { grid: int64s(i), at: int64s(i % 10) }),
    ...(i % 5 === 0 && { n: int64s(i, i, i), len: int64s(1, 2) }),
  });

/** Functions that make records for SPEC, by fault. */
const RECORDS = {
  good: fitting,
  malformed: () => record(wireOf('0a 7f 01')),
  missing: () => exampleOf({ tags: strings('x') }),
  kind: () => exampleOf({ id: floats(1) }),
  count: () => exampleOf({ id: int64s(1, 2) }),
  'sparse lengths': (i: number) => exampleOf({ id: int64s(i), grid: int64s(1, 2), at: int64s(3) }),
  'sparse bounds': (i: number) => exampleOf({ id: int64s(i), grid: int64s(1), at: int64s(10) }),
  partition: (i: number) => exampleOf({ id: int64s(i), n: int64s(1, 2), len: int64s(1) }),
  /** A good record, whose data is damaged in the file. */
  damaged: fitting,
} satisfies Record<string, (i: number) => Uint8Array>;

export type RecordKind = keyof typeof RECORDS;
export const KINDS = Object.keys(RECORDS) as RecordKind[];
export const FAULTS = KINDS.filter((kind) => kind !== 'good');

/** Returns a file of records of these kinds: its bytes, all payloads, the good payloads, and the records' offsets. */
export function fileOf(kinds: readonly RecordKind[]): {
  readonly bytes: Buffer;
  readonly payloads: readonly Uint8Array[];
  readonly good: readonly Uint8Array[];
  readonly at: readonly number[];
} {
  const payloads = kinds.map((kind, i) => RECORDS[kind](i));
  const at = offsets(payloads);
  let bytes = tfrecord(payloads);
  kinds.forEach((kind, i) => {
    if (kind === 'damaged') bytes = flipBit(bytes, at[i]! + 12 + 5);
  });
  return { bytes, payloads, good: payloads.filter((_, i) => kinds[i] === 'good'), at };
}
