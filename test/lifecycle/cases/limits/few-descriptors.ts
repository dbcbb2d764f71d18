/**
 * Runs a pipeline with few descriptors. Argument 0: a folder with files `00` to `11` of three records of 300,000 bytes
 * each, in `packed` the same compressed, and in `texts` of three lines each, the last without a line end; 1: the name of a
 * pipeline; 2: the number of descriptors left to it. Prints whether the result is the same as with enough descriptors.
 */
import { closeSync, openSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Dataset, readRecords } from '../../../../lib';
import { argument, say } from '../../../support/running/case';
import { text } from '../../../support/records/texts';

const folder = argument(0);
const NAMES = Array.from({ length: 12 }, (_, i) => join(folder, String(i).padStart(2, '0')));
const TEXTS = NAMES.map((name) => join(folder, 'texts', basename(name)));
const PACKED = NAMES.map((name) => join(folder, 'packed', `${basename(name)}.gz`));
const PAIRS = NAMES.flatMap((name, i) => (i % 2 === 0 ? [[name, NAMES[i + 1]!]] : []));
const GROUPS = [0, 3, 6, 9].map((first) => NAMES.slice(first, first + 3));
const HALVES = [NAMES.slice(0, 6), NAMES.slice(6)];
const skipped: string[] = [];
const skip = { action: 'skip', report: ({ code }: { code: string }) => void skipped.push(code) } as const;

/** The name of the record, of what it is in. */
const shown = (record: Uint8Array): string => /\d\d-\d/.exec(text(record))?.[0] ?? 'another';

async function collected(records: AsyncIterable<unknown>): Promise<string[]> {
  const seen: string[] = [];
  for await (const record of records) {
    seen.push(typeof record === 'string' ? record : shown(record as Uint8Array));
    // Gives files time to be opened ahead.
    await sleep(4);
  }
  return seen;
}

/** The elements of several datasets that are read at the same time, one dataset behind the other. */
async function* atOnce(datasets: readonly Dataset<Uint8Array, unknown>[]): AsyncGenerator {
  for (const seen of await Promise.all(datasets.map(collected))) yield* seen;
}

const files = Dataset.from(NAMES);
const two = { cycleLength: 2 };
const interleaved = (names: readonly string[]): Dataset<Uint8Array, unknown> =>
  Dataset.from(names).interleave((name) => Dataset.tfrecord(name), two);
const cycle = { cycleLength: 4 };
const opening = (name: string): { fd: number; left: string[] } => {
  const fd = openSync(name, 'r');
  return { fd, left: [...new Set(readFileSync(fd, 'latin1').match(/\d\d-\d/g))] };
};

const PIPELINES: Readonly<Record<string, () => AsyncIterable<unknown>>> = {
  list: () => readRecords(NAMES, { onError: skip }),
  'list of fixed length': () => Dataset.fixedLength(NAMES, 300_016).onError(skip),
  'list of texts': () => Dataset.text(TEXTS).onError(skip),
  'list of gzip': () => readRecords(PACKED, { onError: skip }),
  'gzip lists': () =>
    Dataset.zip([PACKED.slice(0, 6), PACKED.slice(6)].map((half) => Dataset.tfrecord(half))).flatMap((pair) => pair),
  dataset: () => Dataset.tfrecord(NAMES).onError(skip),
  interleave: () => files.interleave((name) => Dataset.tfrecord(name), cycle),
  skip: () => files.interleave((name) => Dataset.tfrecord(name), cycle).onError(skip),
  'skip of the source': () => files.interleave((name) => Dataset.tfrecord(name, { onError: skip }), cycle),
  pairs: () => Dataset.from(PAIRS).interleave((pair) => Dataset.tfrecord(pair), cycle),
  'fixed length': () => files.interleave((name) => Dataset.fixedLength(name, 300_016), cycle).onError(skip),
  patterns: () => files.interleave((name) => Dataset.tfrecord(`${name}*`), cycle).onError(skip),
  'files of patterns': () =>
    files.interleave((name) => Dataset.files(`${name}*`).flatMap((file) => Dataset.tfrecord(file)), cycle),
  define: () =>
    files
      .interleave(
        (name) =>
          Dataset.define(name, {
            open: opening,
            read: ({ left }) => {
              const value = left.shift();
              return Promise.resolve(value === undefined ? undefined : { value });
            },
            close: ({ fd }) => closeSync(fd),
          }),
        cycle,
      )
      .onError(skip),
  prefetched: () => files.interleave((name) => Dataset.tfrecord(name).prefetch(2).take(2), cycle).onError(skip),
  nested: () => Dataset.from(GROUPS).interleave(interleaved, two),
  'nested skip': () => Dataset.from(GROUPS).interleave(interleaved, two).onError(skip),
  'nested lists': () => Dataset.from(HALVES).interleave((half) => Dataset.tfrecord([...half]).onError(skip), two),
  'nested texts': () =>
    Dataset.from(GROUPS).interleave(
      (group) =>
        Dataset.from(group.map((name) => join(folder, 'texts', basename(name)))).interleave(
          (name) => Dataset.text(name),
          two,
        ),
      two,
    ),
  zipped: () => Dataset.zip(HALVES.map((half) => Dataset.tfrecord(half))).flatMap((pair) => pair),
  concatenated: () => interleaved(NAMES.slice(0, 6)).concatenate(interleaved(NAMES.slice(6))),
  mixed: () => Dataset.sampleFrom(HALVES.map(interleaved)).seed(1),
  'at once': () => atOnce(HALVES.map(interleaved)),
  unordered: () => files.interleave((name) => Dataset.tfrecord(name), { ...cycle, ordered: false }).onError(skip),
};

/** Opens files until only `left` descriptors are free. */
function exhaust(left: number): void {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch {
    for (const fd of taken.slice(0, left)) closeSync(fd);
  }
}

async function main(): Promise<void> {
  const pipeline = PIPELINES[argument(1)];
  if (pipeline === undefined) throw new Error(`no pipeline ${argument(1)}`);
  const ordered = argument(1) !== 'unordered';
  const inOrder = (seen: string[]): string[] => (ordered ? seen : seen.sort());
  const wanted = inOrder(await collected(pipeline()));
  exhaust(Number(argument(2)));
  const found = await collected(pipeline()).then(inOrder, (error: unknown) => (error as NodeJS.ErrnoException).code);
  const same = JSON.stringify(found) === JSON.stringify(wanted);
  say({ records: wanted.length, found: same ? 'the same' : found, skipped: [...new Set(skipped)] });
}

void main();
