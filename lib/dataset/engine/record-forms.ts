import { types } from 'node:util';

import { invalidArgType, type Bytes, type Origin } from '../../base';
import { BatchMemory, type ParsedBefore, type RecordParsing } from '../../example';
import { commonSize, givenLength, newSlab, type MemoryPool } from '../../io';
import {
  encodedBatch,
  frameRecord,
  checkBatchBytes,
  gatherRecords,
  listRecords,
  newBatch,
  partsOf,
  type RecordBatch,
} from '../../record';
import { valuesOf, type Elements } from './elements';
import { ElementFault } from './errors';
import { NeighbourRecords, RecordElements, Slab, type RecordForm } from './records';

/** The form of raw records: an element is the bytes of a record, a batch is a RecordBatch. */
export const RAW: RecordForm = {
  elements: (records) => ({ at: (index): Bytes => frameRecord(records.slab(index).source, records.frame(index)) }),
  batch: (records, memory) =>
    memory !== undefined && isWorthReuse(records) ? transientBatch(records, memory) : rawBatch(records),
  copies: (records, memory) =>
    !(records instanceof NeighbourRecords) || (memory !== undefined && isWorthReuse(records)),
};

/** Size of batches for which reusing memory saves more time than copying takes; estimated by the first record. */
const REUSED_BYTES = 32 * 1024;

/** True if a transient batch of `records` is a copy: that frees their slab for the next records, unless others may use it. */
function isWorthReuse(records: RecordElements): boolean {
  return records.slab(0).unseen && records.bytes(0) * records.length >= REUSED_BYTES;
}

/** The pools of the memory of raw batches that are valid until the next step only. */
const transientBatches = new WeakMap<RecordBatch, MemoryPool>();

/** Returns `records` as a batch in memory of `memory`, which {@link endOfRaw} gives back. */
function transientBatch(records: RecordElements, memory: MemoryPool): RecordBatch {
  const batch = gatherRecords(records, records.origins, (bytes) => memory.leaseToShow(bytes, '<gathered>'));
  transientBatches.set(batch, memory);
  return batch;
}

/** The user is done with `value`. If it is a batch in memory of `memory`, its memory is used again. */
export function endOfRaw(value: unknown, memory: MemoryPool): void {
  const batch = value as RecordBatch;
  if (transientBatches.get(batch) !== memory) return;
  transientBatches.delete(batch);
  memory.end(partsOf(batch).source.slab);
}

/** Returns `records` as a batch. Records that are not neighbours are copied to new memory. */
export function rawBatch(records: RecordElements): RecordBatch {
  return batchOf(records, (bytes) => newSlab(bytes, '<gathered>'));
}

/** Returns the batch of `records`. Records that are not neighbours are copied to the memory that `memory` returns. */
function batchOf(records: RecordElements, memory: (bytes: number) => Bytes): RecordBatch {
  if (!(records instanceof NeighbourRecords)) return gatherRecords(records, records.origins, memory);
  const begin = records.frame(0);
  return newBatch(records.slab().source, begin, begin + records.length);
}

/** Bytes that are parsed in the time it takes to wake a thread; estimated by the first record. */
const LATER_BYTES = 32 * 1024;
/** Maximum length of records to parse on a thread: parsing longer ones mostly copies, which a thread does no faster. */
const LATER_RECORD_BYTES = 16 * 1024;
const MAX_LATER_BYTES = 64 * 1024 * 1024;

/**
 * Returns the form of parsed records: an element is a row, a batch is columns. `pool` provides the memory in which
 * records are gathered until they are parsed.
 */
export function parsedForm(parsing: RecordParsing, pool: MemoryPool): RecordForm {
  const parsed = <T>(records: RecordElements, parse: (batch: RecordBatch) => T): T => {
    let leased: Bytes | undefined;
    const batch = batchOf(records, (bytes) => (leased = pool.lease(commonSize(bytes), '<gathered>')));
    try {
      return parse(batch);
    } finally {
      if (leased !== undefined) pool.end(leased);
    }
  };
  return {
    elements(records) {
      const { rows, value, error } = parsed(records, (batch) => parsing.rows(batch));
      return {
        at(index) {
          if (index < rows || error === undefined) return value.at(index);
          throw error;
        },
      };
    },
    batch: (records, memory) => parsed(records, (batch) => whole(parsing.batch(batch, memory), memory)),
    copies: () => true,
    batchLater(records, memory) {
      const { length, origins } = records;
      const size = records.bytes(0);
      if (size * length < LATER_BYTES || size > LATER_RECORD_BYTES) return undefined;
      const list = listRecords(records);
      if (list.bytes > MAX_LATER_BYTES) return undefined;
      const listed = { list, length, origin: (row: number) => origins.origin(row)! };
      return parsing.batchLater(listed, memory).then((before) => whole(before, memory));
    },
  };
}

/**
 * Returns the value, in memory of `memory` if given, if all records were parsed. @throws ElementFault for a record that could
 * not be parsed; the memory is then free
 */
function whole({ rows, value, error }: ParsedBefore<object>, memory: MemoryPool | undefined): object {
  if (error === undefined) return value;
  if (memory !== undefined) BatchMemory.endOf(value, memory);
  throw new ElementFault(rows, error);
}

/**
 * Returns `elements` as records in `form`; bytes of the user are copied into one slab. @throws TypeError for elements
 * other than Uint8Array, naming `stage`
 */
export function recordsOf(elements: Elements, form: RecordForm, stage: string): RecordElements {
  if (elements instanceof RecordElements) return elements.shownAs(form);
  const values = valuesOf(elements);
  const frames = new Uint32Array(2 * values.length);
  let bytes = 0;
  values.forEach((value, i) => {
    if (!types.isUint8Array(value)) throw invalidArgType(`element of ${stage}`, 'a Uint8Array', value);
    frames[2 * i] = bytes;
    bytes += frames[2 * i + 1] = givenLength(`element of ${stage}`, value);
  });
  checkBatchBytes(bytes);
  const memory = new Uint8Array(bytes);
  values.forEach((value, i) => memory.set(value as Uint8Array, frames[2 * i]));
  const { source } = partsOf(encodedBatch(memory, frames));
  const { origins } = elements;
  const unknown = (frame: number): Origin => ({
    file: '<bytes>',
    record: frame,
    offset: 0,
    bytes: frames[2 * frame + 1]!,
  });
  const slab = new Slab({ ...source, origins: (frame) => origins.origin(frame) ?? unknown(frame) });
  return new NeighbourRecords(form, slab, 0, values.length);
}
