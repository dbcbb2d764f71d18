import { types } from 'node:util';

import {
  advice,
  faultError,
  hasIterator,
  invalidArgType,
  isObject,
  isRevoked,
  outOfRange,
  startNative,
  type Origin,
  tfrecordError,
  worded,
} from '../../base';
import { givenLength, newSlab } from '../../io';
import { native, type IndexHandle } from '../../native';
import { encodedBatch, newBatch, partsOf, type RecordBatch } from '../batch/record-batch';
import type { IndexSettings } from './index-scan';
import { missingRecord, type PlacedRecord } from './index-read';

/** Offsets in a slab have 32 bits. */
const LARGEST_BATCH = 2 ** 32 - 1;

/** Numbers of records, in any order. A number may occur twice. */
export type RecordNumbers = Iterable<number>;

/** Number of records that are read to see if a file is the one of an index. */
const SAMPLE = 16;

/** Returns some numbers below `records`, the first and the last among them, evenly spread. */
export function sampledNumbers(records: number): Float64Array {
  const count = Math.min(records, SAMPLE);
  return Float64Array.from({ length: count }, (_, i) => Math.floor((i * (records - 1)) / Math.max(count - 1, 1)));
}

/**
 * Returns a copy of `records`, which nobody else can change. {@link checkNumbers} checks its members.
 * @throws TypeError unless it is an iterable, or if its memory is detached; what its iterator throws
 */
export function copyNumbers(records: RecordNumbers): ArrayLike<unknown> {
  const given: unknown = records;
  if (!isObject(given) || isRevoked(given) || !hasIterator(given)) {
    throw invalidArgType('records', 'an iterable of numbers', records);
  }
  if (!types.isTypedArray(given)) return Array.from(given);
  givenLength('records', given);
  return types.isBigInt64Array(given) || types.isBigUint64Array(given) ? Array.from(given) : new Float64Array(given);
}

/** Returns `records`, a copy. @throws RangeError unless they are numbers of records below `count` */
export function checkNumbers(records: ArrayLike<unknown>, count: number): Float64Array {
  const { length } = records;
  const numbers = types.isFloat64Array(records) ? records : new Float64Array(length);
  for (let i = 0; i < length; i++) {
    const number = records[i];
    if (typeof number !== 'number' || !Number.isInteger(number) || number < 0 || number >= count) {
      const range = count === 0 ? 'absent, because there are no records' : `an integer from 0 to ${count - 1}`;
      throw outOfRange(`records[${i}]`, range, number);
    }
    numbers[i] = number;
  }
  return numbers;
}

/** Returns `batch` with origins: its record i is number `numbers[i]` of `file`, at the offset that `offsetOf` returns. */
export function placedBatch(
  batch: RecordBatch,
  file: string,
  numbers: Float64Array,
  offsetOf: (record: number) => number,
): RecordBatch {
  if (batch.length === 0) return batch;
  const { source } = partsOf(batch);
  const { frames } = source;
  const origins = (frame: number): Origin => {
    const record = numbers[frame]!;
    return { file, record, offset: offsetOf(record), bytes: frames[2 * frame + 1]! };
  };
  return newBatch({ ...source, file, origins }, 0, batch.length);
}

/**
 * Reads records of the regular file at the full path `at`, `file` in errors, on native threads. Resolves with
 * undefined if the index lacks the offsets of all records, or if one of these is too long.
 * @throws TFRecordError if a record is damaged, or cannot be read
 */
export async function gatherFromFile(
  index: IndexHandle,
  { at, file }: { readonly at: string; readonly file: string },
  settings: IndexSettings,
  numbers: Float64Array,
): Promise<RecordBatch | undefined> {
  const planned = await startNative(file, () => native().gatherPlan(index, numbers, settings.maxRecordBytes));
  if (planned === undefined) return undefined;
  const { handle, frames, bytes } = planned;
  const slab = newSlab(bytes, file);
  const spec = {
    ...settings,
    continues: false,
    countsLost: false,
    salvages: false,
    membersAhead: false,
    start: undefined,
    framing: undefined,
    index: undefined,
  };
  const fault = await native().gatherRead(handle, at, spec, slab);
  if (fault !== undefined) throw faultError(fault, { file });
  return encodedBatch(slab, frames);
}

/**
 * Reads records run by run of neighbours. `read` returns some, and at least one, of the records from `first` on.
 * @throws TFRecordError if a record is damaged, or cannot be read
 */
export async function gatherByRuns(
  numbers: Float64Array,
  name: string,
  read: (first: number, count: number) => Promise<readonly PlacedRecord[]>,
): Promise<RecordBatch> {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const found = new Map<number, PlacedRecord>();
  for (let i = 0; i < sorted.length;) {
    const first = sorted[i]!;
    let end = i + 1;
    while (end < sorted.length && sorted[end] === first + end - i) end++;
    const some = await read(first, end - i);
    if (some.length === 0) throw missingRecord(first, name);
    for (const placed of some) {
      if (placed.error !== undefined) throw placed.error;
      found.set(placed.record, placed);
    }
    i += some.length;
  }
  const data = Array.from(numbers, (number) => found.get(number)!.data);
  const offsets = new Map(Array.from(found, ([record, { offset }]) => [record, offset]));
  return placedBatch(joinRecords(data, name), name, numbers, (record) => offsets.get(record)!);
}

/** Returns a batch of copies of `records`. @throws TFRecordError TFR_RECORD_TOO_LARGE if they are longer than 4 GiB, ENOMEM */
export function joinRecords(records: readonly Uint8Array[], name: string): RecordBatch {
  const frames = new Uint32Array(2 * records.length);
  let bytes = 0;
  for (const [i, { length }] of records.entries()) {
    frames[2 * i] = bytes;
    frames[2 * i + 1] = length;
    bytes += length;
  }
  if (bytes > LARGEST_BATCH) {
    const [expected, found] = [`at most ${LARGEST_BATCH} bytes`, `${bytes} bytes`];
    throw tfrecordError(
      'TFR_RECORD_TOO_LARGE',
      worded`The records of ${name} do not fit into one batch: expected ${expected}, found ${found}.${advice` Read fewer at a time.`}`,
      { file: name, expected, found },
    );
  }
  const slab = newSlab(bytes, name);
  for (const [i, record] of records.entries()) slab.set(record, frames[2 * i]);
  return encodedBatch(slab, frames);
}
