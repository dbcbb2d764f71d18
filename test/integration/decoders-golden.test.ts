/**
 * Compares our decoders with TensorFlow's outcomes for 2,000 edge cases (test/golden/decoders.json, TensorFlow 2.21). A
 * difference must have a row in docs/from-tensorflow.md, section "Where we differ".
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as zlib from 'node:zlib';

import {
  decoderVectors,
  ourOutcome,
  type DecoderOutcome,
  type DecoderVector,
} from '../support/examples/decoder-vectors';

const NODE_HAS_ZSTD = 'zstdDecompressSync' in zlib;

const vectors = decoderVectors();
const page = readFileSync(join(__dirname, '..', '..', 'docs', 'from-tensorflow.md'), 'utf8');

const isError = ({ error, crash }: DecoderOutcome): boolean => error !== undefined || crash !== undefined;

/** True if both outcomes are equal values, or both are errors. */
function isSame(theirs: DecoderOutcome, ours: DecoderOutcome): boolean {
  if (isError(theirs) || isError(ours)) return isError(theirs) && isError(ours);
  return JSON.stringify(theirs.out) === JSON.stringify(ours.out);
}

type Difference = (vector: DecoderVector, ours: DecoderOutcome, text: string) => boolean;

const said = (ours: DecoderOutcome, words: RegExp): boolean => ours.error !== undefined && words.test(ours.error);
/** Returns the only value of the JSON, as it is written. */
const value = (text: string): string => /"value":\[(.*)\]/.exec(text)?.[1] ?? '';

/** The syntax that only TensorFlow accepts, in the words of row `json-lax`, and our message about it. */
const LAX: readonly (readonly [words: string, message: RegExp])[] = [
  ['single quotes', /expected but got '''/],
  ['bare names', /Quoted object key expected but got '\w/],
  ['trailing commas', /expected but got '[\]}]'/],
  ['repeated names', /Duplicate key|comes twice/],
  ['control characters in strings', /Invalid character/],
  ["the escapes `\\'` and `\\U`", /Invalid escape character '\\['U]'/],
];
const laxOf = (ours: DecoderOutcome): string | undefined => LAX.find(([, message]) => said(ours, message))?.[0];

/** The ids of the rows, and the test for each row's vectors. The first match counts. */
const DIFFERENCES: readonly (readonly [row: string, is: Difference])[] = [
  ['no-zstd', ({ op }, ours) => op === 'decode_compressed' && !NODE_HAS_ZSTD && said(ours, /needs Node/)],
  ['zstd-frames', (vector, ours) => vector.op === 'decode_compressed' && vector.type === 'ZSTD' && !isError(ours)],
  ['inflate-trailing', ({ op }, ours) => op === 'decode_compressed' && said(ours, /something else after/)],
  ['inflate-cut', ({ op }, ours) => op === 'decode_compressed' && said(ours, /cut short after/)],
  ['inflate-empty-member', (v, ours) => v.op === 'decode_compressed' && v.type === 'GZIP' && !isError(ours)],
  ['inflate-zlib-joined', (v, ours) => v.op === 'decode_compressed' && v.type === 'ZLIB' && !isError(ours)],
  ['nan-text', ({ op }, ours, text) => op === 'decode_csv' && /nan/i.test(text) && !isError(ours)],
  ['nan-text', ({ op }, ours, text) => op === 'decode_json_example' && /-nan/i.test(value(text)) && !isError(ours)],
  ['json-digits', (_, ours) => said(ours, /may have lost digits/)],
  ['json-infinite', (_, ours, text) => said(ours, /out of range/) && value(text).includes('e400')],
  [
    'json-numbers',
    (_, ours, text) => said(ours, /invalid (?:number|integer)/) && /^"(?:0x|nan\(| 1|1 )/.test(value(text)),
  ],
  ['json-subnormal', (_, ours, text) => !isError(ours) && /^"?1e-4[05]"?$/.test(value(text))],
  ['json-null', (_, ours) => said(ours, /null element/)],
  ['json-lists', (_, ours) => said(ours, /expected (?:integer|number|base64|array)/)],
  ['json-lax', (_, ours) => laxOf(ours) !== undefined],
  ['tensor-dimension', (_, ours) => said(ours, /dimensions that a number holds exactly/)],
];

test('there are vectors of every decoder', () => {
  const counts = new Map<string, number>();
  for (const { op } of vectors) counts.set(op, (counts.get(op) ?? 0) + 1);
  expect(Math.min(...counts.values())).toBeGreaterThan(100);
  expect([...counts.keys()].sort()).toEqual([
    'decode_compressed',
    'decode_csv',
    'decode_json_example',
    'decode_raw',
    'parse_tensor',
    'serialize_tensor',
  ]);
  expect(vectors.length).toBeGreaterThanOrEqual(1_200);
});

test.each([...new Set(DIFFERENCES.map(([row]) => row))])('the page has the row: %s', (row) => {
  expect(page).toContain(`<a id="${row}"></a>`);
});

test('ours are the same, or have a row', () => {
  const found = new Set<string>();
  const lax = new Set<string>();
  const unexplained: object[] = [];
  for (const vector of vectors) {
    const ours = ourOutcome(vector);
    if (isSame(vector, ours)) continue;
    const text = Buffer.from([vector.in].flat()[0] ?? '', 'hex').toString();
    const row = DIFFERENCES.find(([, is]) => is(vector, ours, text))?.[0];
    if (row === undefined) unexplained.push({ vector, text, ours });
    else found.add(row);
    if (row === 'json-lax') lax.add(laxOf(ours)!);
  }
  expect(unexplained).toEqual([]);
  // The row names all the syntax that the vectors found, and no other.
  expect([...lax].sort()).toEqual(LAX.map(([words]) => words).sort());
  const [, cell] = /<a id="json-lax"><\/a>(.*?) \| /.exec(page)!;
  expect(cell!.toLowerCase()).toBe(
    LAX.map(([words]) => words)
      .join(', ')
      .toLowerCase(),
  );
  // Each rule must still have vectors.
  const expected = new Set(DIFFERENCES.map(([row]) => row));
  expected.delete(NODE_HAS_ZSTD ? 'no-zstd' : 'zstd-frames');
  expect([...found].sort()).toEqual([...expected].sort());
});
