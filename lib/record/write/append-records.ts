/** Appends records to slabs, for writers and for `encodeRecords`. The records of a call are checked before any is appended. */
import { types } from 'node:util';

import type { TFRecordError } from '../../base';
import {
  checkWellFormed,
  counted,
  DEFAULT_MAX_RECORD_BYTES,
  FRAME_BYTES,
  invalidArgType,
  isObject,
  isRevoked,
  MAX_RECORD_BYTES,
  outOfRange,
  tfrecordError,
  advice,
  named,
  worded,
} from '../../base';
import { givenLength } from '../../io';
import type { ListedRecords, RecordList } from '../batch/gather-records';
import { RecordBatch } from '../batch/record-batch';
import { SLAB_BYTES, type FrameSlab } from './frame-slab';

const A_RECORD = 'a Uint8Array or a string';

/** The target of records, as far as their checks need it. */
export interface RecordLimits {
  /** The name of the target in errors. */
  readonly file: string;
  readonly maxRecordBytes: number;
  /** Records in the slabs before `slab`. */
  readonly records: number;
  /** The slab to append to. */
  readonly slab: FrameSlab;
}

/** Slabs that take records, one after another. */
export interface Slabs extends RecordLimits {
  /** Replaces `slab` with one that has room for a frame of `bytes`. @throws TFRecordError ENOMEM. */
  makeRoom(bytes: number): void;
  /** Ends `slab`, unless it is empty. */
  push(): void;
}

/**
 * Returns the bytes that `record` takes. @throws TypeError, RangeError, TFRecordError TFR_RECORD_TOO_LARGE, as
 * `RecordWriter.write`
 */
export function recordLength(slabs: RecordLimits, record: Uint8Array | string): number {
  const text = typeof record === 'string';
  if (!text && !types.isUint8Array(record)) {
    throw invalidArgType('record', `${A_RECORD}${hintFor(record)}`, record);
  }
  if (text) checkWellFormed('record', record);
  const bytes = text ? Buffer.byteLength(record) : givenLength('record', record);
  if (bytes > MAX_RECORD_BYTES) throw outOfRange('record', `at most ${MAX_RECORD_BYTES} bytes long`, bytes);
  if (bytes > slabs.maxRecordBytes) throw tooLargeError(slabs, bytes);
  return bytes;
}

function hintFor(record: unknown): string {
  if (isRevoked(record)) return '';
  if (record instanceof RecordBatch) return ' (writeBatch() takes a RecordBatch)';
  const values = isObject(record) && !ArrayBuffer.isView(record) && !types.isAnyArrayBuffer(record);
  return values && !Array.isArray(record) ? ' (encodeExample() makes one of an object of values)' : '';
}

/** Appends `record`, which takes `bytes`. A record that is longer than a slab has one of its own. */
export function appendRecord(slabs: Slabs, record: Uint8Array | string, bytes: number): void {
  const append = (): boolean =>
    typeof record === 'string' ? slabs.slab.appendTextOf(record, bytes) : slabs.slab.append(record, bytes);
  if (append()) return;
  slabs.makeRoom(bytes + FRAME_BYTES);
  append();
  if (bytes + FRAME_BYTES > SLAB_BYTES) slabs.push();
}

/** Checks the lengths of listed records. @throws TFRecordError TFR_RECORD_TOO_LARGE */
export function checkLengths(slabs: RecordLimits, { records, bytes }: RecordList): void {
  if (bytes <= slabs.maxRecordBytes) return;
  for (let i = 0; 3 * i < records.length; i++) {
    const length = records[3 * i + 2]!;
    if (length > slabs.maxRecordBytes) throw tooLargeError(slabs, length, i);
  }
}

/** Appends all records of `list`, whose lengths were checked. */
export function appendList(slabs: Slabs, list: ListedRecords): void {
  const { records } = list;
  let next = slabs.slab.appendListed(list, 0);
  while (3 * next < records.length) {
    const frameBytes = records[3 * next + 2]! + FRAME_BYTES;
    slabs.makeRoom(frameBytes);
    next = slabs.slab.appendListed(list, next);
    if (frameBytes > SLAB_BYTES) slabs.push();
  }
}

/** Returns the error for a record that is too long. `inBatch`: the record's index in its batch. */
function tooLargeError(slabs: RecordLimits, bytes: number, inBatch?: number): TFRecordError {
  const { file, maxRecordBytes } = slabs;
  const record = slabs.records + slabs.slab.records + (inBatch ?? 0);
  const place = inBatch === undefined ? `${record}` : `${record} (record ${inBatch} of the batch)`;
  const [expected, found] = [`at most ${counted(maxRecordBytes, 'byte')}`, counted(bytes, 'byte')];
  const option = named('maxRecordBytes', 'maxRecordBytes', bytes);
  const cure = advice` If you need records of this size, raise ${option}, also for readers (default: ${DEFAULT_MAX_RECORD_BYTES}).`;
  const message = worded`Record longer than allowed for ${file}, record ${place}: expected ${expected}, found ${found}.${cure}`;
  return tfrecordError('TFR_RECORD_TOO_LARGE', message, { file, record, expected, found });
}
