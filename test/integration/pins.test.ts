/**
 * Forms that outlive a program: states of iterators, the text of `explain()`, disk caches, manifests of conversions, and
 * the columns that a spec requests from native code. A change here breaks what users have stored, so a release must announce it.
 *
 * `TFRECORD_WRITE_PINS=1 npx jest test/integration/pins` writes test/golden/pins anew.
 */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Dataset, fixedLen, fixedLenSequence, ragged, sparse, varLen, type Spec } from '../../lib';
import { convert } from '../../lib/convert';
import { sumOf } from '../../lib/dataset/engine/fingerprint';
import { planExample } from '../../lib/example/parse/plan';
import { comparable } from '../support/comparable';
import { Folder } from '../support/records/record-files';
import { exampleOf, floats, int64s, strings } from '../support/examples/wire';

type Any = Dataset<unknown, unknown>;

const PINS = join(__dirname, '..', 'golden', 'pins');
const WRITES = process.env['TFRECORD_WRITE_PINS'] === '1';

const folder = new Folder();
afterAll(() => folder.remove());

const upTo = (n: number): number[] => Array.from({ length: n }, (_, k) => k);
const records = upTo(24).map((i) =>
  exampleOf({
    id: int64s(i),
    w: floats(i / 2),
    tags: strings(...upTo(i % 4).map((k) => `${i}.${k}`)),
    pairs: int64s(...upTo(2 * (i % 3))),
    col: int64s(...upTo(i % 5)),
    cell: floats(...upTo(i % 5)),
    words: strings(...upTo(6).map(String)),
    lengths: int64s(i % 7, 6 - (i % 7)),
  }),
);
const SPEC = {
  id: fixedLen([], 'int64'),
  w: fixedLen([1], 'float32', { default: [0.5] }),
  tags: varLen('bytes'),
  pairs: fixedLenSequence([2], 'int64', { allowMissing: true }),
  grid: sparse({ indexKey: 'col', valueKey: 'cell', dtype: 'float32', size: 9 }),
  words: ragged({ dtype: 'bytes', valueKey: 'words', partitions: [{ by: 'rowLengths', key: 'lengths' }] }),
} satisfies Spec;

const home = process.cwd();
beforeAll(() => {
  // On a busy machine a chunk may end early to let the event loop turn; its mark would be another one, and lead to the same.
  jest.spyOn(performance, 'now').mockReturnValue(0);
  folder.write('a.tfrecord', records.slice(0, 13));
  folder.write('b.tfrecord', records.slice(13));
  writeFileSync(folder.at('lines.txt'), 'one\ntwo\nthree\nfour\nfive\n');
  writeFileSync(folder.at('rows.csv'), 'id,name\n1,one\n2,two\n3,three\n');
  writeFileSync(folder.at('fixed.bin'), Buffer.alloc(40, 'abcd'));
  // States and caches store names as they were given.
  process.chdir(folder.path);
});
afterAll(() => process.chdir(home));

const FILES = ['a.tfrecord', 'b.tfrecord'];
const numbers = (): Dataset<number> => Dataset.range(40);
const parsed = (): Any => Dataset.tfrecord(FILES).parse(SPEC);

/** One pipeline for every source and stage, by name. */
const PIPELINES: Readonly<Record<string, () => Any>> = {
  range: () => Dataset.range(3, 30, 2),
  from: () => Dataset.from([1, 2, 3, 4, 5, 6]),
  tfrecord: () => Dataset.tfrecord(FILES),
  files: () => Dataset.files('*.tfrecord'),
  text: () => Dataset.text('lines.txt', { skipHeaderLines: 1 }),
  csv: () => Dataset.csv('rows.csv', { columns: { id: 0n, name: '' } }),
  fixedLength: () => Dataset.fixedLength('fixed.bin', 4, { headerBytes: 4 }),
  define: () =>
    Dataset.define(FILES, {
      open: () => ({ next: 0 }),
      read: (file: { next: number }) => (file.next < 5 ? { value: file.next++ } : undefined),
      state: ({ next }: { next: number }) => next,
      seek: (file: { next: number }, state: number) => void (file.next = state),
    }),
  map: () => numbers().map((n) => n + 1),
  mapAsync: () => numbers().map(async (n) => Promise.resolve(n), { parallel: 3 }),
  filter: () => numbers().filter((n) => n % 3 === 0),
  take: () => numbers().take(7),
  takeWhile: () => numbers().takeWhile((n) => n < 9),
  skip: () => numbers().skip(7),
  enumerate: () => numbers().enumerate(5),
  repeat: () => Dataset.range(2).repeat(4),
  concatenate: () => Dataset.range(2).concatenate(Dataset.from([7, 8])),
  zip: () => Dataset.zip({ n: numbers(), text: Dataset.from(['x', 'y', 'z', 'u']) }),
  sampleFrom: () => Dataset.sampleFrom([numbers(), Dataset.range(9)], { weights: [3, 1] }),
  chooseFrom: () => Dataset.chooseFrom([numbers(), Dataset.range(9)], Dataset.from([1, 0, 0, 1, 1])),
  shuffle: () => numbers().shuffle(5),
  shuffleFull: () => numbers().shuffle('full'),
  shuffleRecords: () => Dataset.tfrecord(FILES).shuffle('full'),
  shuffleBlocks: () => Dataset.tfrecord(FILES).shuffle({ blockSize: 3, blocks: 2 }),
  shuffleByBytes: () => Dataset.tfrecord(FILES).shuffle(8, { bytes: 300 }),
  shard: () => Dataset.tfrecord(FILES).shard(2, 1, { by: 'record' }),
  shardByRange: () => numbers().shard(3, 1, { by: 'range' }),
  batch: () => numbers().batch(4),
  batchOfRecords: () => Dataset.tfrecord(FILES).batch(4, { dropRemainder: true }),
  unbatch: () => numbers().batch(4).unbatch(),
  window: () => numbers().window(3, { shift: 2 }),
  flatMap: () => Dataset.range(9).flatMap((n) => Dataset.range(n)),
  interleave: () => Dataset.files('*.tfrecord').interleave((file) => Dataset.tfrecord(file), { cycleLength: 2 }),
  interleaveInBlocks: () => Dataset.range(9).interleave((n) => Dataset.range(n), { cycleLength: 3, blockLength: 2 }),
  rejectionResample: () => numbers().rejectionResample((n) => n % 2, { target: [1, 2] }),
  paddedBatch: () =>
    Dataset.tfrecord(FILES)
      .parse({ id: fixedLen([], 'int64'), tags: varLen('bytes') })
      .paddedBatch(3),
  parse: parsed,
  parseThenBatch: () => parsed().batch(4),
  batchThenParse: () => Dataset.tfrecord(FILES).batch(4).parse(SPEC),
  cache: () => numbers().cache(),
  prefetch: () => numbers().prefetch(3),
  onError: () => Dataset.tfrecord(FILES).onError('skip'),
  seed: () => numbers().seed(9).shuffle(4),
};

/** Expects `value` to equal the contents of `file`. */
function expectPinned(file: string, value: unknown): void {
  const path = join(PINS, file);
  if (WRITES) {
    mkdirSync(PINS, { recursive: true });
    writeFileSync(path, `${JSON.stringify(value, null, 1)}\n`);
  }
  expect(value).toEqual(JSON.parse(readFileSync(path, 'utf8')));
}

/** Returns the state of a pipeline after three elements, its `explain()`, and three elements after a resume. */
async function portraitOf(make: () => Any): Promise<unknown> {
  const elements = make().iterate({ epoch: 1 });
  for (let i = 0; i < 3; i++) await elements.next();
  const state: unknown = JSON.parse(JSON.stringify(elements.state()));
  const stages = make().explain().split('\n');
  await elements.return();
  return { stages, state, then: await restOf(make, state) };
}

/** Returns a short value as JSON, and a long one as the hash of its JSON. */
function digestOf(value: unknown): string {
  const text = JSON.stringify(comparable(value), (_, member: unknown) =>
    typeof member === 'bigint' ? `${member}n` : member,
  );
  return text.length < 80 ? text : createHash('sha256').update(text).digest('hex').slice(0, 16);
}

async function restOf(make: () => Any, state: unknown): Promise<unknown> {
  const elements = make().iterate({ state: state as never });
  const then: unknown[] = [];
  for (let i = 0; i < 3; i++) {
    const { done, value } = await elements.next();
    if (done !== true) then.push(digestOf(value));
  }
  await elements.return();
  return then;
}

test('every stage: text, state, and where the state leads', async () => {
  const portraits: Record<string, unknown> = {};
  for (const [name, make] of Object.entries(PIPELINES)) portraits[name] = await portraitOf(() => make().seed(11));
  expectPinned('stages.json', portraits);
});

test('states that are stored lead to the elements they led to', async () => {
  const stored = JSON.parse(readFileSync(join(PINS, 'stages.json'), 'utf8')) as Record<
    string,
    { state: unknown; then: unknown }
  >;
  expect(Object.keys(stored)).toEqual(Object.keys(PIPELINES));
  for (const [name, { state, then }] of Object.entries(stored)) {
    await expect(restOf(() => (PIPELINES[name] as () => Any)().seed(11), state)).resolves.toEqual(then);
  }
});

test('the columns that a spec asks for', () => {
  expectPinned(
    'plan.json',
    planExample(SPEC).columns.map((column) =>
      JSON.parse(JSON.stringify({ ...column, key: Buffer.from(column.key).toString() })),
    ),
  );
});

test.each<[string, (path: string) => Any]>([
  ['batches', (path) => Dataset.from(records).parse(SPEC).batch(5).cache(path)],
  ['rows', (path) => Dataset.from(records).parse(SPEC, { int64: 'number' }).enumerate().cache(path)],
])('a disk cache that is stored is read, and stays as it is: %s', async (name, make) => {
  const kept = join(PINS, `cache-${name}`);
  if (WRITES) {
    rmSync(kept, { recursive: true, force: true });
    await make(kept).toArray();
    const { sum: _, ...manifest } = JSON.parse(readFileSync(join(kept, 'cache.json'), 'utf8')) as object & {
      sum: string;
    };
    // Any supported version of Node may read it.
    const older = { ...manifest, node: 'v20.0.0' };
    writeFileSync(join(kept, 'cache.json'), `${JSON.stringify({ ...older, sum: sumOf(older) })}\n`);
  }
  cpSync(kept, name, { recursive: true });
  const before = readFileSync(join(kept, 'cache.json'), 'utf8');
  const elements = await make(name).toArray();
  expect(elements.length).toBeGreaterThan(0);
  expect(elements.map(comparable)).toEqual((await make(folder.fresh()).toArray()).map(comparable));
  expect(readFileSync(join(name, 'cache.json'), 'utf8')).toBe(before);
});

test('a manifest that is stored is that of the same job, which has nothing left to do', async () => {
  for (const file of FILES) utimesSync(file, 1_700_000_000, 1_700_000_000);
  const options = { shards: 2, features: ['id', 'w'], shuffle: true, seed: 7, split: { train: 0.75, eval: 0.25 } };
  const job = await convert(FILES, 'out.jsonl', options);
  const {
    seconds: _,
    finished: __,
    ...manifest
  } = JSON.parse(readFileSync('out.jsonl.manifest.json', 'utf8')) as Record<string, unknown>;
  expectPinned('manifest.json', manifest);
  const stored = { ...(JSON.parse(readFileSync(join(PINS, 'manifest.json'), 'utf8')) as object), seconds: 1 };
  const finished = '2026-01-01T00:00:00.000Z';
  writeFileSync('out.jsonl.manifest.json', JSON.stringify({ ...stored, finished }));
  const again = await convert(FILES, 'out.jsonl', { ...options, resume: true });
  expect(again).toMatchObject({ upToDate: true, kept: 4, files: job.files });
  expect(JSON.parse(readFileSync('out.jsonl.manifest.json', 'utf8'))).toMatchObject({ finished });
});
