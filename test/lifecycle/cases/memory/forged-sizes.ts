/**
 * Specs, rows and records that claim huge sizes must be refused at once, with a code. Prints the code and the time of
 * each.
 */
import { say } from '../../../support/running/case';

import {
  encodeExample,
  exampleEncoder,
  fixedLen,
  int64,
  parseExample,
  parseSingleExample,
  ragged,
  sequenceSpecFromJSON,
  sparse,
  specFromJSON,
  varLen,
  type Spec,
} from '../../../../lib';

const DEEP = 100_000;
const MANY = 200_000;

const ids = ragged({ dtype: 'int64', valueKey: 'v', partitions: [{ by: 'valueRowIds', key: 'id' }] });
const withIds = (...rows: readonly bigint[]): Uint8Array =>
  encodeExample({ v: int64(rows.map(() => 1n)), id: int64([...rows]) });
const deep = (): unknown => {
  let list: unknown = [];
  for (let i = 0; i < DEEP; i++) list = [list];
  return list;
};
const circular: unknown[] = [];
circular.push(circular);
const named = <T>(value: T): Record<string, T> => {
  const features: Record<string, T> = {};
  for (let i = 0; i < MANY; i++) features[`feature ${i}`] = value;
  return features;
};
const manyFeatures = named(varLen('int64'));
const manyOfJson = named({ type: 'varLen', dtype: 'int64' });

const cases: Readonly<Record<string, () => unknown>> = {
  'row ids [1e9, 0]': () => parseSingleExample(withIds(10n ** 9n, 0n), { r: ids }),
  'row ids [1e9, 0] in a batch': () => parseExample([withIds(0n), withIds(10n ** 9n, 0n)], { r: ids }),
  'row ids [2^53 - 1, 0]': () => parseSingleExample(withIds(2n ** 53n - 1n, 0n), { r: ids }),
  'row ids [2^63 - 1, 1]': () => parseSingleExample(withIds(2n ** 63n - 1n, 1n), { r: ids }),
  'row ids [1e9, -1]': () => parseSingleExample(withIds(10n ** 9n, -1n), { r: ids }),
  'row ids [1e9]': () => parseSingleExample(withIds(10n ** 9n), { r: ids }),
  'row ids [2^63 - 1]': () => parseSingleExample(withIds(2n ** 63n - 1n), { r: ids }),
  'a spec of many features': () => parseSingleExample(withIds(0n), manyFeatures),
  'an encoder of many features': () => exampleEncoder(manyFeatures),
  'JSON of many features': () => specFromJSON(manyOfJson),
  'many keys': () =>
    parseSingleExample(
      withIds(0n),
      Object.fromEntries(
        Array.from({ length: 500 }, (_, i): [string, Spec[string]] => [
          `feature ${i}`,
          sparse({
            dtype: 'int64',
            valueKey: `values ${i}`,
            indexKey: Array.from({ length: 200 }, (_, k) => `index ${i} ${k}`),
            size: Array<number>(200).fill(1),
          }),
        ]),
      ),
    ),
  'many dimensions': () => fixedLen(Array<number>(MANY).fill(1), 'int64'),
  'many index keys': () =>
    sparse({
      dtype: 'int64',
      valueKey: 'v',
      indexKey: Array<string>(MANY).fill('i'),
      size: Array<number>(MANY).fill(1),
    }),
  'many partitions': () =>
    ragged({
      dtype: 'int64',
      partitions: Array<{ by: 'rowLengths'; key: string }>(MANY).fill({ by: 'rowLengths', key: 'l' }),
    }),
  'nested JSON': () => specFromJSON(deep()),
  'nested feature': () => specFromJSON({ a: deep() }),
  'nested type': () => specFromJSON({ a: { type: deep(), dtype: 'int64' } }),
  'nested dtype': () => specFromJSON({ a: { type: 'varLen', dtype: deep() } }),
  'nested shape': () => specFromJSON({ a: { type: 'fixedLen', dtype: 'int64', shape: deep() } }),
  'nested default': () => specFromJSON({ a: { type: 'fixedLen', dtype: 'int64', shape: [], default: deep() } }),
  'nested keys': () =>
    specFromJSON({ a: { type: 'sparse', dtype: 'int64', indexKey: deep(), valueKey: 'v', size: 1 } }),
  'nested sequence spec': () => sequenceSpecFromJSON({ context: deep() }),
  'circular JSON': () => specFromJSON(circular),
  'nested values': () => exampleEncoder({ a: varLen('int64') })({ a: deep() as never }),
  'nested bytes': () => exampleEncoder({ a: varLen('bytes') })({ a: deep() as never }),
  'nested rows': () => exampleEncoder({ r: ids })({ r: deep() as never }),
  'circular values': () => exampleEncoder({ a: fixedLen([], 'float32') })({ a: circular as never }),
  'nested members': () => encodeExample({ a: deep() as string }),
};

for (const [name, run] of Object.entries(cases)) {
  const start = performance.now();
  let code: unknown = 'nothing was thrown';
  try {
    run();
  } catch (error) {
    code = (error as { code?: unknown }).code ?? String(error);
  }
  say([name, code, performance.now() - start > 5_000 ? 'slow' : 'at once']);
}
