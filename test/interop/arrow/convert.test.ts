/** Conversions to and from Arrow: pyarrow reads our files and streams, and we read pyarrow's. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  bytes,
  decodeExample,
  encodeExample,
  encodeSequenceExample,
  float,
  int64,
  type FeatureLike,
} from '../../../lib';
import { convert } from '../../../lib/convert';
import { Folder } from '../../support/records/record-files';
import { tfrecord, wholeRecords } from '../../support/records/tfrecord';
import { withPackage } from '../python';

const { describe, python: pyarrow } = withPackage('pyarrow', join(__dirname, 'peer.py'));

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

interface Read {
  readonly schema: readonly string[];
  readonly rows: readonly unknown[];
  readonly metadata: Record<string, string>;
}

const bits = (...values: number[]): string[] =>
  values.map((value) => {
    const buffer = Buffer.alloc(4);
    buffer.writeFloatBE(value);
    return buffer.toString('hex');
  });

/** The values of the features of the records that `file` becomes. */
async function theirs(file: string): Promise<Record<string, unknown[]>[]> {
  await convert(file, folder.at('back'), { force: true });
  return wholeRecords(readFileSync(folder.at('back'))).map((record) =>
    Object.fromEntries(
      Object.entries(decodeExample(record)).map(([name, feature]) => [
        name,
        [...(feature!.values as Iterable<unknown>)].map((value) =>
          value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
        ),
      ]),
    ),
  );
}

describe('pyarrow', () => {
  async function ours(records: readonly Uint8Array[], extension: string): Promise<Read> {
    const file = folder.at(`ours.${extension}`);
    await convert(tfrecord(records), file, { force: true });
    return JSON.parse(pyarrow('values', file)) as Read;
  }

  test.each(['arrow', 'arrows'])('reads our Examples as .%s', async (extension) => {
    const rows: Record<string, FeatureLike>[] = [
      { id: int64([-(2n ** 63n), 2n ** 63n - 1n]), f: float([NaN, -0]), b: bytes([Uint8Array.of(255), '']), ID: 'ä' },
      { ID: 'x', '': float([1, 2]) },
      { id: int64([]), f: float([]), b: bytes([]), ID: '' },
    ];
    const found = await ours(
      rows.map((row) => encodeExample(row)),
      extension,
    );
    expect(found.rows).toEqual([
      { id: ['-9223372036854775808', '9223372036854775807'], f: bits(NaN, -0), b: ['ff', ''], ID: 'ä', '': null },
      { id: null, f: null, b: null, ID: 'x', '': bits(1, 2) },
      { id: [], f: [], b: [], ID: '', '': null },
    ]);
    expect(Object.keys(found.metadata)).toEqual(['tfrecord.columns']);
  });

  test.each(['arrow', 'arrows'])(
    'reads our SequenceExamples, and records without features, as .%s',
    async (extension) => {
      const records = [
        encodeSequenceExample({ context: { id: int64(1) }, featureLists: { x: [float([1]), float([])], w: [] } }),
        encodeSequenceExample({ context: { id: int64(2) }, featureLists: {} }),
      ];
      expect((await ours(records, extension)).rows).toEqual([
        { id: '1', x: [bits(1), []], w: [] },
        { id: '2', x: null, w: null },
      ]);
      expect((await ours([encodeExample({})], extension)).schema).toEqual([]);
    },
  );

  test('reads many batches', async () => {
    const records = Array.from({ length: 5000 }, (_, i) =>
      encodeExample({ id: int64(i), ...(i % 3 === 0 ? {} : { raw: bytes([Buffer.alloc(1000, i)]) }) }),
    );
    const { rows } = await ours(records, 'arrow');
    expect(rows).toHaveLength(5000);
    expect(rows[4999]).toEqual({ id: '4999', raw: Buffer.alloc(1000, 4999).toString('hex') });
  });

  const THREE = [
    {
      ...{ i8: [1n], u64: [2n ** 63n - 1n], f64: [0.5], yes: [1n], text: ['a'], raw: ['\xff'], fixed: ['ab'] },
      ...{ list: [1n, 2n], pair: [1, 2], dict: ['x'] },
    },
    { u64: [0n], raw: [''] },
    {
      ...{ i8: [-128n], f64: [-Infinity], yes: [0n], text: ['Ã©'], fixed: ['cd'], list: [], pair: [3, 4] },
      dict: ['y'],
    },
  ];

  test.each([
    ['arrow', 'file', []],
    ['arrows', 'stream', []],
    ['arrow', 'stream', []],
    ['arrows', 'stream', ['legacy']],
  ])('writes a .%s as a %s that we read %j', async (extension, form, rest) => {
    const file = folder.at(`theirs.${extension}`);
    pyarrow('write', file, form, ...rest);
    expect(await theirs(file)).toEqual([...THREE, ...THREE]);
  });

  test('writes dictionaries that grow and are replaced', async () => {
    const file = folder.at('deltas.arrows');
    pyarrow('deltas', file);
    expect((await theirs(file)).map(({ d }) => d)).toEqual([
      ...[['x'], ['y'], ['x']],
      ...[['x'], ['y'], ['x']],
      ...[['q'], ['r'], ['q']],
    ]);
  });

  test.each([
    ['file', 'lz4'],
    ['stream', 'zstd'],
  ])('writes a compressed %s (%s), which is refused with what to do', async (form, codec) => {
    const file = folder.at(`compressed.${form === 'file' ? 'feather' : 'arrows'}`);
    pyarrow('write', file, form, codec);
    await expect(theirs(file)).rejects.toMatchObject({
      code: 'TFR_COMPRESSION',
      file,
      message: expect.stringMatching(new RegExp(`compressed with ${codec.toUpperCase()}, .*uncompressed`)) as string,
    });
  });
});
