import { isThenable } from '../engine/element-context';

/** The calls to make for a chunk. */
interface ChunkWork {
  readonly length: number;
  /** Calls the user's function for element `index`. */
  readonly call: (index: number) => unknown;
  /** Numbers of elements to skip. */
  readonly without: ReadonlySet<number>;
  /** Maximum number of calls under way at a time. */
  readonly parallel: number;
  /** True if no call is made after the first error. */
  readonly untilError: boolean;
  /** True if the results are no longer wanted. */
  readonly unwanted: () => boolean;
}

/** The results and errors of the calls for a chunk. */
export interface ChunkOutcome {
  /** The results by element, up to the first element without a call. */
  readonly values: unknown[];
  readonly thrown: Map<number, unknown>;
}

/** Makes the calls in order. Calls that return promises run concurrently. */
export async function callForAll(work: ChunkWork): Promise<ChunkOutcome> {
  const { length, call, without, parallel, untilError, unwanted } = work;
  const values: unknown[] = [];
  const thrown = new Map<number, unknown>();
  const underWay = new Set<Promise<void>>();
  const over = (): boolean => unwanted() || (untilError && thrown.size > 0);
  for (let i = 0; i < length && !over(); i++) {
    values.push(undefined);
    if (without.has(i)) continue;
    try {
      const value = call(i);
      if (!isThenable(value)) {
        values[i] = value;
        continue;
      }
      const done: Promise<void> = Promise.resolve(value)
        .then(
          (result) => void (values[i] = result),
          (error: unknown) => void thrown.set(i, error),
        )
        .finally(() => underWay.delete(done));
      underWay.add(done);
    } catch (error) {
      thrown.set(i, error);
    }
    if (underWay.size >= parallel) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  if (untilError && thrown.size > 0) values.length = Math.min(...thrown.keys()) + 1;
  return { values, thrown };
}
