import { isThenable } from '../engine/element-context';

/** Calls to be made for neighbours. */
interface ChunkWork {
  readonly length: number;
  /** The call for element `index`. */
  readonly call: (index: number) => unknown;
  /** Elements that are passed over. */
  readonly without: ReadonlySet<number>;
  /** Calls under way at a time. */
  readonly parallel: number;
  /** Nothing behind the first error is called for. */
  readonly untilError: boolean;
  /** True if the results are no longer wanted. */
  readonly unwanted: () => boolean;
}

/** The results and errors of the calls for a chunk. */
export interface ChunkOutcome {
  /** By element, up to the first that was not called for. */
  readonly values: unknown[];
  readonly thrown: Map<number, unknown>;
}

/** Makes the calls in order; those that give promises go on beside each other. */
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
