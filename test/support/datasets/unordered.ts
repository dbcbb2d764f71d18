/** Pipelines with `ordered: false` over 60 numbers, and the law that each element comes exactly once. */
import { setTimeout as sleep } from 'node:timers/promises';

import { Dataset, type DatasetState } from '../../../lib';
import { sorted } from './elements';

export const COUNT = 60;
export const ALL = Array.from({ length: COUNT }, (_, i) => i);

/** Returns `n`: slowly for some numbers, at once for others. */
export const uneven = async (n: number): Promise<number> => {
  if (n % 7 === 0) await sleep(2);
  else if (n % 3 === 0) await Promise.resolve();
  return n;
};

export const mapped = (parallel = 8): Dataset<number> => Dataset.range(COUNT).map(uneven, { parallel, ordered: false });
/** The numbers 0 to 59, interleaved from six datasets of ten. */
export const interleaved = (cycleLength = 3): Dataset<number> =>
  Dataset.range(6).interleave(
    (i) => Dataset.range(10 * i, 10 * i + 10).map(async (n) => (n % 4 === 0 ? (await sleep(1), n) : n)),
    {
      cycleLength,
      ordered: false,
    },
  );

/** Returns `count` elements from `state` on, and the state after them. */
export async function first<T>(
  dataset: Dataset<T, unknown>,
  count: number,
  state?: DatasetState,
): Promise<{ values: T[]; state: DatasetState }> {
  const elements = dataset.iterate({ state });
  const values: T[] = [];
  while (values.length < count) {
    const step = await elements.next();
    if (step.done === true) break;
    values.push(step.value);
  }
  const after = JSON.parse(JSON.stringify(elements.state())) as DatasetState;
  await elements.return();
  return { values, state: after };
}

/** Expects every element exactly once, wherever an iteration stops and is resumed, twice. */
export async function expectOnce(make: () => Dataset<number, unknown>, all: readonly number[]): Promise<void> {
  for (let position = 0; position <= all.length; position += 2 + (position % 5)) {
    const begun = await first(make(), position);
    expect(begun.values).toHaveLength(position);
    expect(begun.state).not.toHaveProperty('exact');
    const middle = await first(make(), 1 + (position % 11), begun.state);
    const rest = await first(make(), Infinity, middle.state);
    expect({ position, given: sorted([...begun.values, ...middle.values, ...rest.values]) }).toEqual({
      position,
      given: sorted(all),
    });
  }
}
