/**
 * Runs random pipelines with our datasets and with `tf.data`: the same elements must come in the same order.
 * TFRECORD_FULL=1 runs ten times as many. A failure shows the pipeline.
 */
import { Dataset } from '../../../lib';
import { randoms } from '../../support/randoms';
import { Peer } from '../peer';

/** Number of interleaves of inputs of any length, and of pipelines of any stages. */
const INTERLEAVES = process.env['TFRECORD_FULL'] === '1' ? 500 : 50;
const CHAINS = INTERLEAVES;
const A_REQUEST = 25;
const MOST = 400;
const MODULUS = 997;

type Options = readonly (number | boolean)[];
type StageRequest = readonly [name: string, ...options: Options];

interface Pipeline {
  readonly range?: number;
  readonly lengths?: readonly number[];
  readonly interleave?: readonly [cycle: number, block: number];
  readonly stages: readonly StageRequest[];
}

type Pick = (below: number) => number;
type Numbers = Dataset<number>;

const peer = new Peer('dataset/peer.py');
afterAll(() => peer.close());

const numbers = (first: number, count: number): Numbers => Dataset.range(first, first + count);

/** Our form of each stage. Options are numbers, and whether to drop the remainder. */
const STAGES: Readonly<Record<string, (dataset: Dataset<never>, ...options: never[]) => Dataset<unknown, unknown>>> = {
  take: (dataset, n: number) => dataset.take(n),
  skip: (dataset, n: number) => dataset.skip(n),
  repeat: (dataset, n: number) => dataset.repeat(n),
  shard: (dataset, count: number, index: number) => dataset.shard(count, index, { by: 'record' }),
  batch: (dataset, n: number, dropRemainder: boolean) => dataset.batch(n, { dropRemainder }),
  unbatch: (dataset) => dataset.unbatch(),
  rebatch: (dataset, n: number, dropRemainder: boolean) => dataset.rebatch(n, { dropRemainder }),
  window: (dataset, size: number, shift: number, stride: number, dropRemainder: boolean) =>
    dataset.window(size, { shift, stride, dropRemainder }),
  bucket: (dataset: Numbers, most: number, low: number, high: number, ...rest: [number, number, number, boolean]) => {
    const [first, second, third, dropRemainder] = rest;
    const options = { boundaries: [low, high], batchSizes: [first, second, third], dropRemainder };
    return dataset.bucketByLength((x) => x % most, options).map(({ values }) => values);
  },
  pad: (dataset: Numbers, most: number, size: number, dropRemainder: boolean) =>
    dataset
      .map((x) => Array.from({ length: x % most }, () => x))
      .paddedBatch(size, { dropRemainder })
      .map(({ values }) => values),
  interleave: (dataset: Numbers, cycleLength: number, blockLength: number, most: number) =>
    dataset.interleave((x) => numbers(100 * x, x % most), { cycleLength, blockLength }),
  zip: (dataset: Numbers, n: number) =>
    Dataset.zip([dataset, Dataset.range(n)]).map(([x, y]) => (31 * x + y) % MODULUS),
  choose: (dataset: Numbers, n: number, period: number) =>
    Dataset.chooseFrom(
      [dataset, Dataset.range(n)],
      Dataset.range(10 * n).map((i) => Math.floor(i / period) % 2),
      { exhausted: 'drop' },
    ),
  concatenate: (dataset: Numbers, n: number) => dataset.concatenate(Dataset.range(n)),
  enumerate: (dataset: Numbers) => dataset.enumerate().map(([i, x]) => (31 * x + i) % MODULUS),
  filter: (dataset: Numbers, n: number) => dataset.filter((x) => x % n !== 0),
  takeWhile: (dataset: Numbers, n: number) => dataset.takeWhile((x) => x % MODULUS < n),
  flatMap: (dataset: Numbers, n: number) => dataset.flatMap((x) => numbers(100 * x, x % n)),
};

/** Options of stages over numbers, of those that make lists, of those that may only come last, and of those over lists. */
const OF_NUMBERS: Readonly<Record<string, (pick: Pick) => Options>> = {
  take: (pick) => [pick(60)],
  skip: (pick) => [pick(12)],
  repeat: (pick) => [pick(4)],
  shard: (pick) => shardOptions(pick),
  interleave: (pick) => [1 + pick(5), 1 + pick(4), 1 + pick(7)],
  zip: (pick) => [pick(70)],
  choose: (pick) => [1 + pick(40), 1 + pick(4)],
  concatenate: (pick) => [pick(20)],
  enumerate: () => [],
  filter: (pick) => [2 + pick(3)],
  takeWhile: (pick) => [20 + pick(900)],
  flatMap: (pick) => [1 + pick(5)],
};
const TO_LISTS: Readonly<Record<string, (pick: Pick) => Options>> = {
  batch: (pick) => [1 + pick(8), pick(2) === 0],
  bucket: (pick) => {
    const low = 1 + pick(4);
    return [2 + pick(9), low, low + 1 + pick(4), 1 + pick(4), 1 + pick(4), 1 + pick(4), pick(2) === 0];
  },
  window: (pick) => [1 + pick(6), 1 + pick(6), 1 + pick(3), pick(2) === 0],
};
const LAST: Readonly<Record<string, (pick: Pick) => Options>> = {
  pad: (pick) => [1 + pick(6), 1 + pick(5), pick(2) === 0],
};
const OF_LISTS: Readonly<Record<string, (pick: Pick) => Options>> = {
  take: (pick) => [pick(20)],
  skip: (pick) => [pick(4)],
  repeat: (pick) => [pick(3)],
  shard: (pick) => shardOptions(pick),
  rebatch: (pick) => [1 + pick(9), pick(2) === 0],
};

function shardOptions(pick: Pick): Options {
  const count = 1 + pick(4);
  return [count, pick(count)];
}

function randomChain(pick: Pick): Pipeline {
  const stages: StageRequest[] = [];
  let lists = false;
  const add = (from: Readonly<Record<string, (pick: Pick) => Options>>): void => {
    const name = Object.keys(from)[pick(Object.keys(from).length)]!;
    stages.push([name, ...(from[name] as (pick: Pick) => Options)(pick)]);
  };
  for (let i = pick(5); i >= 0; i--) {
    const changes = pick(4) === 0;
    if (!lists) add(changes ? TO_LISTS : OF_NUMBERS);
    else if (changes) stages.push(['unbatch']);
    else add(OF_LISTS);
    if (changes) lists = !lists;
  }
  if (!lists && pick(5) === 0) add(LAST);
  return { range: pick(50), stages };
}

function randomInterleave(pick: Pick): Pipeline {
  const lengths = Array.from({ length: pick(12) }, () => (pick(4) === 0 ? 0 : pick(12)));
  return { lengths, interleave: [1 + pick(8), 1 + pick(6)], stages: [] };
}

function built({ range, lengths, interleave, stages }: Pipeline): Dataset<unknown, unknown> {
  let dataset: Dataset<unknown, unknown>;
  if (lengths === undefined) {
    dataset = Dataset.range(range ?? 0);
  } else {
    const [cycleLength, blockLength] = interleave as readonly [number, number];
    const inputs = Dataset.range(lengths.length);
    dataset = inputs.interleave((i) => numbers(100 * i, lengths[i]!), { cycleLength, blockLength });
  }
  for (const [name, ...options] of stages) {
    dataset = (STAGES[name] as (...given: unknown[]) => Dataset<unknown, unknown>)(dataset, ...options);
  }
  return dataset;
}

const plain = (value: unknown): unknown => (Array.isArray(value) ? value.map(plain) : value);

/** Compares pipelines that `make` draws. Returns the number of pipelines that gave elements. */
async function compare(count: number, seed: number, make: (pick: Pick) => Pipeline): Promise<number> {
  const random = randoms(seed);
  const pick = (below: number): number => Math.floor(random() * below);
  let withElements = 0;
  for (let done = 0; done < count; done += A_REQUEST) {
    const pipelines = Array.from({ length: Math.min(A_REQUEST, count - done) }, () => make(pick));
    const theirs = await peer.exchange<unknown[]>({ pipelines });
    for (const [i, pipeline] of pipelines.entries()) {
      const elements = (await built(pipeline).take(MOST).toArray()).map(plain);
      expect({ pipeline, elements }).toEqual({ pipeline, elements: theirs[i] });
      if (elements.length > 0) withElements++;
    }
  }
  return withElements;
}

beforeAll(() => jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined));

test('interleave', async () => {
  expect(await compare(INTERLEAVES, 1, randomInterleave)).toBeGreaterThan(0.7 * INTERLEAVES);
});

test('pipelines of any stages', async () => {
  expect(await compare(CHAINS, 2, randomChain)).toBeGreaterThan(0.4 * CHAINS);
});
