/** Pairs the records of two sets: by order, or by the value of a feature. */
import { createHash } from 'node:crypto';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { MAX_RECORD_BYTES, TFRecordError } from '../../../base';
import { decodeNamed, nearestHint, valueJson } from '../../../example';
import { encodeRecords, readRecords, RecordReader, type ReadStats, type RecordBatch } from '../../../record';
import type { FlagOptions } from '../../flags';
import { namesIn, ofRecord } from '../../read-batches';
import { plural } from '../../terminal/text';

/** A record, with its file and number. */
export interface PlacedRecord {
  readonly record: Uint8Array;
  readonly file: string;
  /** Number of the record in its file. */
  readonly number: number;
}

/** Two records to compare, or one without a counterpart. */
export interface Pair {
  readonly a: PlacedRecord | undefined;
  readonly b: PlacedRecord | undefined;
  /** The value of the key feature, as JSON; undefined for pairs by order. */
  readonly key: string | undefined;
}

/** Reads the records of the files of one set. */
export class RecordSet {
  readonly #files: readonly string[];
  readonly #options: FlagOptions;
  readonly #onBatch: (stats: ReadStats) => void;
  #before = { records: 0, compressedBytes: 0 };
  #stopped = false;
  /** Number of records so far. */
  records = 0;

  /** `onBatch` is called with the sums over all files before every batch. */
  constructor(files: readonly string[], options: FlagOptions, onBatch: (sums: Sums) => void) {
    this.#files = files;
    this.#options = options;
    this.#onBatch = ({ records, compressedBytes }) => {
      const { records: r, compressedBytes: c } = this.#before;
      onBatch({ records: r + records, compressedBytes: c + compressedBytes });
    };
  }

  get options(): FlagOptions {
    return this.#options;
  }

  /** Skips the rest of the current file, after the current batch. */
  stopFile(): void {
    this.#stopped = true;
  }

  async *batches(): AsyncGenerator<RecordBatch, void, undefined> {
    for (const file of this.#files) {
      const reader = await RecordReader.open(file, this.#options);
      try {
        for await (const batch of reader.batches()) {
          this.#onBatch(reader.stats);
          this.records += batch.length;
          yield batch;
          if (this.#stopped) break;
        }
        this.#stopped = false;
        const { records, compressedBytes } = reader.stats;
        this.#before.records += records;
        this.#before.compressedBytes += compressedBytes;
      } finally {
        await reader.close();
      }
    }
  }
}

export type Sums = Pick<ReadStats, 'records' | 'compressedBytes'>;

/** Pairs the records of two sets by their order. Holds a batch of each set. */
export async function* pairsByOrder(a: RecordSet, b: RecordSet): AsyncGenerator<Pair, void, undefined> {
  const [one, other] = [new Position(a), new Position(b)];
  try {
    for (;;) {
      const [inA, inB] = [await one.look(), await other.look()];
      if (!inA && !inB) return;
      // Awaits batches only, not single records.
      do {
        yield { a: inA ? one.take() : undefined, b: inB ? other.take() : undefined, key: undefined };
      } while (one.left > 0 === inA && other.left > 0 === inB);
    }
  } finally {
    await one.close();
    await other.close();
  }
}

/** A position in the records of a set. */
class Position {
  readonly #batches: AsyncGenerator<RecordBatch, void, undefined>;
  #batch: RecordBatch | undefined;
  #next = 0;

  constructor(set: RecordSet) {
    this.#batches = set.batches();
  }

  /** Number of records of the current batch that were not used yet. */
  get left(): number {
    return (this.#batch?.length ?? 0) - this.#next;
  }

  /** Loads a record if none is loaded. Resolves to false at the end. */
  async look(): Promise<boolean> {
    while (this.left === 0) {
      const { value } = await this.#batches.next();
      this.#next = 0;
      this.#batch = value ?? undefined;
      if (this.#batch === undefined) return false;
    }
    return true;
  }

  take(): PlacedRecord {
    return placed(this.#batch!, this.#next++);
  }

  close(): Promise<unknown> {
    return this.#batches.return();
  }
}

function placed(batch: RecordBatch, i: number): PlacedRecord {
  const { file, record: number } = batch.origin(i)!;
  return { record: batch.at(i)!, file, number };
}

/** Maximum memory of records, and the memory of a record in addition to its bytes. */
const MAX_HELD = 256 * 1024 * 1024;
const HELD_COST = 400;

export interface KeyOptions {
  /** The name of the feature. */
  readonly key: string;
  /** The folder for temporary files. */
  readonly temporary: string;
  /** Aborting it ends the work, and removes the temporary files. */
  readonly signal: AbortSignal;
  /** Maximum memory of records, in bytes. Default: 256 MiB. */
  readonly maxHeld?: number;
}

/**
 * Pairs the records of two sets by the value of a feature; if several records have one value, the first with the first,
 * the second with the second and so on. Yields the pairs in the order of `b`, and after them the records that only `a`
 * has.
 *
 * Keeps the records of `a` in memory if they fit in 256 MiB. Otherwise writes each set to 256 temporary files, by the
 * hash of the value, and pairs them file by file, which is then the order of the pairs.
 */
export async function* pairsByKey(
  a: RecordSet,
  b: RecordSet,
  { key, temporary, signal, maxHeld = MAX_HELD }: KeyOptions,
): AsyncGenerator<Pair, void, undefined> {
  const keyed = new KeyReader(key);
  const held = new StoredRecords();
  const records = keyed.all(a);
  let folder: string | undefined;
  try {
    for (let next = await records.next(); next.done !== true; next = await records.next()) {
      held.add(next.value);
      if (held.cost > maxHeld) break;
    }
    if (held.cost <= maxHeld) {
      yield* matched(held, keyed.all(b));
      return;
    }
    folder = await mkdtemp(join(temporary, 'tfrecord-diff-'));
    const inA = new Parts(join(folder, 'a'), keyed, signal);
    const inB = new Parts(join(folder, 'b'), keyed, signal);
    for (const record of held.rest()) await inA.add(record);
    for await (const record of records) await inA.add(record);
    for await (const record of keyed.all(b)) await inB.add(record);
    for (let part = 0; part < PARTS; part++) {
      for await (const record of inA.part(part)) held.add(record);
      yield* matched(held, inB.part(part));
    }
  } finally {
    await records.return();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** Pairs the records of `b` with stored ones, which it removes. */
async function* matched(held: StoredRecords, b: AsyncIterable<KeyedRecord>): AsyncGenerator<Pair, void, undefined> {
  for await (const record of b) yield { a: held.take(record.key), b: record, key: record.key };
  for (const record of held.rest()) yield { a: record, b: undefined, key: record.key };
}

interface KeyedRecord extends PlacedRecord {
  readonly key: string;
}

/** Reads the key of each record. */
class KeyReader {
  readonly #name: string;
  readonly #names: ReadonlySet<string>;

  constructor(name: string) {
    this.#name = name;
    this.#names = new Set([name]);
  }

  /** Reads the records of a set with their keys. A record without a key is treated like a damaged record. */
  async *all(set: RecordSet): AsyncGenerator<KeyedRecord, void, undefined> {
    for await (const batch of set.batches()) {
      for (let i = 0; i < batch.length; i++) {
        const key = ofRecord(batch, i, set.options, () => this.keyOf(batch.at(i)!));
        if (key === 'stop') {
          set.stopFile();
          break;
        }
        if (key !== 'skip') yield { ...placed(batch, i), key: key.value };
      }
    }
  }

  /** Returns the value of the key as JSON. @throws TFRecordError TFR_FEATURE, TFR_EXAMPLE */
  keyOf(record: Uint8Array): string {
    const { context } = decodeNamed(record, this.#names);
    const feature = context[this.#name];
    if (feature?.values.length === 1) return valueJson(feature.values.at(0)!, true);
    const absent = Object.hasOwn(context, this.#name) ? 'a feature without a kind' : 'no such feature';
    const found = feature === undefined ? absent : plural(feature.values.length, 'value');
    const name = JSON.stringify(this.#name);
    const hint = feature === undefined ? nearestHint(this.#name, namesIn(record)) : '';
    throw new TFRecordError('TFR_FEATURE', `the key ${name}: expected 1 value, found ${found}.${hint}`, {
      feature: this.#name,
      expected: '1 value',
      found,
    });
  }
}

/** Records in memory, by their keys. */
class StoredRecords {
  readonly #records = new Map<string, KeyedRecord[]>();
  /** The approximate memory of the records, in bytes. */
  cost = 0;

  /** Adds a copy of a record. */
  add(record: KeyedRecord): void {
    const own = { ...record, record: record.record.slice() };
    const same = this.#records.get(record.key);
    if (same === undefined) this.#records.set(record.key, [own]);
    else same.push(own);
    this.cost += record.record.length + record.key.length + HELD_COST;
  }

  /** Removes and returns the first record with that key. */
  take(key: string): KeyedRecord | undefined {
    const same = this.#records.get(key);
    if (same?.length === 1) this.#records.delete(key);
    return same?.shift();
  }

  /** Removes and returns all records. */
  *rest(): Generator<KeyedRecord, void, undefined> {
    for (const same of this.#records.values()) yield* same;
    this.#records.clear();
    this.cost = 0;
  }
}

/** Number of temporary files for each set. */
const PARTS = 256;
/** Bytes that are buffered for each file before they are written. */
const PART_CHUNK = 256 * 1024;
/** Length of the header before each record in a temporary file: the index of its file, and its number. */
const PLACE_BYTES = 12;

/** The records of a set in temporary files, divided by the hash of their keys. */
class Parts {
  readonly #path: string;
  readonly #keyed: KeyReader;
  readonly #signal: AbortSignal;
  readonly #files: string[] = [];
  readonly #parts = Array.from({ length: PARTS }, () => ({ records: [] as Uint8Array[], bytes: 0, exists: false }));

  constructor(path: string, keyed: KeyReader, signal: AbortSignal) {
    this.#path = path;
    this.#keyed = keyed;
    this.#signal = signal;
  }

  async add({ record, file, number, key }: KeyedRecord): Promise<void> {
    if (this.#files.at(-1) !== file) this.#files.push(file);
    const entry = Buffer.allocUnsafe(PLACE_BYTES + record.length);
    entry.writeUInt32LE(this.#files.length - 1, 0);
    entry.writeDoubleLE(number, 4);
    entry.set(record, PLACE_BYTES);
    const index = createHash('sha1').update(key).digest()[0]!;
    const part = this.#parts[index]!;
    part.records.push(entry);
    part.bytes += entry.length;
    if (part.bytes > PART_CHUNK) await this.#write(index);
  }

  /** Reads the records of a part. */
  async *part(index: number): AsyncGenerator<KeyedRecord, void, undefined> {
    await this.#write(index);
    if (!this.#parts[index]!.exists) return;
    const options = { signal: this.#signal, maxRecordBytes: MAX_RECORD_BYTES };
    for await (const entry of readRecords(this.#file(index), options)) {
      const place = new DataView(entry.buffer, entry.byteOffset, PLACE_BYTES);
      const record = entry.subarray(PLACE_BYTES);
      const key = this.#keyed.keyOf(record);
      yield { record, file: this.#files[place.getUint32(0, true)]!, number: place.getFloat64(4, true), key };
    }
  }

  async #write(index: number): Promise<void> {
    this.#signal.throwIfAborted();
    const part = this.#parts[index]!;
    if (part.records.length === 0) return;
    await appendFile(this.#file(index), encodeRecords(part.records, { maxRecordBytes: MAX_RECORD_BYTES }));
    part.records = [];
    part.bytes = 0;
    part.exists = true;
  }

  #file(index: number): string {
    return `${this.#path}-${index}`;
  }
}
