/** Exports records of a file for a page. */
import { FRAME_BYTES, HEADER_BYTES, TFRecordError, type Bytes } from '../../base';
import { JsonText, RecordPrinter } from '../../example';
import { freeBytes } from '../../io';
import { crc32c, encodeRecords, maskCrc32c } from '../../record';
import { PIECE_BYTES, type Selection } from '../protocol';
import { conditionsOf, testOf } from './find';
import { longPieces } from './long-bytes';
import { scan, type LongRecord, type ScannedFile } from './scan';

/** Maximum length of a record that is exported as JSON: printing it blocks all pages. */
const MAX_LINE_BYTES = 64 * 2 ** 20;

export async function* exportRecords(
  scanned: ScannedFile,
  { ranges, conditions }: Selection,
  format: 'jsonl' | 'tfrecord',
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, { readonly records: number }> {
  const { file, longs } = scanned;
  const check = await file.watch();
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
  for await (const some of scan(scanned, signal)) {
    const first = 'long' in some ? some.long.record : some.batch.origin(0)!.record;
    if (wanted?.endsBefore(first) === true) break;
    if ('long' in some) {
      const { long } = some;
      if (wanted?.has(long.record) === false) continue;
      const size = await long.look((data) => (wants(data) ? data.length : undefined));
      if (size === undefined) continue;
      yield* pieces();
      const data = dataOf(long);
      if (format === 'tfrecord') yield* framed(size, longPieces(longs, data, {}, signal, freeBytes));
      else {
        if (size > MAX_LINE_BYTES) throw tooLongForLine(file.path, long.record, size);
        const line = async (): Promise<Bytes> => {
          const record = await data();
          const text = linesOf([record]);
          freeBytes(record);
          return text;
        };
        yield* longPieces(longs, line, {}, signal);
      }
      records++;
      continue;
    }
    const { batch } = some;
    for (let i = 0; i < batch.length; i++) {
      const record = batch.at(i)!;
      if (wanted?.has(batch.origin(i)!.record) === false || !wants(record)) continue;
      // A view would keep its whole slab in memory.
      taken.push(2 * record.length < record.buffer.byteLength ? record.slice() : record);
      bytes += record.length + FRAME_BYTES;
      records++;
    }
    if (bytes >= PIECE_BYTES) yield* pieces();
  }
  // The scan may have ended before the end of the file, so the file is checked here.
  await check();
  yield* pieces();
  return { records };
}

/** Returns a function that reads the data of a record, which was undamaged before. */
function dataOf({ record, read }: LongRecord): () => Promise<Bytes> {
  return async () => {
    const data = await read();
    if (data === undefined) throw new TFRecordError('TFR_STATE_MISMATCH', `Record ${record} has changed.`, { record });
    return data;
  };
}

/** Yields the frame of a record of `length` bytes, whose `data` is in pieces. */
async function* framed(length: number, data: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeBigUInt64LE(BigInt(length));
  header.writeUInt32LE(maskCrc32c(crc32c(header.subarray(0, 8))), 8);
  yield new Uint8Array(header);
  let sum = 0;
  for await (const piece of data) {
    sum = crc32c(piece, sum);
    yield piece;
  }
  const footer = Buffer.alloc(FRAME_BYTES - HEADER_BYTES);
  footer.writeUInt32LE(maskCrc32c(sum));
  yield new Uint8Array(footer);
}

function tooLongForLine(file: string, record: number, size: number): TFRecordError {
  return new TFRecordError(
    'TFR_RECORD_TOO_LARGE',
    `Record ${record} has ${size} bytes, too many for a line of JSON here: at most ${MAX_LINE_BYTES}. Export it as ` +
      'TFRecord, or print it with tfrecord cat.',
    { file, record, expected: `at most ${MAX_LINE_BYTES} bytes`, found: `${size} bytes` },
  );
}

/** Returns the lines of JSON that `tfrecord cat` prints for records. */
function linesOf(records: readonly Uint8Array[]): Bytes {
  const printer = new RecordPrinter({ full: true });
  const out = new JsonText();
  for (const record of records) {
    printer.print(record, out);
    out.add('\n');
  }
  const done = out.done();
  return typeof done === 'string' ? Buffer.from(done) : Buffer.concat(done);
}

/** A set of record numbers, as ranges from a first number to before a second. */
class Ranges {
  readonly #ranges: readonly (readonly [number, number])[];
  readonly #end: number;
  /** Index of the first range that does not end before the last number. */
  #at = 0;

  constructor(ranges: readonly (readonly [number, number])[]) {
    this.#ranges = [...ranges].sort(([a], [b]) => a - b);
    this.#end = ranges.reduce((end, [, to]) => Math.max(end, to), 0);
  }

  /** True if a range has `record`. Call it with ascending numbers. */
  has(record: number): boolean {
    while (this.#at < this.#ranges.length && this.#ranges[this.#at]![1] <= record) this.#at++;
    const range = this.#ranges[this.#at];
    return range !== undefined && record >= range[0];
  }

  endsBefore(record: number): boolean {
    return record >= this.#end;
  }
}
