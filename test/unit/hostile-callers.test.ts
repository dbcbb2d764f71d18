/** Callers that do in the middle of a read or a write what nobody does on purpose. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readRecordsSync } from '../../lib';
import { descriptorsIn } from '../support/descriptors';
import { flipBit, tfrecord } from '../support/tfrecord';

const PAYLOADS = Array.from({ length: 2000 }, (_, index) => `record ${index}`);
const FILE = tfrecord(PAYLOADS);
const openFiles = (): number => (process.platform === 'linux' ? descriptorsIn(folder) : 0);

let folder: string;
let path: string;
let damaged: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tfr-hostile-'));
  path = join(folder, 'whole.tfrecord');
  damaged = join(folder, 'damaged.tfrecord');
  writeFileSync(path, FILE);
  writeFileSync(damaged, flipBit(FILE, 12));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('from within onError of readRecordsSync', () => {
  const sources = { 'a missing file': () => [join(folder, 'none'), path], 'a damaged record': () => [damaged, path] };

  test.each(Object.entries(sources))('return() ends the reading: %s', (_name, source) => {
    const records = readRecordsSync(source(), {
      onError: () => {
        records.return?.();
        return 'skip';
      },
    });
    expect(records.next()).toEqual({ value: undefined, done: true });
    expect(records.next()).toEqual({ value: undefined, done: true });
    expect(openFiles()).toBe(0);
  });

  test.each(Object.entries(sources))('next() throws: %s', (_name, source) => {
    const records = readRecordsSync(source(), {
      onError: () => {
        records.next();
        return 'skip';
      },
    });
    expect(() => records.next()).toThrow(expect.objectContaining({ name: 'TypeError', code: 'ERR_INVALID_STATE' }));
    expect(records.next()).toEqual({ value: undefined, done: true });
    expect(openFiles()).toBe(0);
  });
});
