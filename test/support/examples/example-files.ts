/** Files of Examples, and everything that readExamples returns for them. */
import {
  fixedLen,
  fixedLenSequence,
  parseExample,
  varLen,
  type ExampleReader,
  type readExamples,
  type Spec,
  type TFRecordError,
} from '../../../lib';
import { plainFeatures, plainValue } from './plain-values';
import { numberedRecords, type Folder } from '../records/record-files';
import { exampleOf, floats, int64s, strings } from './wire';

/** Returns an Example with the number `i` in every feature. `tags` and `pairs` have different numbers of values. */
export function numbered(i: number): Uint8Array {
  const tags = Array.from({ length: i % 4 }, (_, k) => `${i}.${k}`);
  const pairs = Array.from({ length: 2 * (i % 3) }, (_, k) => i + k);
  return exampleOf({ id: int64s(i), w: floats(i / 2), tags: strings(...tags), pairs: int64s(...pairs) });
}

/**
 * Writes 40 records to plain and compressed files, and Examples to four files `train-*`, which `usualPipeline` reads.
 * Returns the paths, and 60 records, of which the files have the first 40.
 */
export function writeParts(folder: Folder): { records: Buffer[]; plain: string[]; packed: string[] } {
  const records = numberedRecords(60, 40);
  const plain = [records.slice(0, 7), [], records.slice(7, 30)].map((part, i) => folder.write(`plain-${i}`, part));
  const packed = [records.slice(0, 25), records.slice(25, 40)].map((part, i) => folder.write(`packed-${i}.gz`, part));
  for (let i = 0; i < 4; i++) {
    const examples = Array.from({ length: 6 + 9 * i }, (_, k) => numbered(100 * i + k));
    folder.write(i === 2 ? 'train-2.gz' : `train-${i}`, examples);
  }
  return { records, plain, packed };
}

/** Writes 2,000 Examples of at least one kilobyte. Returns the path. */
export function writeLongRows(folder: Folder): string {
  const rows = Array.from({ length: LONG_ROWS }, (_, i) =>
    exampleOf({ id: int64s(i), text: strings('t'.repeat(1000)), numbers: int64s(...Array<number>(i % 100).fill(i)) }),
  );
  return folder.write('rows.tfrecord', rows);
}

export const LONG_ROWS = 2000;

/** A spec for the records of `numbered`. */
export const NUMBERED = {
  id: fixedLen([], 'int64'),
  w: varLen('float32'),
  tags: fixedLenSequence([], 'bytes', { allowMissing: true, default: '?' }),
  pairs: fixedLenSequence([2], 'int64', { allowMissing: true }),
};

export type Row = Readonly<Record<string, unknown>>;

/** Returns the values of a row as plain values, which tests can write down. */
export function plainRow(row: object, spec: Spec): Row {
  return Object.fromEntries(Object.keys(spec).map((name) => [name, plainValue((row as Row)[name])]));
}

export interface Read {
  readonly rows: Row[];
  /** The error that ended reading, if any. */
  readonly error: TFRecordError | undefined;
}

/** Returns all rows, and the error after them. */
export async function rowsIn(reader: ReturnType<typeof readExamples>, spec: Spec): Promise<Read> {
  const rows: Row[] = [];
  try {
    for await (const row of reader) rows.push(plainRow(row, spec));
  } catch (error) {
    return { rows, error: error as TFRecordError };
  }
  return { rows, error: undefined };
}

/** Returns the results of `parseExample` for batches of `size` records. The last batch may be shorter. */
export function parsedBatches(records: readonly Uint8Array[], spec: Spec, size: number): Row[] {
  return Array.from({ length: Math.ceil(records.length / size) }, (_, i) =>
    plainFeatures(parseExample(records.slice(i * size, (i + 1) * size), spec)),
  );
}

/** Returns all batches of `size`, and the error after them. */
export async function batchesIn(reader: ExampleReader<Spec>, size: number, dropRemainder?: boolean): Promise<Read> {
  const rows: Row[] = [];
  try {
    for await (const batch of reader.batches(size, { dropRemainder })) rows.push(plainFeatures(batch));
  } catch (error) {
    return { rows, error: error as TFRecordError };
  }
  return { rows, error: undefined };
}
