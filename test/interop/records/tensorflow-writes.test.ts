/** We read files from TensorFlow's writer, with every size, compression, window and option that it has. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';

import { countRecords, readRecordsSync } from '../../../lib';
import { RecordPeer, type Made, type TensorFlowCompression, type WriteRequest } from './peer';
import { COMPRESSIONS, SIZES, digestOf, read, temporaryFolder } from './support';

const at = temporaryFolder();
let peer: RecordPeer;
beforeAll(() => (peer = new RecordPeer()));
afterAll(() => peer.close());

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** Writes with TensorFlow, reads the file with `auto`, and expects every record. */
async function expectWhole(request: Omit<WriteRequest, 'op' | 'file'>): Promise<void> {
  const file = at('written');
  const { records, sha256 } = await peer.ask({ op: 'write', file, ...request });
  expect(await read(file)).toEqual({ records, sha256, error: undefined });
  expect(records).toBe(request.records.length);
}

const small: readonly Made[] = [
  [300, 'noise'],
  [70_000, 'text'],
  [0, 'text'],
  [9_000, 'noise'],
  [1, 'noise'],
];

describe.each(COMPRESSIONS)('written as $ours', ({ ours, theirs: compression }) => {
  test.each(['noise', 'text'] as const)('all sizes in one file, %s', (kind) =>
    expectWhole({ compression, records: SIZES.map((size): Made => [size, kind]) }),
  );

  test.each(SIZES)('one record of %i bytes', (size) => expectWhole({ compression, records: [[size, 'noise']] }));

  test('no record', () => expectWhole({ compression, records: [] }));

  test('100,000 empty records', () => expectWhole({ compression, records: Array<Made>(100_000).fill([0, 'text']) }));

  test.each([1, 3])('flushed after every %i records', (flushAfter) =>
    expectWhole({ compression, flushAfter, records: [...small, ...small, ...small] }),
  );

  test('counted, and read synchronously, from a path and from bytes', async () => {
    const file = at('sync');
    const { records, sha256 } = await peer.ask({ op: 'write', file, compression, records: small });
    expect(await countRecords(file)).toBe(records);
    expect(digestOf(readRecordsSync(file))).toEqual({ records, sha256 });
    expect(digestOf(readRecordsSync(readFileSync(file), { compression: ours }))).toEqual({ records, sha256 });
  });

  test('two files in one', async () => {
    const [first, both] = [at('first'), at('both')];
    await peer.ask({ op: 'write', file: first, compression, records: small });
    const second = at('second');
    await peer.ask({ op: 'write', file: second, compression, records: small.slice(1) });
    copyFileSync(first, both);
    writeFileSync(both, readFileSync(second), { flag: 'a' });
    const parts = [...readRecordsSync(first), ...readRecordsSync(second)];
    expect(await read(both)).toEqual({ ...digestOf(parts), error: undefined });
    expect(parts.length).toBe(2 * small.length - 1);
  });
});

describe("the writer's options", () => {
  const option = (compression: TensorFlowCompression, options: Record<string, number>): Promise<void> =>
    expectWhole({ compression, options, records: small });

  // zlib raises 8 to 9.
  test.each(range(8, 15))('ZLIB, window_bits %i', (window_bits) => option('ZLIB', { window_bits }));
  test.each(range(25, 31))('GZIP, window_bits %i', (window_bits) => option('GZIP', { window_bits }));
  // TensorFlow cannot read these two back. We detect the compression by content.
  test.each(range(9, 15))('GZIP, window_bits %i: a zlib stream', (window_bits) => option('GZIP', { window_bits }));
  test('ZLIB, window_bits 31: a gzip member', () => option('ZLIB', { window_bits: 31 }));

  test.each(range(-1, 9))('compression_level %i', async (compression_level) => {
    await option('GZIP', { compression_level });
    await option('ZLIB', { compression_level });
  });
  test.each(range(1, 9))('mem_level %i', (mem_level) => option('GZIP', { mem_level }));
  test.each(range(0, 4))('compression_strategy %i', async (compression_strategy) => {
    await option('GZIP', { compression_strategy });
    await option('ZLIB', { compression_strategy });
  });
  test.each([
    [2, 2],
    [7, 100],
    [262_144, 64],
  ])('input_buffer_size %i, output_buffer_size %i', (input_buffer_size, output_buffer_size) =>
    option('GZIP', { input_buffer_size, output_buffer_size }),
  );
  test.each(range(1, 3))('flush_mode %i', (flush_mode) => option('ZLIB', { flush_mode }));

  test('raw DEFLATE has no mark: refused', async () => {
    const file = at('raw');
    await peer.ask({ op: 'write', file, compression: 'ZLIB', options: { window_bits: -15 }, records: small });
    const { records, error } = await read(file);
    expect(records).toBe(0);
    expect(error?.code).toMatch(/^TFR_(CORRUPT_LENGTH|NOT_TFRECORD)$/);
  });
});

describe('plain files whose first bytes look compressed', () => {
  test.each([
    [40_056, '789c'],
    [559_903, '1f8b08'],
  ])('a record of %i bytes starts with %s', async (size, hex) => {
    const file = at('looks');
    const records: Made[] = [
      [size, 'noise'],
      [3, 'text'],
    ];
    await expectWhole({ compression: '', records });
    await peer.ask({ op: 'write', file, compression: '', records });
    expect(readFileSync(file).toString('hex', 0, hex.length / 2)).toBe(hex);
  });
});
