/** Lines, CSV and records of one length in a compressed file resume at a checkpoint, as TFRecords do. */
import { utimesSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { deflateSync, gzipSync } from 'node:zlib';

import { Dataset } from '../../../../lib';
import { native } from '../../../../lib/native';
import { Folder } from '../../../support/records/record-files';
import { letters } from '../../../support/records/letters';

const folder = new Folder();
afterAll(() => folder.remove());

const COUNT = 6000;
const SIZE = 2500;
/** Distances between two checkpoints, at most. */
const NEAR = 6 * 2 ** 20;

const WORDS = letters(200, SIZE).map((bytes) => bytes.toString('latin1').replace(/[^a-z]/g, '-'));
const valueOf = (index: number): string => `${index} ${WORDS[index % WORDS.length]!}`;
const indices = Array.from({ length: COUNT }, (_, i) => i);

interface Case {
  readonly content: () => string;
  readonly open: (source: string | FileHandle) => Dataset<unknown>;
  readonly element: (index: number) => unknown;
}

const fixedOf = (index: number): string => valueOf(index).padEnd(SIZE + 10, '.');

const CASES: Readonly<Record<string, Case>> = {
  lines: {
    content: () => indices.map((i) => `${valueOf(i)}${i % 3 === 0 ? '\r\n' : '\n'}`).join(''),
    open: (path) => Dataset.text(path),
    element: valueOf,
  },
  CSV: {
    content: () => `number,text\n${indices.map((i) => `${i},"a\n""${valueOf(i)}"\n`).join('')}`,
    open: (path) => Dataset.csv(path, { columns: { number: 0, text: '' } }),
    element: (i) => ({ number: i, text: `a\n"${valueOf(i)}` }),
  },
  'records of one length': {
    content: () => `head${indices.map(fixedOf).join('')}foot`,
    open: (path) =>
      Dataset.fixedLength(path, SIZE + 10, { headerBytes: 4, footerBytes: 4 }).map((record) =>
        Buffer.from(record).toString('latin1'),
      ),
    element: fixedOf,
  },
};

const CODECS = { GZIP: gzipSync, ZLIB: deflateSync };

async function take(
  dataset: Dataset<unknown>,
  state: string | undefined,
  { element }: Case,
  first: number,
  count: number,
) {
  const iteration = dataset.iterate(state === undefined ? undefined : { state: JSON.parse(state) as never });
  let index = first;
  for await (const found of iteration) {
    // Not each element: that would take longer than reading.
    if (index % 97 === 0 || index - first < 3) expect(found).toEqual(element(index));
    if (++index - first === count) break;
  }
  expect(index).toBe(first + count);
  return JSON.stringify(iteration.state());
}

describe.each(Object.keys(CASES))('%s', (name) => {
  test.each(Object.keys(CODECS) as (keyof typeof CODECS)[])('%s', async (codec) => {
    const one = CASES[name]!;
    const path = folder.fresh();
    const stored = CODECS[codec](one.content(), { level: 1 });
    writeFileSync(path, stored);
    const dataset = one.open(path);
    for (const stop of [1, 1711, 4999]) {
      await take(dataset, await take(dataset, undefined, one, 0, stop), one, stop, 200);
    }
    const state = await take(dataset, undefined, one, 0, 5000);
    const opened = jest.spyOn(native(), 'readerOpenFile');
    await take(dataset, state, one, 5000, 1000);
    const offsets = opened.mock.calls.map(([, { start }]) => start?.offset ?? 0);
    opened.mockClear();
    expect(Math.max(...offsets)).toBeGreaterThan(5000 * (SIZE / 2) - NEAR);
    // Another file of that name: its beginning is read.
    writeFileSync(path, stored);
    utimesSync(path, 1, 1);
    await take(dataset, state, one, 5000, 10);
    expect(opened.mock.calls.map(([, { start }]) => start?.offset ?? 0).every((offset) => offset === 0)).toBe(true);
    opened.mockRestore();
  });
});

test.each(Object.keys(CASES))('by a FileHandle: %s', async (name) => {
  const one = CASES[name]!;
  const path = folder.fresh();
  writeFileSync(path, gzipSync(one.content(), { level: 1 }));
  const handle = await open(path);
  const dataset = one.open(handle);
  const state = await take(dataset, undefined, one, 0, 5000);
  const opened = jest.spyOn(native(), 'readerOpenRanges');
  await take(dataset, state, one, 5000, 1000);
  const offsets = opened.mock.calls.map(([{ start }]) => start?.offset ?? 0);
  opened.mockRestore();
  expect(Math.max(...offsets)).toBeGreaterThan(5000 * (SIZE / 2) - NEAR);
  await handle.close();
});
