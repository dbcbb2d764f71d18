/** The table of compressions: names of files, first bytes, and what can be appended to. */
import { deflateSync, gzipSync } from 'node:zlib';

import {
  APPENDABLE,
  CODEC_NAMES,
  compressionByMagic,
  compressionByName,
  hasMembers,
  withoutCompression,
} from '../../../lib/io';

test.each([
  ['a.tfrecord', 'none', 'a.tfrecord'],
  ['a.tfrecord.gz', 'gzip', 'a.tfrecord'],
  ['A.GZ', 'gzip', 'A'],
  ['a.zlib', 'zlib', 'a'],
  ['a.csv.Zz', 'zlib', 'a.csv'],
  ['a.gz.gz', 'gzip', 'a.gz'],
  ['gz', 'none', 'gz'],
  ['a.gzip', 'none', 'a.gzip'],
])('%s is a name of %s', (name, compression, rest) => {
  expect(compressionByName(name)).toBe(compression);
  expect(withoutCompression(name)).toBe(rest);
});

test('streams are recognised by their first two bytes', () => {
  for (let level = 0; level <= 9; level++) {
    const [first, second] = deflateSync('text', { level });
    expect(compressionByMagic(first!, second!)).toBe('zlib');
  }
  const [first, second] = gzipSync('text');
  expect(compressionByMagic(first!, second!)).toBe('gzip');
  expect(compressionByMagic(first!, 0)).toBe('none');
  expect(compressionByMagic(0x78, 0x02)).toBe('none');
});

test('only sequences of members, and plain files, can be appended to', () => {
  expect(CODEC_NAMES.map(hasMembers)).toEqual([false, true, false]);
  expect(APPENDABLE).toEqual(['none', 'gzip']);
});
