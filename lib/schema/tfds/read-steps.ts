/** Reads the steps of episodes as rows. */
import { checkBoolean, checkOptions, placedError, workingFolder, type Origin } from '../../base';
import { exampleParsing, parsedAs, type Element, type ParsedAs, type RecordParsing, type Spec } from '../../example';
import {
  firstNumber,
  newBatch,
  partsOf,
  READ_OPTION_NAMES,
  recordSequence,
  resolveReadOptions,
  type ErrorPolicy,
  type ReadOptions,
  type ReadPlan,
  type RecordBatch,
} from '../../record';
import { parseTable } from '../../table';
import type { BytesAs, Int64As, ToObject } from '../../tensor';
import { type TfdsShard, wrongRecords } from './dataset-info';
import type { Rewrite } from './rewrite';

/** Options of `TfdsFolder.steps`. */
export interface StepReadOptions extends ReadOptions {
  /** True replaces the numbers of classes by their names, where the data set has names. Default: false. */
  classNames?: boolean | undefined;
  /** The form of int64 values: `bigint`, or `number`, which throws for values that are not safe. Default: `bigint`. */
  int64?: Int64As | undefined;
  /** The form of features of bytes: `bytes`, or `text`, which throws for bytes that are not UTF-8. Default: `bytes`. */
  bytes?: BytesAs | undefined;
}

/** A step, with the features of its episode, and the numbers `episode` and `step`. */
export type StepRow = Element<Spec, Int64As, BytesAs> & ToObject;

/** Options of `TfdsFolder.steps`, checked as far as reading does not check them. */
export interface StepReading {
  readonly classNames: boolean;
  readonly parsed: ParsedAs;
  readonly read: ReadOptions;
}

const OPTION_NAMES = [...READ_OPTION_NAMES, 'classNames', 'int64', 'bytes'] as const;

/** @throws TypeError, RangeError for wrong options */
export function checkStepOptions(options: StepReadOptions | undefined): StepReading {
  const { classNames, int64, bytes, ...read } = checkOptions(options, OPTION_NAMES);
  return {
    classNames: checkBoolean('options.classNames', classNames, false),
    parsed: parsedAs({ int64, bytes }),
    read,
  };
}

/**
 * A row for each step of `shards`. The iteration throws TFRecordError, after all steps before the fault.
 * @throws TypeError, RangeError for wrong options of reading
 */
export function readSteps(
  shards: readonly TfdsShard[],
  rewrite: Rewrite,
  { parsed, read }: StepReading,
): AsyncGenerator<StepRow, void, undefined> {
  return steps(shards, rewrite, exampleParsing(rewrite.output.spec, parsed), resolveReadOptions(read));
}

async function* steps(
  shards: readonly TfdsShard[],
  rewrite: Rewrite,
  parsing: RecordParsing,
  plan: ReadPlan,
): AsyncGenerator<StepRow, void, undefined> {
  const { policy, signal } = plan;
  const paths = shards.map(({ file }) => ({ path: file, expands: false }));
  const sequence = recordSequence({ kind: 'paths', paths, folder: workingFolder() }, plan);
  let input = 0;
  /** Number in the split of the first record of shard `input`. */
  let firstOfInput = 0;
  let records = 0;
  let skipped = 0;
  /** Checks the shards before number `next`. */
  const endBefore = (next: number): void => {
    for (; input < next; input++, records = 0) {
      const { file, records: expected } = shards[input]!;
      firstOfInput += expected;
      const isWhole = policy.skipped === skipped;
      skipped = policy.skipped;
      if (!isWhole || policy.stopped || records === expected) continue;
      policy.resolve(wrongRecords(file, expected, records));
    }
  };
  try {
    for (let batch = await sequence.next(); batch !== undefined; batch = await sequence.next()) {
      endBefore(sequence.place.input);
      records = firstNumber(batch) + batch.length;
      const first = firstOfInput + firstNumber(batch);
      for (let at = 0, atOnce = batch.length; at < batch.length && !policy.stopped;) {
        signal?.throwIfAborted();
        const part = partOf(batch, at, Math.min(at + atOnce, batch.length));
        const { rows, value, error } = await parseTable(part, rewrite.table, true);
        const checked = rewrite.check(value);
        const good =
          checked.error === undefined
            ? value
            : (await parseTable(partOf(part, 0, checked.rows), rewrite.table, true)).value;
        for (const { records: made, sources } of rewrite.records(good, first + at)) {
          const origins = (row: number): Origin => part.origin(sources[row]!)!;
          const placed = newBatch({ ...partsOf(made).source, origins }, 0, made.length);
          for (const row of rowsOf(placed, parsing, policy)) {
            if (row === undefined) await sequence.breathe();
            signal?.throwIfAborted();
            if (row !== undefined) yield row;
          }
          if (policy.stopped) return;
        }
        const fault = checked.error ?? error;
        const count = checked.error === undefined ? rows : checked.rows;
        at += count + (fault === undefined ? 0 : 1);
        atOnce = fault === undefined ? 2 * atOnce : 1;
        if (fault !== undefined) policy.resolve(placedError(fault, part.origin(count)!));
      }
      if (policy.stopped) return;
    }
    endBefore(shards.length);
  } finally {
    await sequence.close();
  }
}

/** The rows of `batch` without those that `policy` leaves out. Yields undefined after each of these. */
function* rowsOf(
  batch: RecordBatch,
  parsing: RecordParsing,
  policy: ErrorPolicy,
): Generator<StepRow | undefined, void> {
  // Few records at once after a fault, so that many faults do not parse all that follows again and again.
  for (let at = 0, count = batch.length; at < batch.length;) {
    const part = partOf(batch, at, Math.min(at + count, batch.length));
    const { rows, value, error } = parsing.rows(part);
    for (let row = 0; row < rows; row++) yield value.at(row) as StepRow;
    at += rows;
    count = Math.min(2 * part.length, batch.length);
    if (error === undefined) continue;
    if (policy.resolve(error) === 'stop') return;
    at++;
    count = 1;
    yield undefined;
  }
}

/** The records of `batch` from `begin` to `end`. */
function partOf(batch: RecordBatch, begin: number, end: number): RecordBatch {
  const { source, begin: first } = partsOf(batch);
  return newBatch(source, first + begin, first + end);
}
