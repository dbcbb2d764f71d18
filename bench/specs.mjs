// The features of the benchmark's Examples (bench/tf/make_data.py).

import { createRequire } from 'node:module';

const { fixedLen, varLen } = createRequire(import.meta.url)('../dist/index.js');

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
  vectors: { embedding: fixedLen([512], 'float32'), tokens: fixedLen([256], 'int64') },
  images: { image: fixedLen([], 'bytes'), label: fixedLen([], 'int64') },
};
