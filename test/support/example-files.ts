/** Examples in files, and everything that readExamples gives of them. */
import {
  fixedLen,
  fixedLenSequence,
  parseExample,
  varLen,
  type ExampleReader,
  type readExamples,
  type Spec,
  type TFRecordError,
} from '../../lib';
import { plainFeatures, plainValue } from './plain-values';
import { exampleOf, floats, int64s, strings } from './wire';

/** Number `i` in every feature, of which `tags` and `pairs` have more or fewer values. */
export function numbered(i: number): Uint8Array {
  const tags = Array.from({ length: i % 4 }, (_, k) => `${i}.${k}`);
  const pairs = Array.from({ length: 2 * (i % 3) }, (_, k) => i + k);
  return exampleOf({ id: int64s(i), w: floats(i / 2), tags: strings(...tags), pairs: int64s(...pairs) });
}

/** A spec for the records of `numbered`. */
export const NUMBERED = {
  id: fixedLen([], 'int64'),
  w: varLen('float32'),
  tags: fixedLenSequence([], 'bytes', { allowMissing: true, default: '?' }),
  pairs: fixedLenSequence([2], 'int64', { allowMissing: true }),
};

export type Row = Readonly<Record<string, unknown>>;

/** The values of a row, as tests write them down. */
export function plainRow(row: object, spec: Spec): Row {
  return Object.fromEntries(Object.keys(spec).map((name) => [name, plainValue((row as Row)[name])]));
}

export interface Read {
  readonly rows: Row[];
  /** What ended it. */
  readonly error: TFRecordError | undefined;
}

/** All rows, and the error behind them. */
export async function rowsIn(reader: ReturnType<typeof readExamples>, spec: Spec): Promise<Read> {
  const rows: Row[] = [];
  try {
    for await (const row of reader) rows.push(plainRow(row, spec));
  } catch (error) {
    return { rows, error: error as TFRecordError };
  }
  return { rows, error: undefined };
}

/** `parseExample` of each `size` records, the last batch shorter. */
export function parsedBatches(records: readonly Uint8Array[], spec: Spec, size: number): Row[] {
  return Array.from({ length: Math.ceil(records.length / size) }, (_, i) =>
    plainFeatures(parseExample(records.slice(i * size, (i + 1) * size), spec)),
  );
}

/** All batches of `size`, and the error behind them. */
export async function batchesIn(reader: ExampleReader<Spec>, size: number, dropRemainder?: boolean): Promise<Read> {
  const rows: Row[] = [];
  try {
    for await (const batch of reader.batches(size, { dropRemainder })) rows.push(plainFeatures(batch));
  } catch (error) {
    return { rows, error: error as TFRecordError };
  }
  return { rows, error: undefined };
}
