/** Lists that contain the same list many times: a few of them have more elements than fit into memory. */
import { exampleEncoder, ragged, varLen } from '../../../../lib';
import { thrown } from '../../../support/thrown';

/** `list` in two places of a list, that one in two places of another, and so on. */
function doubled(list: unknown[], times: number): unknown {
  for (let i = 0; i < times; i++) list = [list, list];
  return list;
}

const partitions = Array.from({ length: 40 }, (_, i) => ({ by: 'rowLengths', key: `p${i}` }) as const);
const flat = exampleEncoder({ x: varLen('int64') });
const deep = exampleEncoder({ x: ragged({ dtype: 'int64', valueKey: 'v', partitions }) });
const twice = exampleEncoder({ x: ragged({ dtype: 'int64', partitions: partitions.slice(0, 1) }) });
const long = Array<unknown>(2 ** 20).fill(Array(2 ** 20).fill(1));

test.each([
  ['doubled 40 times, with values', flat, doubled([1], 40)],
  ['doubled 40 times, without values', flat, doubled([], 40)],
  ['doubled 40 times, with values, ragged', deep, doubled([1], 40)],
  ['doubled 40 times, without values, ragged', deep, doubled([], 40)],
  ['a million times a million', flat, long],
  ['a million times a million, ragged', twice, long],
])('%s', (_, encode: (row: never) => Uint8Array, x) => {
  const error = { code: 'ERR_OUT_OF_RANGE', message: expect.stringContaining('row.x') as string };
  expect(thrown(() => encode({ x } as never))).toMatchObject(error);
});
