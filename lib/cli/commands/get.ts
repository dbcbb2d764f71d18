import { InvalidArgumentError } from 'commander';

import { TFRecordError } from '../../base';
import type { RecordBatch } from '../../record';
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
Numbers count from 0, as those of errors and of --origin do. With an index (tfrecord index) only these
records are read, each with its checksums; without, the file is read up to the last of them.
`;

export const getCommand: CommandDefinition = (program, begin) =>
  addRecordFlags(
    addReadFlags(
      program
        .command('get')
        .description('Print records by their numbers, or by a key, each as one line of JSON.')
        .argument('<file>', 'a path')
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
    throw new UsageError('get needs the numbers of records, or --key with a value');
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
  file: string,
  numbers: readonly number[],
  flags: GetFlags,
  { options }: RecordLines,
  context: Context,
): AsyncGenerator<RecordBatch> {
  await using index = await openSideCar(file, flags, context);
  if (index !== undefined) {
    const found = flags.key === undefined ? numbers : await index.find(flags.key);
    if (found.length === 0) throw missing(`${file} has no record with the key "${flags.key}"`, file);
    for (const number of found) {
      // Damage may have ended the scan.
      if (number >= index.records) throw missing(lacks(file, number, index.records), file);
      yield await readPlaced(index, file, number);
    }
    return;
  }
  if (flags.key !== undefined) {
    throw missing(`${file} has no index with keys: tfrecord index --key FEATURE makes one`, file);
  }
  yield* await readUntil(file, numbers, options, flags, context);
}

/** Reads `file` up to the last of `numbers`. Resolves with these records in the order asked for. */
async function readUntil(
  file: string,
  numbers: readonly number[],
  options: RecordLines['options'],
  flags: GetFlags,
  context: Context,
): Promise<RecordBatch[]> {
  const last = numbers.reduce((most, number) => Math.max(most, number), 0);
  const wanted = new Set(numbers);
  const found = new Map<number, RecordBatch>();
  let next = 0;
  const progress = await context.startProgress([file], flags.progress);
  const totals = new Totals();
  try {
    await readBatches(file, { ...options, batchBytes: 256 * 1024 }, (batch, soFar) => {
      for (let i = 0; i < batch.length; i++) {
        const { record } = batch.origin(i)!;
        if (wanted.has(record)) found.set(record, copied(batch, i));
        next = record + 1;
      }
      progress.update(totals.with(soFar));
      return next <= last;
    });
  } finally {
    progress.clear();
  }
  return numbers.map((number) => {
    const record = found.get(number);
    if (record === undefined) throw missing(lacks(file, number, next), file);
    return record;
  });
}

function lacks(file: string, number: number, records: number): string {
  return `${file} has no record ${number}: it has ${plural(records, 'record')}, from number 0 on`;
}

function missing(message: string, file: string): TFRecordError {
  return new TFRecordError('ERR_OUT_OF_RANGE', message, { file });
}
