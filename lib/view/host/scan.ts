/** Work that reads a whole file: a search, an export, a check of all checksums. */
import type { TFRecordError } from '../../errors';
import { Condition, decodeNamed, JsonText, RecordPrinter } from '../../example';
import { encodeRecords, LoopTurns, RecordReader, type RecordBatch } from '../../record';
import { PIECE_BYTES, type Asks, type Fault, type Progress, type Selection } from '../protocol';
import { faultOf } from './problem';
import type { ViewedFile } from './viewed-file';

/** Milliseconds between two batches that tell of progress. */
const PROGRESS_MS = 100;
/** Numbers of records in one batch. */
const MOST_FOUND = 4096;
/** Bytes of a record's frame beside its data. */
const FRAME_BYTES = 16;
/** Faults that are sent; the others are only counted. */
const MOST_FAULTS = 10_000;

/** A batch of records, and how far the file was read with it. */
interface Scanned {
  readonly batch: RecordBatch;
  readonly progress: Progress;
  /** Bytes of the uncompressed stream. */
  readonly bytes: number;
}

/**
 * Yields all records of `file`, and returns what was read. Damage is passed over, and told to `onFault`. Rejects if the
 * file cannot be read, or is not the one whose records a page has seen.
 */
async function* scan(
  file: ViewedFile,
  signal: AbortSignal,
  onFault?: (error: TFRecordError) => void,
): AsyncGenerator<Scanned, { records: number; bytes: number }> {
  const reading = file.reading(signal, (error) => {
    if (!error.code.startsWith('TFR_') || error.code === 'TFR_NOT_TFRECORD') return 'throw';
    onFault?.(error);
    return 'skip';
  });
  await file.check();
  const reader = await RecordReader.open(file.path, reading);
  const turns = new LoopTurns();
  let bytes = 0;
  try {
    for await (const batch of reader.batches()) {
      const { records, compressedBytes, totalBytes } = reader.stats;
      const last = batch.origin(batch.length - 1)!;
      bytes = last.offset + last.bytes + FRAME_BYTES;
      yield { batch, progress: { records, readBytes: compressedBytes, totalBytes: totalBytes ?? 0 }, bytes };
      // Other requests have their turn.
      await turns.turn();
    }
    await file.check();
    return { records: reader.stats.records, bytes };
  } finally {
    await reader.close();
  }
}

/** @throws SyntaxError for a condition that is none. */
function conditionsOf(texts: readonly string[]): Condition[] {
  return texts.map((text) => Condition.parse(text));
}

/** Returns a test of records. A record that is no Example fulfils no condition. */
function testOf(conditions: readonly Condition[]): (record: Uint8Array) => boolean {
  const names = new Set(conditions.map(({ name }) => name));
  return (record) => {
    if (conditions.length === 0) return true;
    try {
      const features = decodeNamed(record, names);
      return conditions.every((condition) => condition.holds(features));
    } catch {
      return false;
    }
  };
}

export async function* find(
  file: ViewedFile,
  texts: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Asks['find']['batch'], Asks['find']['done']> {
  const conditions = conditionsOf(texts);
  const wants = testOf(conditions);
  let found: number[] = [];
  let progress: Progress = { records: 0, readBytes: 0, totalBytes: 0 };
  let next = 0;
  for await (const scanned of scan(file, signal)) {
    const { batch } = scanned;
    ({ progress } = scanned);
    for (let i = 0; i < batch.length; i++) {
      if (wants(batch.at(i)!)) found.push(batch.origin(i)!.record);
    }
    if (found.length < MOST_FOUND && performance.now() < next) continue;
    yield { found, progress };
    found = [];
    next = performance.now() + PROGRESS_MS;
  }
  yield { found, progress };
  return { remarks: conditions.flatMap((condition) => condition.remark() ?? []) };
}

export async function* damage(
  file: ViewedFile,
  signal: AbortSignal,
): AsyncGenerator<Asks['damage']['batch'], Asks['damage']['done']> {
  let faults: Fault[] = [];
  let count = 0;
  const work = scan(file, signal, (error) => {
    if (count++ < MOST_FAULTS) faults.push(faultOf(error));
  });
  let progress: Progress = { records: 0, readBytes: 0, totalBytes: 0 };
  let next = 0;
  for (;;) {
    const step = await work.next();
    if (step.done !== true) ({ progress } = step.value);
    if (step.done === true || faults.length > 100 || performance.now() >= next) {
      yield { faults, progress, bytes: step.value.bytes };
      faults = [];
      next = performance.now() + PROGRESS_MS;
    }
    if (step.done === true) return { ...step.value, faults: count };
  }
}

export async function* exportRecords(
  file: ViewedFile,
  { ranges, conditions }: Selection,
  format: 'jsonl' | 'tfrecord',
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, { readonly records: number }> {
  const wants = testOf(conditionsOf(conditions));
  const wanted = ranges === null ? undefined : new Ranges(ranges);
  const encode = format === 'jsonl' ? linesOf : encodeRecords;
  let taken: Uint8Array[] = [];
  let bytes = 0;
  let records = 0;
  const pieces = function* (): Generator<Uint8Array> {
    const whole = encode(taken);
    for (let at = 0; at < whole.length; at += PIECE_BYTES) yield new Uint8Array(whole.subarray(at, at + PIECE_BYTES));
    taken = [];
    bytes = 0;
  };
  for await (const { batch } of scan(file, signal)) {
    if (wanted?.endsBefore(batch.origin(0)!.record) === true) break;
    for (let i = 0; i < batch.length; i++) {
      const record = batch.at(i)!;
      if (wanted?.has(batch.origin(i)!.record) === false || !wants(record)) continue;
      // A view would keep all of its slab.
      taken.push(2 * record.length < record.buffer.byteLength ? record.slice() : record);
      bytes += record.length + FRAME_BYTES;
      records++;
    }
    if (bytes >= PIECE_BYTES) yield* pieces();
  }
  // The end of the file was not always reached.
  await file.check();
  yield* pieces();
  return { records };
}

/** The lines of JSON that `tfrecord cat` prints for records. */
function linesOf(records: readonly Uint8Array[]): Uint8Array {
  const printer = new RecordPrinter({ full: true });
  const out = new JsonText();
  for (const record of records) {
    printer.print(record, out);
    out.add('\n');
  }
  const done = out.done();
  return typeof done === 'string' ? Buffer.from(done) : Buffer.concat(done);
}

/** Numbers of records, in ranges from a first to before a second. */
class Ranges {
  readonly #ranges: readonly (readonly [number, number])[];
  readonly #end: number;
  /** Index of the first range that does not end before the records until now. */
  #at = 0;

  constructor(ranges: readonly (readonly [number, number])[]) {
    this.#ranges = [...ranges].sort(([a], [b]) => a - b);
    this.#end = ranges.reduce((end, [, to]) => Math.max(end, to), 0);
  }

  /** To be called with ascending numbers. */
  has(record: number): boolean {
    while (this.#at < this.#ranges.length && this.#ranges[this.#at]![1] <= record) this.#at++;
    const range = this.#ranges[this.#at];
    return range !== undefined && record >= range[0];
  }

  endsBefore(record: number): boolean {
    return record >= this.#end;
  }
}
