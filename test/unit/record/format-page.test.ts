/** The worked examples of docs/format.md are correct. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { readRecordsSync } from '../../../lib';

const page = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'format.md'), 'utf8');

/** The bytes of the fenced example behind `heading`: the hexadecimal words that start its lines. */
function example(heading: string, line: RegExp): Buffer {
  const fence = page.slice(page.indexOf(heading)).split('```')[1]!;
  return Buffer.from([...fence.matchAll(line)].map((match) => match[1]).join(''), 'hex');
}

const plain = example('### Example: the records', /^ *\d+ {2}((?:[0-9a-f]{2})+)/gm);
const gzip = example('### Example: `foo` and `bar` again', /^((?:[0-9a-f]{2})+)/gm);
const texts = (bytes: Uint8Array): string[] =>
  [...readRecordsSync(bytes)].map((record) => Buffer.from(record).toString());

test('the plain file', () => {
  expect(plain).toHaveLength(38);
  expect(texts(plain)).toEqual(['foo', 'bar']);
});

test('the GZIP file', () => {
  expect(gzip).toHaveLength(gzip.readUInt32LE(16));
  expect(gunzipSync(gzip)).toEqual(plain);
  expect(texts(gzip)).toEqual(['foo', 'bar']);
});

test('lengths that begin like compressed files', () => {
  // 40,056 is 78 9c in its first bytes, 559,903 is 1f 8b 08.
  const start = (length: number): string => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(length));
    return bytes.toString('hex');
  };
  expect(page).toContain('40,056');
  expect(start(40_056)).toMatch(/^789c/);
  expect(page).toContain('559,903');
  expect(start(559_903)).toMatch(/^1f8b08/);
});
