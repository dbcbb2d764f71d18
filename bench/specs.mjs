// The features of the benchmark's Examples (bench/tf/make_data.py).

import { createRequire } from 'node:module';

const { fixedLen, ragged, varLen } = createRequire(import.meta.url)('../dist/index.js');

const numbered = (count, make) => Array.from({ length: count }, (_, i) => make(String(i).padStart(3, '0')));

export const SPECS = {
  examples: {
    user_id: fixedLen([], 'int64'),
    item_id: fixedLen([], 'int64'),
    label: fixedLen([], 'int64'),
    price: fixedLen([], 'float32'),
    scores: fixedLen([8], 'float32'),
    history: varLen('int64'),
    country: fixedLen([], 'bytes'),
    title: fixedLen([], 'bytes'),
    session: fixedLen([], 'bytes'),
    timestamp: fixedLen([], 'int64'),
  },
  singles: Object.fromEntries(
    ['int64', 'int64', 'int64', 'int64', 'float32', 'float32', 'float32', 'bytes', 'bytes', 'bytes'].map((dtype, i) => [
      `${dtype.replace(/\d+$/, '')}_${i}`,
      fixedLen([], dtype),
    ]),
  ),
  texts: {
    label: fixedLen([], 'int64'),
    country: fixedLen([], 'bytes'),
    title: fixedLen([], 'bytes'),
  },
  vectors: { embedding: fixedLen([512], 'float32'), tokens: fixedLen([256], 'int64') },
  images: { image: fixedLen([], 'bytes'), label: fixedLen([], 'int64') },
  wide: Object.fromEntries([
    ...numbered(400, (i) => [`int_${i}`, fixedLen([], 'int64')]),
    ...numbered(400, (i) => [`float_${i}`, fixedLen([], 'float32')]),
    ...numbered(200, (i) => [`bytes_${i}`, fixedLen([], 'bytes')]),
  ]),
  skewed: { id: fixedLen([], 'int64'), ids: varLen('int64'), weights: varLen('float32') },
  skewedRagged: { id: fixedLen([], 'int64'), ids: ragged({ dtype: 'int64' }), weights: ragged({ dtype: 'float32' }) },
  lists: { values: fixedLen([10_000], 'int64') },
  listsVar: { values: varLen('int64') },
};
