/** Reads the steps of episodes as rows. */
import { checkBoolean, checkOptions, counted, placedError, workingFolder, type Origin } from '../../base';
import { exampleParsing, parsedAs, type Element, type ParsedAs, type Spec } from '../../example';
import {
  firstNumber,
  newBatch,
  partsOf,
  READ_OPTION_NAMES,
  recordSequence,
  resolveReadOptions,
  type ReadOptions,
  type RecordBatch,
} from '../../record';
import { parseTable } from '../../table';
import type { BytesAs, Int64As, ToObject } from '../../tensor';
import { contradiction, type TfdsShard } from './dataset-info';
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

/** A row for each step of `shards`. @throws TFRecordError, after all steps before the fault */
export async function* readSteps(
  shards: readonly TfdsShard[],
  rewrite: Rewrite,
  { parsed, read }: StepReading,
): AsyncGenerator<StepRow, void, undefined> {
  const plan = resolveReadOptions(read);
  const { policy, signal } = plan;
  const parsing = exampleParsing(rewrite.output.spec, parsed);
  const paths = shards.map(({ file }) => ({ path: file, expands: false }));
  const sequence = recordSequence({ kind: 'paths', paths, folder: workingFolder() }, plan);
  const firsts = shards.map((_, i) => shards.slice(0, i).reduce((sum, { records }) => sum + records, 0));
  let input = 0;
  let records = 0;
  let skipped = 0;
  /** Checks the shards before number `next`. */
  const endBefore = (next: number): void => {
    for (; input < next; input++, records = 0) {
      const { file, records: expected } = shards[input]!;
      const isWhole = policy.skipped === skipped;
      skipped = policy.skipped;
      if (!isWhole || policy.stopped || records === expected) continue;
      const wanted = `it has ${counted(expected, 'record')}`;
      policy.resolve(contradiction(file, wanted, counted(records, 'record')));
    }
  };
  try {
    for (let batch = await sequence.next(); batch !== undefined; batch = await sequence.next()) {
      endBefore(sequence.place.input);
      records = firstNumber(batch) + batch.length;
      const first = firsts[input]! + firstNumber(batch);
      for (let at = 0; at < batch.length && !policy.stopped;) {
        signal?.throwIfAborted();
        const rest = partOf(batch, at, batch.length);
        const { rows, value, error } = await parseTable(rest, rewrite.table, true);
        const checked = rewrite.check(value);
        const good =
          checked.error === undefined
            ? value
            : (await parseTable(partOf(rest, 0, checked.rows), rewrite.table, true)).value;
        for (const { records: made, sources } of rewrite.records(good, first + at)) {
          const origins = (row: number): Origin => rest.origin(sources[row]!)!;
          const found = parsing.rows(newBatch({ ...partsOf(made).source, origins }, 0, made.length));
          for (let row = 0; row < found.rows; row++) yield found.value.at(row) as StepRow;
          if (found.error !== undefined) throw found.error;
        }
        const fault = checked.error ?? error;
        const count = checked.error === undefined ? rows : checked.rows;
        at += count + (fault === undefined ? 0 : 1);
        if (fault !== undefined) policy.resolve(placedError(fault, rest.origin(count)!));
      }
      if (policy.stopped) return;
    }
    endBefore(shards.length);
  } finally {
    await sequence.close();
  }
}

/** The records of `batch` from `begin` to `end`. */
function partOf(batch: RecordBatch, begin: number, end: number): RecordBatch {
  const { source, begin: first } = partsOf(batch);
  return newBatch(source, first + begin, first + end);
}
