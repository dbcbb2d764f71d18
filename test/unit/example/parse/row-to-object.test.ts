/** toObject() of rows and batches. */
import { deepStrictEqual } from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Console } from 'node:console';
import { PassThrough } from 'node:stream';

import {
  Dataset,
  encodeExample,
  encodeSequenceExample,
  fixedLen,
  fixedLenSequence,
  float,
  int64,
  parseExample,
  parseSequenceExample,
  parseSingleExample,
  parseSingleSequenceExample,
  ragged,
  readExamples,
  rowsOf,
  sparse,
  varLen,
  type ObjectOptions,
} from '../../../../lib';
import { tfrecord } from '../../../support/records/tfrecord';
import { thrown } from '../../../support/thrown';

const SPEC = {
  id: fixedLen([], 'int64'),
  score: fixedLen([], 'float32'),
  name: fixedLen([], 'bytes'),
  picture: fixedLen([], 'bytes'),
  box: fixedLen([2, 1], 'int64'),
  tags: varLen('bytes'),
  counts: varLen('int64'),
  steps: fixedLenSequence([], 'float32', { allowMissing: true }),
  grid: sparse({ indexKey: 'at', valueKey: 'v', dtype: 'int64', size: 9 }),
  cast: ragged({ dtype: 'bytes', valueKey: 'words', partitions: [{ by: 'rowLengths', key: 'sizes' }] }),
};
const recordOf = (id: number): Uint8Array =>
  encodeExample({
    id: int64(id),
    score: float(0.1),
    name: `näme ${id}`,
    picture: Uint8Array.of(0xff, 0xd8, id),
    box: int64([id, 2]),
    tags: ['a', `t${id}`],
    counts: int64([1, id]),
    steps: float([0.1, 1e-40, 16777216, id]),
    at: int64([3, 4]),
    v: int64([id, 7]),
    words: ['w', 'x', `y${id}`],
    sizes: int64([1, 2]),
  });
const picture = (id: number): string => Buffer.of(0xff, 0xd8, id).toString('base64');
const plain = (id: number): object => ({
  id,
  score: 0.1,
  name: `näme ${id}`,
  picture: { base64: picture(id) },
  box: [[id], [2]],
  tags: ['a', `t${id}`],
  counts: [1, id],
  steps: [0.1, 1e-40, 16777216, id],
  grid: { indices: [[3], [4]], values: [id, 7], denseShape: [9] },
  cast: [['w'], ['x', `y${id}`]],
});

test('a row, however it was made', async () => {
  const records = [recordOf(5), recordOf(6)];
  const batch = parseExample(records, SPEC);
  const rows = [
    parseSingleExample(records[0]!, SPEC),
    [...rowsOf(batch, SPEC)][0]!,
    (await readExamples(tfrecord(records), SPEC)[Symbol.asyncIterator]().next()).value as never,
    parseSingleExample(records[0]!, SPEC, { int64: 'number' }),
  ] as { toObject(): object }[];
  for await (const row of Dataset.tfrecord(tfrecord(records)).parse(SPEC).take(1)) rows.push(row as never);
  for (const row of rows) deepStrictEqual(row.toObject(), plain(5));
});

test('nothing of a row shows the method', () => {
  const row = parseSingleExample(recordOf(5), SPEC);
  expect(Object.keys(row)).toEqual(Object.keys(SPEC));
  expect('toObject' in { ...row }).toBe(false);
  const batch = parseExample([recordOf(5)], SPEC);
  expect(Object.keys(batch)).toEqual(Object.keys(SPEC));
  deepStrictEqual(batch, { ...batch });
});

test('a batch', () => {
  const batch = parseExample([recordOf(5), recordOf(6)], SPEC);
  deepStrictEqual(batch.toObject(), {
    id: [5, 6],
    score: [0.1, 0.1],
    name: ['näme 5', 'näme 6'],
    picture: [{ base64: picture(5) }, { base64: picture(6) }],
    box: [
      [[5], [2]],
      [[6], [2]],
    ],
    tags: {
      indices: [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
      ],
      values: ['a', 't5', 'a', 't6'],
      denseShape: [2, 2],
    },
    counts: {
      indices: [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
      ],
      values: [1, 5, 1, 6],
      denseShape: [2, 2],
    },
    steps: [
      [0.1, 1e-40, 16777216, 5],
      [0.1, 1e-40, 16777216, 6],
    ],
    grid: {
      indices: [
        [0, 3],
        [0, 4],
        [1, 3],
        [1, 4],
      ],
      values: [5, 7, 6, 7],
      denseShape: [2, 9],
    },
    cast: [
      [['w'], ['x', 'y5']],
      [['w'], ['x', 'y6']],
    ],
  });
});

test('SequenceExamples: rows and batches, context and feature lists', () => {
  const record = encodeSequenceExample({
    context: { id: int64(7) },
    featureLists: { words: [['a', 'b'], ['c']], tokens: [int64(1), int64(2)] },
  });
  const spec = {
    context: { id: fixedLen([], 'int64') },
    sequence: { words: ragged({ dtype: 'bytes' }), tokens: fixedLenSequence([], 'int64') },
  } as const;
  const row = parseSingleSequenceExample(record, spec);
  deepStrictEqual(row.toObject({ int64: 'string' }), {
    context: { id: '7' },
    sequence: { words: [['a', 'b'], ['c']], tokens: ['1', '2'] },
  });
  deepStrictEqual(row.context.toObject(), { id: 7 });
  const batch = parseSequenceExample([record], spec);
  deepStrictEqual(batch.toObject(), {
    context: { id: [7] },
    sequence: { words: [[['a', 'b'], ['c']]], tokens: [[1, 2]] },
    lengths: { tokens: [2] },
  });
  deepStrictEqual(batch.sequence.toObject({ bytes: 'base64' }), {
    words: [[['YQ==', 'Yg=='], ['Yw==']]],
    tokens: [[1, 2]],
  });
});

const LARGE = { id: fixedLen([], 'int64'), ids: varLen('int64') };
const large = encodeExample({ id: 2n ** 53n - 1n, ids: [-(2n ** 53n) + 1n, 2n ** 53n + 1n] });

test('int64: exact in every form, and refused where a number would round', () => {
  const row = parseSingleExample(large, LARGE);
  deepStrictEqual(row.toObject({ int64: 'bigint' }), {
    id: 2n ** 53n - 1n,
    ids: [-(2n ** 53n) + 1n, 2n ** 53n + 1n],
  });
  deepStrictEqual(row.toObject({ int64: 'string' }), {
    id: '9007199254740991',
    ids: ['-9007199254740991', '9007199254740993'],
  });
  for (const value of [row, parseExample([large], LARGE)]) {
    expect(thrown(() => value.toObject())).toMatchObject({
      code: 'TFR_FEATURE',
      feature: 'ids',
      expected: 'integers within ±(2^53 - 1), which int64: "number" asks for',
      found: '9007199254740993',
      message:
        'Feature "ids": expected integers within ±(2^53 - 1), which int64: "number" asks for, found 9007199254740993. ' +
        'int64: "bigint" and int64: "string" give all.',
    });
  }
  const edge = parseSingleExample(encodeExample({ id: 2n ** 53n, ids: [] }), LARGE);
  expect(thrown(() => edge.toObject())).toMatchObject({ feature: 'id', found: '9007199254740992' });
  deepStrictEqual(parseSingleExample(encodeExample({ id: -(2n ** 53n) + 1n }), LARGE).toObject(), {
    id: -(2 ** 53) + 1,
    ids: [],
  });
});

test('bytes: text, base64 and copies', () => {
  const spec = { name: fixedLen([], 'bytes'), tags: varLen('bytes') };
  const bell = Uint8Array.of(7, 0xc3, 0xa4);
  const row = parseSingleExample(encodeExample({ name: bell, tags: ['a', 'ä'] }), spec);
  deepStrictEqual(row.toObject(), { name: { base64: 'B8Ok' }, tags: ['a', 'ä'] });
  deepStrictEqual(row.toObject({ bytes: 'auto' }), row.toObject());
  deepStrictEqual(row.toObject({ bytes: 'text' }), { name: '\x07ä', tags: ['a', 'ä'] });
  deepStrictEqual(row.toObject({ bytes: 'base64' }), { name: 'B8Ok', tags: ['YQ==', 'w6Q='] });
  const copied = row.toObject({ bytes: 'bytes' });
  deepStrictEqual(copied, { name: bell, tags: [Uint8Array.of(0x61), Uint8Array.of(0xc3, 0xa4)] });
  expect(copied.name.buffer.byteLength).toBe(3);
  expect(copied.name.buffer).not.toBe(row.name.buffer);
  const broken = parseSingleExample(encodeExample({ name: Uint8Array.of(0x61, 0xff), tags: [] }), spec);
  expect(thrown(() => broken.toObject({ bytes: 'text' }))).toMatchObject({
    code: 'TFR_FEATURE',
    feature: 'name',
    message:
      'Feature "name": expected UTF-8, which bytes: "text" asks for, found 2 bytes that are not. ' +
      'bytes: "auto", "base64" and "bytes" give all.',
  });
});

test('floats: the fewest digits of a float32; NaN, infinities and -0 stay numbers, and are strings in JSON', () => {
  const spec = { f: fixedLen([], 'float32'), all: varLen('float32') };
  const values = [NaN, Infinity, -Infinity, -0, 3.4028234663852886e38, 0.1, 1e-45];
  const row = parseSingleExample(encodeExample({ f: float(-0), all: float(values) }), spec);
  const { f, all } = row.toObject();
  expect([f, ...all.slice(0, 4)].map((value) => Object.is(value, -0) || value)).toEqual([
    true,
    NaN,
    Infinity,
    -Infinity,
    true,
  ]);
  expect(all.map(Math.fround)).toEqual(values.map(Math.fround));
  expect(String(all.slice(5))).toBe('0.1,1e-45');
  expect(JSON.stringify(row)).toBe(
    '{"f":"-0","all":["NaN","Infinity","-Infinity","-0",3.4028234663852886e+38,0.1,1e-45]}',
  );
});

test.each<[string, unknown, string]>([
  ['an unknown option', { ints: 'number' }, 'Unknown option "ints". The options are: int64, bytes'],
  ['an unknown int64', { int64: 'long' }, '"options.int64" must be one of "number", "bigint", "string"'],
  ['unknown bytes', { bytes: 'hex' }, '"options.bytes" must be one of "auto", "text", "base64", "bytes"'],
  ['no object', 'text', '"options" must be an object: { int64, bytes }'],
])('refuses %s', (_, options, message) => {
  const row = parseSingleExample(recordOf(1), SPEC);
  const batch = parseExample([recordOf(1)], SPEC);
  for (const value of [row, batch, batch.box, batch.tags, batch.cast, batch.name]) {
    expect(() => (value as typeof row).toObject(options as ObjectOptions<'number', 'auto'>)).toThrow(message);
  }
});

const NAMES = ['__proto__', 'constructor', 'toJSON', 'toObject', 'toString', 'hasOwnProperty', '0', 'length', 'then'];
test('features may have any name', () => {
  const spec = Object.fromEntries(NAMES.map((name) => [name, fixedLen([], 'int64')]));
  const record = encodeExample(Object.fromEntries(NAMES.map((name, i) => [name, int64(i)])));
  const { toObject } = Object.getPrototypeOf(parseSingleExample(record, spec)) as { toObject(): object };
  for (const [row, wrap] of [
    [parseSingleExample(record, spec), (i: number) => i],
    [parseExample([record], spec), (i: number) => [i]],
  ] as const) {
    expect(Object.hasOwn(row, 'toObject')).toBe(true);
    const made = toObject.call(row);
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
    expect(Object.keys(made).sort()).toEqual([...NAMES].sort());
    NAMES.forEach((name, i) => {
      expect(Object.getOwnPropertyDescriptor(made, name)?.value).toEqual(wrap(i));
    });
  }
});

test('what users put into a row goes with it', () => {
  const row = Object.assign(parseSingleExample(large, { id: LARGE.id }), {
    when: new Date(0),
    list: ['a', 1n, new Uint8Array([0x62])],
    inner: { f: Float64Array.of(0.1, 2), none: null, missing: undefined, yes: true },
  });
  deepStrictEqual(row.toObject(), {
    id: 2 ** 53 - 1,
    when: new Date(0),
    list: ['a', 1, 'b'],
    inner: { f: [0.1, 2], none: null, missing: undefined, yes: true },
  });
});

test('memory that is gone is an error, not an empty list', () => {
  const batch = parseExample([recordOf(1)], { id: SPEC.id, name: SPEC.name });
  structuredClone(null, { transfer: [batch.id.buffer] });
  expect(() => batch.toObject()).toThrow(/detached/);
});

describe('the plain object goes on', () => {
  const row = parseSingleExample(recordOf(5), SPEC).toObject();

  test('to JSON and back, to structuredClone, and into a spread', () => {
    expect(JSON.parse(JSON.stringify(row))).toEqual(plain(5));
    expect(structuredClone(row)).toEqual(plain(5));
    deepStrictEqual({ ...row, more: 1 }, { ...plain(5), more: 1 });
  });

  test('to console.table', () => {
    const stdout = new PassThrough();
    const { id, name } = row;
    new Console({ stdout }).table([{ id, name }]);
    expect(String(stdout.read())).toMatch(/│ 5 +│ 'näme 5' │/);
  });

  test('to a web client', async () => {
    const batch = parseExample([recordOf(5), recordOf(6)], SPEC);
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(batch.toObject()));
    }).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      expect(await answer.json()).toEqual(batch.toObject());
    } finally {
      server.close();
    }
  });
});
