import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FillOutcome, native } from '../../lib/native';
import { tfrecord } from '../support/tfrecord';

let folder: string;
let path: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tfr-binding-'));
  path = join(folder, 'a.tfrecord');
  writeFileSync(path, tfrecord(Array.from({ length: 50_000 }, (_, index) => `record ${index}`)));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('closing twice while fills are under way settles everything', async () => {
  const handle = native().readerOpenFile(path, 0, 0, 1000, 0, 0);
  const fills = Array.from({ length: 6 }, () => native().readerFill(handle, new Uint8Array(65_536)));
  const closes = [native().readerClose(handle), native().readerClose(handle)];
  expect(await Promise.all(closes)).toEqual([undefined, undefined]);
  const outcomes = (await Promise.all(fills)).map(({ outcome }) => outcome);
  // How many were done before is up to the machine; none is done behind one that was cancelled.
  const done = outcomes.filter((outcome) => outcome === FillOutcome.More).length;
  expect(outcomes.slice(done)).toEqual(Array(6 - done).fill(FillOutcome.Cancelled));
  await native().readerClose(handle);
});

test('a handle of another kind, or none, throws', () => {
  const writer = native().writerOpen(undefined, 1, 6, false, 1);
  for (const wrong of [writer, {}, undefined, 1]) {
    expect(() => native().readerPassOver(wrong as never)).toThrow(/not a handle/);
  }
});

describe('copies between buffers', () => {
  const letters = (): Uint8Array => new Uint8Array(Buffer.from('abcdefgh'));
  const copy = (buffers: Uint8Array[], ...copies: number[][]): void =>
    native().copyAll(buffers, Uint32Array.from(copies.flat()), copies.length);

  test('one after the other, also within one', () => {
    const from = letters();
    const to = new Uint8Array(6);
    copy([from, to], [0, 2, 1, 0, 3], [1, 0, 1, 3, 3], [0, 0, 0, 1, 7], [0, 0, 1, 5, 0]);
    expect([String(Buffer.from(to)), String(Buffer.from(from))]).toEqual(['cdecde', 'aabcdefg']);
  });

  test('one that leaves a buffer throws; those before it were made', () => {
    const wrong = [
      [2, 0, 1, 0, 1],
      [0, 0, 2, 0, 1],
      [0, 8, 1, 0, 1],
      [0, 0, 1, 3, 4],
      [0, 0xffffffff, 1, 0, 2],
      [0, 0, 1, 0, 0xffffffff],
    ];
    for (const numbers of wrong) {
      const to = new Uint8Array(6);
      expect(() => copy([letters(), to], [0, 0, 1, 0, 2], numbers)).toThrow('not a copy between buffers');
      expect(String(Buffer.from(to.subarray(0, 2)))).toBe('ab');
    }
  });

  test('more copies than numbers, and other arrays, throw', () => {
    expect(() => native().copyAll([letters()], new Uint32Array(9), 2)).toThrow('not a copy between buffers');
    expect(() => native().copyAll([letters()], new Int32Array(5) as never, 1)).toThrow('not a copy between buffers');
    expect(() => native().copyAll([[1, 2] as never], new Uint32Array(5), 1)).toThrow('Uint8Array');
  });
});

test('reading begins in mid-file, at a record', async () => {
  const lengths = Array.from({ length: 100 }, (_, index) => `record ${index}`.length + 16);
  const offset = lengths.reduce((sum, length) => sum + length, 0);
  const handle = native().readerOpenFile(path, 1, 0, 1000, offset, 100);
  const slab = new Uint8Array(65_536);
  const { frames, firstRecord, base } = await native().readerFill(handle, slab);
  expect({ firstRecord, base }).toEqual({ firstRecord: 100, base: offset });
  expect(String(Buffer.from(slab.subarray(frames[0], frames[0]! + frames[1]!)))).toBe('record 100');
  await native().readerClose(handle);
  // Behind the end there is none.
  const behind = native().readerOpenFile(path, 1, 0, 1000, 10_000_000, 100);
  expect(await native().readerFill(behind, slab)).toMatchObject({
    outcome: FillOutcome.End,
    frames: new Uint32Array(0),
  });
  await native().readerClose(behind);
});
