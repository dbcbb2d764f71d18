/**
 * Resumes mutants of real states with right checksums, and prints their outcomes. Arguments: seed, number of pipelines,
 * mutants of each.
 */
import { argument, say } from '../../../support/running/case';
import { Dataset, encodeExample, fixedLen, int64, TFRecordError } from '../../../../lib';
import { sumOf } from '../../../../lib/dataset/engine/fingerprint';
import { mutant } from '../../../support/records/mutants';
import { randomPipeline, SPEEDS, type Source } from '../../../support/datasets/random-pipelines';
import { randoms } from '../../../support/randoms';
import { Folder, numberedRecords } from '../../../support/records/record-files';

process.removeAllListeners('warning');
process.on('warning', () => undefined);

const MOST = 400;
const SLOW_MS = 5000;
const [seed, pipelines, mutants] = [0, 1, 2].map((index) => Number(argument(index))) as [number, number, number];

const folder = new Folder();
const records = numberedRecords(60, 40);
const plain = [records.slice(0, 7), [], records.slice(7, 30)].map((part, i) => folder.write(`plain-${i}`, part));
const small = folder.write('small', records.slice(0, 2));
const packed = [records.slice(0, 25), records.slice(25, 40)].map((part, i) => folder.write(`packed-${i}.gz`, part));
const examples = folder.write(
  'examples',
  Array.from({ length: 30 }, (_, i) => encodeExample(i === 21 ? {} : { a: int64(i) })),
);
const parsed = Dataset.tfrecord(examples);
const SPEC = { a: fixedLen([], 'int64') };

const SOURCES: readonly Source[] = [
  () => Dataset.tfrecord(plain),
  () => Dataset.tfrecord(packed),
  () =>
    Dataset.files([...plain, ...packed])
      .shuffle('full')
      .interleave((file) => Dataset.tfrecord(file), { cycleLength: 3 }),
  () => Dataset.range(40),
  () => Dataset.from(Array.from({ length: 30 }, (_, i) => i)),
  () =>
    Dataset.from(function* () {
      for (let i = 0; i < 30; i++) yield i;
    }),
];

type Any = Dataset<unknown, unknown>;

const reader = {
  open: () => ({ next: 0 }),
  read: (file: { next: number }) => (file.next < 9 ? { value: file.next++ } : undefined),
  state: ({ next }: { next: number }) => next,
  seek: (file: { next: number }, state: number): void => {
    if (!Number.isInteger(state)) throw new TypeError('no state');
    file.next = state;
  },
};

/** Stages that random pipelines do not have. */
const OTHERS: readonly (() => Any)[] = [
  () => Dataset.tfrecord(plain).shuffle(8, { bytes: 300 }),
  () => Dataset.range(50).shuffle('full').batch(4),
  () => Dataset.range(50).shard(3, 1, { by: 'range', uneven: 'pad' }),
  () => Dataset.tfrecord(plain).shard(2, 0),
  () => Dataset.range(40).seed(2).shard(2, 1),
  () => Dataset.range(40).map(async (n) => Promise.resolve(n), { ordered: false, parallel: 3 }),
  () => Dataset.range(9).interleave((n) => Dataset.range(n), { ordered: false, cycleLength: 3 }),
  () => Dataset.range(60).rejectionResample((n) => n % 2, { target: [1, 2] }),
  () => Dataset.define(plain, reader),
  () => Dataset.text(plain[0]!, { skipHeaderLines: 0 }).onError('skip'),
  () => Dataset.fixedLength(plain, 8),
  () => Dataset.csv(examples, { columns: { a: '' }, header: false }).onError('skip'),
  () => parsed.batch(4).parse(SPEC),
  () => parsed.batch(4).parse(SPEC).onError('stop'),
  () => parsed.parse(SPEC).shuffle(5).batch(3).onError('skip'),
  () => Dataset.range(10).repeat().shuffle(7).take(300),
  () =>
    Dataset.files([...plain, ...packed])
      .repeat()
      .interleave((file) => Dataset.tfrecord(file), { cycleLength: 2 })
      .take(300),
  // Without an end, and each pass opens files anew: what a state passes over costs most here.
  () =>
    Dataset.files([...plain, ...packed])
      .repeat()
      .interleave((file) => Dataset.tfrecord(file), { cycleLength: 2 }),
  () =>
    Dataset.files(plain)
      .repeat()
      .interleave((file) => Dataset.tfrecord(file), { cycleLength: 2, ordered: false }),
  () =>
    Dataset.files(plain)
      .repeat()
      .flatMap((file) => Dataset.tfrecord(file)),
  () =>
    Dataset.tfrecord(small)
      .repeat()
      .filter((_, { index }) => index % 5 === 0),
  () => Dataset.tfrecord(small).repeat().shuffle(3),
  () => Dataset.tfrecord(small).repeat().shuffle(3, { bytes: 200 }),
  () => Dataset.tfrecord(small).repeat().batch(2),
  () => Dataset.tfrecord(small).repeat().batch(2).rebatch(3),
  () => Dataset.tfrecord(small).repeat().batch(2).unbatch(),
  () => Dataset.tfrecord(small).repeat().window(2),
  () =>
    Dataset.tfrecord(small)
      .repeat()
      .rejectionResample((_, { index }) => index % 2, { target: [1, 2] }),
  () => Dataset.sampleFrom([Dataset.tfrecord(small), Dataset.tfrecord(plain)], { exhausted: 'repeat' }),
  () => Dataset.sampleFrom([Dataset.range(5), Dataset.range(7)], { exhausted: 'repeat' }).take(200),
  () => Dataset.range(30).cache().repeat(2),
  () => Dataset.tfrecord(plain).cache(folder.at('cache')),
  () => Dataset.range(30).prefetch('auto').onError('skip').skip(3).take(20).enumerate(4),
];

const counts = { tried: 0, worked: 0, refused: 0 };

function isCoded(error: unknown): boolean {
  if (error instanceof TFRecordError) return true;
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_');
}

async function tryState(dataset: Any, state: unknown, about: unknown): Promise<void> {
  counts.tried++;
  const begun = performance.now();
  const heap = process.memoryUsage().rss;
  let given = 0;
  try {
    const elements = dataset.iterate({ state: state as never, signal: AbortSignal.timeout(SLOW_MS) });
    try {
      while (given < MOST && (await elements.next()).done !== true) given++;
      const after: unknown = JSON.parse(JSON.stringify(elements.state()));
      if (typeof after !== 'object') say({ bad: 'no state', about });
    } finally {
      await elements.return();
    }
    counts.worked++;
  } catch (error) {
    counts.refused++;
    if (!isCoded(error)) say({ bad: String((error as Error).stack).slice(0, 600), about, state });
  }
  const took = performance.now() - begun;
  const grown = (process.memoryUsage().rss - heap) / 2 ** 20;
  if (took > SLOW_MS || grown > 256) say({ bad: `${Math.round(took)} ms, ${Math.round(grown)} MiB`, about, state });
}

async function attack(dataset: Any, random: () => number, about: unknown): Promise<void> {
  const pick = (below: number): number => Math.floor(random() * below);
  const states: Record<string, unknown>[] = [];
  const elements = dataset.iterate({ epoch: 0 });
  try {
    for (let i = 0; i < 60; i++) {
      states.push(JSON.parse(JSON.stringify(elements.state())) as Record<string, unknown>);
      if ((await elements.next()).done === true) break;
    }
  } catch {
    // The states before the error are used.
  }
  await elements.return();
  for (let i = 0; i < mutants; i++) {
    const honest = states[pick(states.length)]!;
    const { sum: _, ...whole } = honest;
    const forged = pick(5) === 0 ? mutant(whole, pick) : { ...whole, place: mutant(whole['place'], pick) };
    await tryState(dataset, signed(forged), about);
  }
}

/** `state` with its right checksum. */
function signed(state: unknown): unknown {
  if (typeof state !== 'object' || state === null || Array.isArray(state)) return state;
  const { version, order, graph, seed, call, epoch, exact, position, place } = state as Record<string, unknown>;
  return { ...state, sum: sumOf([version, order, graph, seed, call, epoch, exact, position, place]) };
}

async function main(): Promise<void> {
  for (const [i, make] of OTHERS.entries()) await attack(make(), randoms(1 + seed + i), ['other', i]);
  for (let i = 0; i < pipelines; i++) {
    const random = randoms(1000 * seed + i);
    const pipeline = randomPipeline((below) => Math.floor(random() * below), SOURCES);
    await attack(pipeline.make(SPEEDS[i % 3]!), random, ['random', 1000 * seed + i]);
  }
  folder.remove();
  say(counts.tried > 0 && counts.refused > counts.tried / 10 && counts.worked > 0 ? 'done' : counts);
  process.stderr.write(`${JSON.stringify(counts)}\n`);
}

void main();
