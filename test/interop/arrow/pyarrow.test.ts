/** Files of Arrow: pyarrow reads ours, and we read pyarrow's. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Table, tableFromIPC, tableToIPC, type RecordBatch } from 'apache-arrow';

import {
  bytes,
  decodeExample,
  encodeExample,
  encodeSequenceExample,
  fixedLen,
  fixedLenSequence,
  float,
  int64,
  specToJSON,
  varLen,
  type SequenceExampleSpec,
  type Spec,
} from '../../../lib';
import { arrowBatches, fromArrow } from '../../../lib/adapters/arrow';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';
import { withPackage } from '../python';

const { describe, python: pyarrow } = withPackage('pyarrow', join(__dirname, 'peer.py'));

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

describe('pyarrow', () => {
  async function read(
    records: readonly Uint8Array[],
    spec: Spec | SequenceExampleSpec,
    form: 'file' | 'stream',
  ): Promise<{ schema: string[]; rows: unknown[]; metadata: Record<string, string> }> {
    const reader = arrowBatches(tfrecord(records), spec, { rows: 2 });
    const batches: RecordBatch[] = [];
    for await (const batch of reader) batches.push(batch);
    const file = folder.put('ours.arrow', Buffer.from(tableToIPC(new Table(reader.schema, batches), form)));
    return JSON.parse(pyarrow('values', file)) as never;
  }
  const bits = (...values: number[]): string[] =>
    values.map((value) => {
      const buffer = Buffer.alloc(4);
      buffer.writeFloatBE(value);
      return buffer.toString('hex');
    });

  test.each(['file', 'stream'] as const)('reads our %s of Examples', async (form) => {
    const spec = {
      id: varLen('int64'),
      f: varLen('float32'),
      b: varLen('bytes'),
      t: fixedLen([], 'text'),
      box: fixedLen([2, 1], 'float32'),
    };
    const always = { t: 'ä', box: float([1, 2]) };
    const records = [
      encodeExample({
        id: int64([-(2n ** 63n), 2n ** 63n - 1n]),
        f: float([NaN, -0]),
        b: bytes([Uint8Array.of(255)]),
        ...always,
      }),
      encodeExample(always),
      encodeExample({ id: int64([]), f: float([]), b: bytes([]), ...always }),
    ];
    const { schema, rows, metadata } = await read(records, spec, form);
    expect(schema[4]).toContain('fixed_size_list<item: fixed_size_list<item: float not null>[1] not null>[2]');
    const shared = { t: 'ä', box: bits(1, 2).map((value) => [value]) };
    expect(rows).toEqual([
      { id: ['-9223372036854775808', '9223372036854775807'], f: bits(NaN, -0), b: ['ff'], ...shared },
      { id: null, f: null, b: null, ...shared },
      { id: [], f: [], b: [], ...shared },
    ]);
    expect(JSON.parse(metadata['tfrecord.spec']!)).toEqual(JSON.parse(JSON.stringify(specToJSON(spec))));
  });

  test('reads our SequenceExamples, and no records', async () => {
    const spec = {
      context: { id: fixedLen([], 'int64') },
      sequence: { x: fixedLenSequence([2], 'float32'), w: varLen('text') },
    };
    const record = encodeSequenceExample({
      context: { id: int64(1) },
      featureLists: { x: [float([1, 2]), float([3, 4])], w: [['a', 'b'], []] },
    });
    expect((await read([record], spec, 'file')).rows).toEqual([
      { id: '1', x: [bits(1, 2), bits(3, 4)], w: [['a', 'b'], []] },
    ]);
    expect((await read([], spec, 'stream')).rows).toEqual([]);
  });

  test.each(['file', 'stream'])('writes a %s that we read', (form) => {
    const file = folder.at('theirs.arrow');
    pyarrow('write', file, form);
    const rows = [...fromArrow(tableFromIPC(readFileSync(file)))].map((record) =>
      Object.fromEntries(
        Object.entries(decodeExample(record)).map(([name, feature]) => [
          name,
          [...(feature!.values as Iterable<unknown>)].map((value) =>
            value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
          ),
        ]),
      ),
    );
    const three = [
      {
        i8: [1n],
        u64: [2n ** 63n - 1n],
        f64: [0.5],
        yes: [1n],
        text: ['a'],
        raw: ['\xff'],
        fixed: ['ab'],
        list: [1n, 2n],
        pair: [1, 2],
        dict: ['x'],
      },
      { u64: [0n], raw: [''] },
      { i8: [-128n], f64: [-Infinity], yes: [0n], text: ['Ã©'], fixed: ['cd'], list: [], pair: [3, 4], dict: ['y'] },
    ];
    expect(rows).toEqual([...three, ...three]);
  });
});
