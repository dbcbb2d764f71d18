import { InvalidArgumentError } from 'commander';

import { TFRecordError } from '../../base';
import type { ReadStats, RecordBatch, RecordIndex } from '../../record';
import type { CommandDefinition, Context } from '../context';
import { addReadFlags } from '../flags';
import { addRecordFlags, CUTS_HELP, RecordLines, type PrintFlags } from '../print';
import { readBatches, Totals } from '../read-batches';
import { copied } from '../reservoir';
import { openSideCar, readPlaced } from '../side-car';
import { UsageError } from '../terminal/reporter';
import { plural } from '../terminal/text';

interface GetFlags extends PrintFlags {
  readonly key?: string;
}

const NOTES = `
Numbers count from 0, over all files of a pattern together. With an index (tfrecord index), only these
records are read and verified; without one, the files are read up to the last of these records.
`;

export const getCommand: CommandDefinition = (program, begin) =>
  addRecordFlags(
    addReadFlags(
      program
        .command('get')
        .description('Print records by their numbers, or by a key, each as one line of JSON.')
        .argument('<file>', 'a path, a URL, a pattern, or name@N for N shards')
        .argument('[numbers...]', 'numbers of records, from 0', addNumber)
        .option('--key <value>', 'the records with this value of the feature of tfrecord index --key')
        .option('--full', 'do not cut long values and lists'),
      { verify: true, onError: true },
    ),
  )
    .addHelpText('after', CUTS_HELP + NOTES)
    .action((file: string, numbers: readonly number[] | undefined, flags: GetFlags) =>
      get(file, numbers ?? [], flags, begin()),
    );

/** Adds a number of a record to `before`. @throws InvalidArgumentError */
function addNumber(text: string, before: readonly number[] = []): readonly number[] {
  const number = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(number)) throw new InvalidArgumentError('Expected the number of a record, 0 or more.');
  return [...before, number];
}

async function get(file: string, numbers: readonly number[], flags: GetFlags, context: Context): Promise<void> {
  if ((flags.key === undefined) === (numbers.length === 0)) {
    throw new UsageError('get needs either the numbers of records, or --key with a value');
  }
  const lines = new RecordLines(flags, context);
  for await (const record of records(file, numbers, flags, lines, context)) {
    if (context.out.closed) break;
    const printed = lines.print(record, 0);
    if (printed === 'stop') break;
    if (printed !== 'skip' && printed !== undefined) await printed;
  }
  lines.finish();
}

/** Yields the records that are asked for, each as a batch. */
async function* records(
  name: string,
  numbers: readonly number[],
  flags: GetFlags,
  { options }: RecordLines,
  context: Context,
): AsyncGenerator<RecordBatch> {
  const files = await context.files([name]);
  // A name without a file was reported.
  if (files.length === 0) return;
  if (flags.key === undefined) yield* byNumber(name, files, numbers, options, flags, context);
  else yield* byKey(name, files, flags.key, flags, context);
}

async function* byKey(
  name: string,
  files: readonly string[],
  key: string,
  flags: GetFlags,
  context: Context,
): AsyncGenerator<RecordBatch> {
  let found = false;
  let feature = '';
  for (const file of files) {
    await using index = await openSideCar(file, flags, context);
    if (index?.keys === undefined) {
      throw missing(`${file} has no index with keys: tfrecord index --key FEATURE makes one`, file);
    }
    ({ feature } = index.keys);
    for (const number of await index.find(key)) {
      found = true;
      // Damage may have ended the scan.
      if (number >= index.records) throw missing(lacks(file, number, index.records), file);
      yield await readPlaced(index, file, number);
    }
  }
  if (!found)
    throw missing(
      `${name} has no record with the key "${key}": the keys are values of ${JSON.stringify(feature)}`,
      name,
    );
}

/** Yields the records `numbers`, which count over all files together, in the order asked for. */
async function* byNumber(
  name: string,
  files: readonly string[],
  numbers: readonly number[],
  options: RecordLines['options'],
  flags: GetFlags,
  context: Context,
): AsyncGenerator<RecordBatch> {
  const last = numbers.reduce((most, number) => Math.max(most, number), 0);
  const wanted = new Set(numbers);
  const found = new Map<number, () => RecordBatch | Promise<RecordBatch>>();
  const indexes: RecordIndex[] = [];
  const progress = await context.startProgress(files, flags.progress);
  const totals = new Totals();
  let first = 0;
  try {
    for (const file of files) {
      if (first > last) break;
      const index = await openSideCar(file, flags, context);
      if (index === undefined) {
        totals.add(await readFrom(file, first));
        continue;
      }
      indexes.push(index);
      const begin = first;
      first += index.records;
      for (const number of wanted) {
        if (number >= begin && number < first) found.set(number, () => readPlaced(index, file, number - begin));
      }
    }
    progress.clear();
    for (const number of numbers) {
      const read = found.get(number);
      if (read === undefined) throw missing(lacks(name, number, first), name);
      yield await read();
    }
  } finally {
    progress.clear();
    await Promise.all(indexes.map((index) => index.close()));
  }

  /** Reads `file`, whose first record has the number `begin`, as far as its records are wanted. */
  function readFrom(file: string, begin: number): Promise<ReadStats> {
    return readBatches(file, { ...options, batchBytes: 256 * 1024 }, (batch, soFar) => {
      for (let i = 0; i < batch.length; i++) {
        const number = begin + batch.origin(i)!.record;
        if (wanted.has(number)) {
          const record = copied(batch, i);
          found.set(number, () => record);
        }
        first = number + 1;
      }
      progress.update(totals.with(soFar));
      return first <= last;
    });
  }
}

function lacks(file: string, number: number, records: number): string {
  return `${file} has no record ${number}: it has ${plural(records, 'record')}, numbered from 0`;
}

function missing(message: string, file: string): TFRecordError {
  return new TFRecordError('ERR_OUT_OF_RANGE', message, { file });
}
