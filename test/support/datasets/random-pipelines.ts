/** Makes pipelines of randomly drawn stages, to test laws that hold for all pipelines. */
import { Dataset } from '../../../lib/dataset';

type Any = Dataset<unknown, unknown>;

/** Options that may change only the speed of a pipeline. */
export interface Speed {
  readonly parallel: number;
  readonly prefetch: number;
}

/** The speeds with which pipelines are tested. */
export const SPEEDS: readonly Speed[] = [
  { parallel: 1, prefetch: 0 },
  { parallel: 3, prefetch: 5 },
  { parallel: 8, prefetch: 300 },
];

/** A pipeline, which can be made with any speed. */
export interface RandomPipeline {
  readonly make: (speed: Speed) => Any;
}

/** Draws an integer from 0 up to, but not including, `below`. */
export type Pick = (below: number) => number;

/** Makes a dataset of elements that `numberOf` accepts. */
export type Source = () => Any;

type Step = (dataset: Any, speed: Speed) => Any;

/** Converts an element to a number. Elements are numbers, records that begin with a number, and lists of these. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).readUInt32LE(0);
  let sum = 0;
  for (const inner of value as Iterable<unknown>) sum += numberOf(inner);
  return sum;
}

/** Maps elements to rows with lists of different lengths. */
function listsOf(dataset: Any): Dataset<{ list: number[] }> {
  return dataset.map((value) => ({ list: Array<number>(numberOf(value) % 8).fill(numberOf(value)) }));
}

function numberOfPadded({ values, lengths }: { values: { list: number[][] }; lengths: { list?: Int32Array } }): number {
  return numberOf(values.list) * 8 + numberOf(lengths.list ?? []);
}

/** The steps to draw from. They keep elements of one kind: the batch of records and other elements is not defined. */
const STEPS: readonly ((pick: Pick, sources: readonly Source[], depth: number) => Step)[] = [
  (pick) => {
    const add = pick(1000);
    return (dataset, { parallel }) => dataset.map((value) => [numberOf(value), add], { parallel });
  },
  () =>
    (dataset, { parallel }) => {
      const call = async (value: unknown, { rng }: { rng: { int(below: number): number } }): Promise<unknown> => {
        if (numberOf(value) % 3 === 0) await Promise.resolve();
        return [numberOf(value), rng.int(1000)];
      };
      return dataset.map(call, { parallel });
    },
  (pick) => {
    const by = 2 + pick(3);
    return (dataset, { parallel }) => dataset.filter((value) => numberOf(value) % by !== 0, { parallel });
  },
  () =>
    (dataset, { parallel }) =>
      dataset.filter((_, { rng }) => rng.float() < 0.6, { parallel }),
  (pick) => {
    const size = 1 + pick(30);
    const reshuffle = pick(2) === 0;
    return (dataset) => dataset.shuffle(size, { reshuffle });
  },
  (pick) => {
    const seed = pick(1e9);
    return (dataset) => dataset.shuffle(4, { seed });
  },
  (pick) => {
    const count = 1 + pick(3);
    return (dataset) => dataset.repeat(count);
  },
  (pick) => {
    const size = 1 + pick(6);
    const dropRemainder = pick(2) === 0;
    return (dataset) => dataset.batch(size, { dropRemainder });
  },
  (pick) => {
    const count = pick(60);
    return (dataset) => dataset.take(count);
  },
  (pick) => {
    const count = pick(10);
    return (dataset) => dataset.skip(count);
  },
  (pick) => {
    const limit = 20 + pick(100);
    return (dataset) => dataset.takeWhile((_, { index }) => index < limit);
  },
  () => (dataset) => dataset.enumerate(),
  () =>
    (dataset, { prefetch }) =>
      dataset.prefetch(prefetch),
  (pick) => {
    const most = 1 + pick(5);
    return (dataset) =>
      dataset.flatMap((value) => Array.from({ length: numberOf(value) % most }, (_, i) => [i, value]));
  },
  (pick) => {
    const most = 1 + pick(9);
    return (dataset) => dataset.flatMap((value) => Dataset.range(numberOf(value) % most).shuffle(3));
  },
  (pick) => {
    const [size, shift, stride] = [1 + pick(5), 1 + pick(5), 1 + pick(3)];
    const dropRemainder = pick(2) === 0;
    return (dataset) => dataset.window(size, { shift, stride, dropRemainder });
  },
  (pick) => {
    const [size, next] = [1 + pick(6), 1 + pick(6)];
    const dropRemainder = pick(2) === 0;
    return (dataset) => dataset.batch(size).rebatch(next, { dropRemainder });
  },
  (pick) => {
    const size = 1 + pick(6);
    return (dataset) => dataset.batch(size).unbatch();
  },
  (pick) => {
    const count = 1 + pick(3);
    const index = pick(count);
    const uneven = (['keep', 'drop', 'pad'] as const)[pick(3)]!;
    // A stage that draws may not precede a shard without a seed of its own.
    return (dataset) => dataset.seed(7).shard(count, index, { by: 'record', uneven });
  },
  (pick) => {
    const skip = pick(9);
    return (dataset) => Dataset.zip([dataset, dataset.skip(skip)]);
  },
  (pick) => {
    const exhausted = pick(2) === 0 ? 'drop' : 'stop';
    const exact = pick(2) === 0;
    return (dataset) => {
      const numbers = dataset.map(numberOf);
      const parts = [numbers.concatenate(Dataset.range(1)), Dataset.range(1000, 1030).shuffle(5)];
      return Dataset.sampleFrom(parts, { weights: [2, 1], exhausted, exact });
    };
  },
  (pick) => {
    const period = 1 + pick(4);
    return (dataset) => {
      const choice = dataset.map((value) => Math.floor(numberOf(value) / period) % 2);
      return Dataset.chooseFrom<unknown, unknown>([dataset, dataset], choice, { exhausted: 'drop' });
    };
  },
  // A cache keeps elements drawn with the seed of its first use, unless the dataset has a seed of its own.
  () => (dataset) => dataset.seed(7).cache(),
  () => (dataset) =>
    dataset.rejectionResample((value) => numberOf(value) % 3, { target: [1, 1, 1], initial: [0.5, 0.25, 0.25] }),
  (pick) => {
    const size = 1 + pick(6);
    const dropRemainder = pick(2) === 0;
    return (dataset) => listsOf(dataset).paddedBatch(size, { dropRemainder }).map(numberOfPadded);
  },
  (pick) => {
    const batchSizes = [1 + pick(4), 1 + pick(4), 1 + pick(4)];
    const buckets = { boundaries: [2, 5], batchSizes };
    return (dataset) =>
      listsOf(dataset)
        .bucketByLength(({ list }) => list.length, buckets)
        .map(numberOfPadded);
  },
  (pick) => {
    const count = pick(20);
    return (dataset) => dataset.concatenate(dataset.skip(count));
  },
  (pick, sources, depth) => {
    const other = randomPipeline(pick, sources, depth - 1);
    const first = pick(2) === 0;
    return (dataset, speed) => {
      const [one, two] = [dataset.map(numberOf), other.make(speed).map(numberOf)];
      return first ? two.concatenate(one) : one.concatenate(two);
    };
  },
  (pick, sources, depth) => {
    const alike = pick(2) === 0;
    const inner = Array.from({ length: alike ? 1 : 3 }, () => randomPipeline(pick, sources, depth - 1));
    const [cycleLength, blockLength] = [1 + pick(4), 1 + pick(4)];
    return (dataset, { prefetch, parallel }) => {
      const made = inner.map(({ make }) => make({ prefetch, parallel }));
      const choose = (value: unknown): Any => {
        const number = numberOf(value);
        const chosen = made[number % made.length]!;
        return (alike ? chosen : chosen.map(numberOf)).take(number % 11);
      };
      return dataset.take(20).interleave(choose, { cycleLength, blockLength, prefetch: prefetch % 7 });
    };
  },
];

/** Returns a pipeline of up to 5 stages over one of `sources`, which have at least one element. */
export function randomPipeline(pick: Pick, sources: readonly Source[], depth = 1): RandomPipeline {
  const source = sources[pick(sources.length)]!;
  // The last two contain pipelines themselves.
  const steps = depth > 0 ? STEPS : STEPS.slice(0, -2);
  const drawn = Array.from({ length: pick(6) }, () => steps[pick(steps.length)]!(pick, sources, depth));
  return { make: (speed) => drawn.reduce((dataset, step) => step(dataset, speed), source()) };
}
