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
