import { TextEncoder, types } from 'node:util';

import {
  advice,
  callNative,
  checkWellFormed,
  invalidArgType,
  named,
  tfrecordError,
  worded,
  type Bytes,
  type TFRecordError,
} from '../../base';
import { givenLength, setBytes } from '../../io';
import { KeyFaultCode, native, type IndexHandle } from '../../native';
import type { RecordBatch } from '../batch/record-batch';
import type { FilledSlab } from '../read/input-stream';

/** A key: text (as UTF-8) or bytes; for a feature of integers, a number, a bigint, or its decimal digits as text. */
export type RecordKey = string | Uint8Array | number | bigint;

/** Maximum number of candidates that are read at a time, and of their bytes: many large records may have one key. */
const CANDIDATES = 1024;
const CANDIDATE_BYTES = 2 ** 23;

/** Adds the keys of records to an index. */
export class KeyCollector {
  readonly #index: IndexHandle;
  readonly #feature: string;

  constructor(index: IndexHandle, feature: string) {
    this.#index = index;
    this.#feature = feature;
  }

  /**
   * Adds the keys of the undamaged records of a slab. Returns the errors of those that are no Examples, in their order.
   * @throws TFRecordError TFR_FEATURE if the feature cannot be a key, or if there are too many keys
   */
  add(file: string, { slab, result: { frames, faults, firstRecord } }: FilledSlab): TFRecordError[] {
    const errors: TFRecordError[] = [];
    let begin = 0;
    for (const end of [...faults.map(({ record }) => record! - firstRecord), frames.length / 2]) {
      while (begin < end) {
        const from = begin;
        const fault = callNative(file, () =>
          native().keysAdd(this.#index, this.#feature, slab, frames, from, end, firstRecord + from),
        );
        if (fault === undefined) break;
        const record = firstRecord + fault.row;
        if (fault.code !== KeyFaultCode.Malformed) throw this.#refusal(fault.code, file, record);
        errors.push(
          tfrecordError('TFR_EXAMPLE', worded`${file}, record ${record} is not an Example, so it has no key.`, {
            file,
            record,
          }),
        );
        begin = fault.row + 1;
      }
      begin = end + 1;
    }
    return errors;
  }

  #refusal(code: KeyFaultCode, file: string, record: number): TFRecordError {
    const details = { file, record, feature: this.#feature };
    if (code === KeyFaultCode.TooMany) {
      const [expected, found] = ['at most 10,000,000 keys', 'more'];
      return tfrecordError(
        'TFR_FEATURE',
        worded`The index of ${file} cannot hold all values of the feature "${this.#feature}": expected ${expected}, found ${found} at record ${record}.${advice` Choose a feature with fewer values.`}`,
        { ...details, expected, found },
      );
    }
    const [expected, found] = ['bytes or integers', 'floats'];
    return tfrecordError(
      'TFR_FEATURE',
      worded`The feature "${this.#feature}" of record ${record} of ${file} cannot be a key: expected ${expected}, found ${found}.${advice` Choose another feature.`}`,
      { ...details, expected, found },
    );
  }
}

/**
 * Returns the bytes of `key`, which nobody else can change.
 * @throws TypeError with Node's codes for anything else, also for a lone surrogate: it would find the keys with U+FFFD
 */
export function keyBytes(key: RecordKey): Bytes {
  if (types.isUint8Array(key)) {
    const bytes = new Uint8Array(givenLength('key', key));
    setBytes(bytes, key, 0, bytes.length);
    return bytes;
  }
  if (typeof key === 'string') {
    checkWellFormed('key', key);
    return new TextEncoder().encode(key);
  }
  if (typeof key === 'bigint' || Number.isSafeInteger(key)) return new TextEncoder().encode(String(key));
  throw invalidArgType('key', 'a string, a Uint8Array, a bigint or a safe integer', key);
}

/**
 * Returns the numbers of the records that have `key`, in rising order. `read` reads records, each of which is checked: an index
 * knows only checksums of keys.
 * @throws TFRecordError TFR_FEATURE if the index of `file` has no keys; what `read` throws
 */
export async function findByKey(
  index: IndexHandle,
  file: string,
  key: Bytes,
  read: (records: readonly number[]) => Promise<RecordBatch>,
): Promise<number[]> {
  const keys = native().keysOf(index);
  if (keys === undefined) {
    throw tfrecordError(
      'TFR_FEATURE',
      worded`The index of ${file} has no keys.${advice` Scan the file with ${named('keys')}, the name of a feature.`}`,
      { file },
    );
  }
  const candidates = [...callNative(file, () => native().keysFind(index, key))];
  const found: number[] = [];
  for (let at = 0; at < candidates.length;) {
    const some = candidates.slice(at, chunkEnd(index, candidates, at));
    let i = 0;
    for (const record of await read(some)) {
      if (native().keysHold(keys.feature, record, key)) found.push(some[i]!);
      i++;
    }
    at += some.length;
  }
  return found;
}

/** Returns the end of the candidates from `begin` on that are read together: at least one. */
function chunkEnd(index: IndexHandle, candidates: readonly number[], begin: number): number {
  const last = Math.min(begin + CANDIDATES, candidates.length);
  let bytes = 0;
  for (let at = begin; at < last; at++) {
    const [from, to] = native().indexExtents(index, candidates[at]!, 1) ?? [0, CANDIDATE_BYTES];
    bytes += to! - from!;
    if (at > begin && bytes > CANDIDATE_BYTES) return at;
  }
  return last;
}
