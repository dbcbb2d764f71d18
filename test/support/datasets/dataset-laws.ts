/** Laws that hold for every dataset, whatever its stages. */
import { isDeepStrictEqual } from 'node:util';

import type { Dataset } from '../../../lib/dataset';
import type { DatasetState } from '../../../lib/dataset/iterate/state';
import { comparable } from '../comparable';

/** The scope of a law. */
export interface LawOptions {
  /** Most elements to compare, for datasets that never end. Default: 300. */
  readonly most?: number | undefined;
  /** Positions at which to resume. Default: every position, including the end. */
  readonly positions?: readonly number[] | undefined;
  /** The same dataset with other options of speed. They resume the states in turn. Default: the dataset itself. */
  readonly others?: readonly Dataset<unknown, unknown>[] | undefined;
}

/** Elements, the origins of their records, and the error after them, if any. */
export interface Outcome {
  readonly values: readonly unknown[];
  readonly origins: readonly unknown[];
  readonly error: unknown;
}

const MOST = 300;
export const CHUNK_SIZES: readonly number[] = [1, 2, 7, 255, 256, 257];

/**
 * Expects of every position p: the first p elements, followed by those that the state after them resumes to, are the
 * elements of an uninterrupted run. This must hold through JSON, with chunks of other sizes, and from a resumed iterator.
 * Returns the states.
 */
export async function expectResumes(
  dataset: Dataset<unknown, unknown>,
  options: LawOptions = {},
): Promise<DatasetState[]> {
  const { most = MOST, others = [dataset] } = options;
  const { whole, states } = await runWithStates(dataset, most);
  for (const position of options.positions ?? states.keys()) {
    const state = states[position];
    if (state === undefined) continue;
    const rest: Outcome = {
      values: whole.values.slice(position),
      origins: whole.origins.slice(position),
      error: whole.error,
    };
    const target = others[position % others.length]!;
    const resumed = await outcomeOf(target, state, most - position);
    expectSame({ position, state, ...resumed }, { position, state, ...rest });
    const size = CHUNK_SIZES[position % CHUNK_SIZES.length]!;
    const chunked = await chunkedOutcome(target, state, size, most - position);
    expectSame({ position, state, size, ...chunked }, { position, state, size, ...rest, origins: [] });
    if (rest.values.length < 2) continue;
    const again = await resumedTwice(target, state, 1 + (position % (rest.values.length - 1)), most - position);
    expectSame({ position, state, ...again }, { position, state, ...rest });
  }
  return states;
}

/** Expects the same elements for chunks of any size. */
export async function expectChunkInvariant(
  dataset: Dataset<unknown, unknown>,
  { most = MOST }: { readonly most?: number } = {},
): Promise<void> {
  // All runs use the seed of one iteration, in case the dataset has none.
  const start = await startOf(dataset);
  const { values, error } = await outcomeOf(dataset, start, most);
  for (const size of CHUNK_SIZES) {
    const chunked = await chunkedOutcome(dataset, start, size, most);
    expectSame({ size, ...chunked }, { size, values, origins: [], error });
  }
}

/** Returns up to `most` elements of `dataset` from `state` on. */
export async function outcomeOf(
  dataset: Dataset<unknown, unknown>,
  state: DatasetState | undefined,
  most = MOST,
): Promise<Outcome> {
  const elements = dataset.iterate(state === undefined ? { epoch: 0 } : { state: throughJson(state) });
  const values: unknown[] = [];
  const origins: unknown[] = [];
  const error = await errorOf(async () => {
    while (values.length < most) {
      const step = await elements.next();
      if (step.done === true) return;
      values.push(comparable(step.value));
      origins.push(elements.origins);
    }
  });
  await elements.return();
  return { values, origins, error };
}

async function chunkedOutcome(
  dataset: Dataset<unknown, unknown>,
  state: DatasetState,
  size: number,
  most: number,
): Promise<Outcome> {
  const values: unknown[] = [];
  const error = await errorOf(async () => {
    for await (const chunk of dataset.chunks({ state: throughJson(state), size })) {
      expect(chunk.length).toBeGreaterThan(0);
      expect(chunk.length).toBeLessThanOrEqual(size);
      values.push(...chunk.map(comparable));
      if (values.length >= most) return;
    }
  });
  const cut = values.length >= most;
  return { values: values.slice(0, most), origins: [], error: cut ? undefined : error };
}

/** Resumes at `state`, reads `after` elements, and resumes once more from there. */
async function resumedTwice(
  dataset: Dataset<unknown, unknown>,
  state: DatasetState,
  after: number,
  most: number,
): Promise<Outcome> {
  const elements = dataset.iterate({ state: throughJson(state) });
  const values: unknown[] = [];
  const origins: unknown[] = [];
  for (let i = 0; i < after; i++) {
    values.push(comparable((await elements.next()).value));
    origins.push(elements.origins);
  }
  const second = elements.state();
  await elements.return();
  const rest = await outcomeOf(dataset, second, most - after);
  return { values: [...values, ...rest.values], origins: [...origins, ...rest.origins], error: rest.error };
}

/** Returns the elements, and the states: before the first element, after each, and after the end. */
async function runWithStates(
  dataset: Dataset<unknown, unknown>,
  most: number,
): Promise<{ whole: Outcome; states: DatasetState[] }> {
  const elements = dataset.iterate({ epoch: 0 });
  const states = [elements.state()];
  const values: unknown[] = [];
  const origins: unknown[] = [];
  const error = await errorOf(async () => {
    while (values.length < most) {
      const step = await elements.next();
      if (step.done === true) {
        expect(elements.state().place).toBeNull();
        states.push(elements.state());
        return;
      }
      values.push(comparable(step.value));
      origins.push(elements.origins);
      states.push(elements.state());
      expect(elements.state().position).toBe(values.length);
    }
  });
  await elements.return();
  return { whole: { values, origins, error }, states };
}

async function startOf(dataset: Dataset<unknown, unknown>): Promise<DatasetState> {
  const elements = dataset.iterate({ epoch: 0 });
  const state = elements.state();
  await elements.return();
  return state;
}

function throughJson(state: DatasetState): DatasetState {
  return JSON.parse(JSON.stringify(state)) as DatasetState;
}

/** Returns the error of `run`, in a form that a test can compare. */
async function errorOf(run: () => Promise<void>): Promise<unknown> {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (isFailedExpectation(error)) throw error;
    const { code, message, file, record } = error as { code?: string; message: string; file?: string; record?: number };
    return { code, message, file, record };
  }
}

/** Calls `toEqual` only if Node's own comparison, which is faster, finds a difference. */
function expectSame(found: object, wanted: object): void {
  if (!isDeepStrictEqual(found, wanted)) expect(found).toEqual(wanted);
}

function isFailedExpectation(error: unknown): boolean {
  return error instanceof Error && 'matcherResult' in error;
}
