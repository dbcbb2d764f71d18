/** Bytes as text: `dtype: 'text'` of a feature, and `bytes: 'text'` of parsing, reading, decoding and datasets. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as fc from 'fast-check';

import {
  BytesArray,
  Dataset,
  decodeExample,
  decodeSequenceExample,
  DenseTensor,
  encodeExample,
  encodeExamples,
  encodeRecords,
  encodeSequenceExample,
  exampleEncoder,
  exampleToObject,
  fixedLen,
  fixedLenSequence,
  int64,
  parseExample,
  parseSequenceExample,
  parseSingleExample,
  parseSingleSequenceExample,
  RaggedTensor,
  ragged,
  readExamples,
  readSequenceExamples,
  rowsOf,
  sparse,
  SparseTensor,
  specFromJSON,
  specToJSON,
  TFRecordError,
  varLen,
  type Spec,
} from '../../../../lib';

const LONG = 'x'.repeat(200) + 'é';
const records = [
  encodeExample({
    name: 'Bern',
    pair: ['a', 'ü'],
    tags: ['one', '', LONG],
    steps: ['s'],
    at: int64([2, 0]),
    values: ['two', 'zero'],
    words: ['w', 'ww', 'ß'],
    lengths: int64([2, 1]),
    id: int64(1),
  }),
  encodeExample({
    name: '',
    pair: ['日本', '\ufeffb\ufffd'],
    tags: [],
    steps: ['t', 'uu', '🙂'],
    at: int64([]),
    values: [],
    words: [],
    lengths: int64([]),
    id: int64(2),
  }),
];

function specOf<const D extends 'bytes' | 'text'>(dtype: D) {
  return {
    name: fixedLen([], dtype),
    missing: fixedLen([], dtype, { default: 'none' }),
    pair: fixedLen([2], dtype),
    tags: varLen(dtype),
    steps: fixedLenSequence([], dtype, { allowMissing: true, default: 'ä' }),
    coordinates: sparse({ indexKey: 'at', valueKey: 'values', dtype, size: 3 }),
    words: ragged({ dtype, partitions: [{ by: 'rowLengths', key: 'lengths' }] }),
    id: fixedLen([], 'int64'),
  };
}
const BYTES = specOf('bytes');
const TEXT = specOf('text');

const ROW = {
  name: 'Bern',
  missing: 'none',
  pair: new DenseTensor('text', [2], ['a', 'ü']),
  tags: ['one', '', LONG],
  steps: ['s'],
  coordinates: new SparseTensor('text', {
    values: ['zero', 'two'],
    denseShape: [3],
    indices: BigInt64Array.of(0n, 2n),
  }),
  words: new RaggedTensor(new DenseTensor('text', [3], ['w', 'ww', 'ß']), [Int32Array.of(0, 2, 3)]),
  id: 1n,
};
const BATCH = {
  name: ['Bern', ''],
  missing: ['none', 'none'],
  pair: new DenseTensor('text', [2, 2], ['a', 'ü', '日本', '\ufeffb\ufffd']),
  tags: new SparseTensor('text', {
    values: ['one', '', LONG],
    denseShape: [2, 3],
    rowSplits: [Int32Array.of(0, 3, 3)],
  }),
  steps: new DenseTensor('text', [2, 3], ['s', 'ä', 'ä', 't', 'uu', '🙂']),
  coordinates: new SparseTensor('text', {
    values: ['zero', 'two'],
    denseShape: [2, 3],
    indices: BigInt64Array.of(0n, 0n, 0n, 2n),
  }),
  words: new RaggedTensor(new DenseTensor('text', [3], ['w', 'ww', 'ß']), [
    Int32Array.of(0, 2, 2),
    Int32Array.of(0, 2, 3),
  ]),
  id: BigInt64Array.of(1n, 2n),
};

function thrown(call: () => unknown): TFRecordError {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(TFRecordError);
    return error as TFRecordError;
  }
  throw new Error('nothing was thrown');
}

async function all<T>(given: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of given) found.push(each);
  return found;
}

const ways: [string, (list: readonly Uint8Array[]) => object, (record: Uint8Array) => object][] = [
  ["dtype: 'text'", (list) => parseExample(list, TEXT), (record) => parseSingleExample(record, TEXT)],
  [
    "bytes: 'text'",
    (list) => parseExample(list, BYTES, { bytes: 'text' }),
    (record) => parseSingleExample(record, BYTES, { bytes: 'text' }),
  ],
];

describe.each(ways)('%s', (_, batch, row) => {
  test('a batch has strings in the place of bytes', () => {
    expect(batch(records)).toEqual(BATCH);
  });

  test('so has a row, small or larger than the block of one record', () => {
    expect(row(records[0]!)).toEqual(ROW);
    const large = 'y'.repeat(9000);
    expect(parseSingleExample(encodeExample({ name: large }), { name: fixedLen([], 'text') })).toEqual({ name: large });
  });

  test('rows, JSON and plain objects of a batch', () => {
    const [first] = rowsOf(batch(records) as never, TEXT) as Iterable<object>;
    // Rows of a batch that was padded by parsing have no padding.
    expect(first).toEqual(ROW);
    expect((row(records[0]!) as { toObject(): unknown }).toObject()).toEqual({
      name: 'Bern',
      missing: 'none',
      pair: ['a', 'ü'],
      tags: ['one', '', LONG],
      steps: ['s'],
      coordinates: { indices: [[0], [2]], values: ['zero', 'two'], denseShape: [3] },
      words: [['w', 'ww'], ['ß']],
      id: 1,
    });
    expect(JSON.parse(JSON.stringify(batch(records)))).toMatchObject({
      name: ['Bern', ''],
      words: [[['w', 'ww'], ['ß']], []],
    });
  });
});

describe('rows of one record without the batch parser', () => {
  const spec = { name: fixedLen([], 'text'), tags: varLen('text'), pair: fixedLen([2], 'text') };
  test.each([
    ['', [], ['a', 'b']],
    ['short', ['a', 'bb', 'é'], ['ä', '']],
    ['\u0000\u007f', [LONG], [LONG, 'x'.repeat(65)]],
  ])('%j %j', (name, tags, pair) => {
    const row = parseSingleExample(encodeExample({ name, tags, pair }), spec);
    expect(row).toEqual({ name, tags, pair: new DenseTensor('text', [2], pair) });
  });
});

describe('values that are not UTF-8', () => {
  const bad = Uint8Array.of(0x61, 0xff);
  const listOf = (feature: string, value: unknown, at: number): Uint8Array[] =>
    Array.from({ length: 5 }, (_, i) => {
      const object = {
        name: 'n',
        pair: ['p', 'q'],
        words: ['w'],
        lengths: int64([1]),
        id: int64(0),
        values: [],
        at: int64([]),
      };
      return encodeExample(i === at ? { ...object, [feature]: value } : object);
    });

  test.each([
    ['name', bad, 0],
    ['pair', ['ok', bad], 1],
    ['tags', ['a', 'b', bad, bad], 2],
    ['steps', [bad], 0],
    ['words', [bad], 0],
  ])('%s is TFR_FEATURE: record, feature and value are named', (feature, value, index) => {
    const list = listOf(feature, value, 3);
    const parsed = { code: 'TFR_FEATURE', record: 3, feature, found: '2 bytes that are not' };
    for (const error of [
      thrown(() => parseExample(list, TEXT)),
      thrown(() => parseExample(list, BYTES, { bytes: 'text' })),
    ]) {
      expect(error).toMatchObject(parsed);
      expect(error.expected).toBe(`UTF-8 in value ${index}`);
    }
    expect(thrown(() => parseSingleExample(list[3]!, TEXT))).toMatchObject({ ...parsed, record: 0 });
    expect(thrown(() => parseSingleExample(list[3]!, { [feature]: TEXT[feature as 'tags'] }))).toMatchObject({
      code: 'TFR_FEATURE',
      feature,
      expected: `UTF-8 in value ${index}`,
    });
    // As bytes they are right.
    expect(parseExample(list, BYTES).id).toHaveLength(5);
  });

  test('readers give the rows before it, and skip it when told to', async () => {
    const file = encodeRecords(listOf('tags', ['ok', bad], 3));
    const reader = readExamples(file, BYTES, { bytes: 'text' });
    const names: string[] = [];
    await expect(
      (async () => {
        for await (const { name } of reader) names.push(name);
      })(),
    ).rejects.toMatchObject({
      code: 'TFR_FEATURE',
      record: 3,
      feature: 'tags',
      file: '<bytes>',
      offset: expect.any(Number),
    });
    expect(names).toEqual(['n', 'n', 'n']);
    const skipping = readExamples(file, BYTES, { bytes: 'text', onError: 'skip' });
    expect(await all(skipping)).toHaveLength(4);
    expect(await all(readExamples(file, TEXT, { onError: 'skip' }).batches(10))).toMatchObject([
      { name: Array(4).fill('n') },
    ]);
  });

  test('a default is a TFR_SPEC error', () => {
    const spec = { name: fixedLen([], 'bytes', { default: bad }) };
    expect(thrown(() => parseExample([], spec, { bytes: 'text' }))).toMatchObject({
      code: 'TFR_SPEC',
      feature: 'name',
    });
    expect(thrown(() => fixedLen([], 'text', { default: bad })).code).toBe('TFR_SPEC');
    expect(thrown(() => fixedLen([], 'text', { default: '\ud800' })).code).toBe('TFR_SPEC');
    expect(parseExample(records, { m: fixedLen([], 'text', { default: Buffer.from('é') }) }).m).toEqual(['é', 'é']);
  });

  test('what decodeExample refuses', () => {
    const record = encodeExample({ tags: [Buffer.from('a'), bad] });
    expect(thrown(() => decodeExample(record, { bytes: 'text' }))).toMatchObject({
      code: 'TFR_FEATURE',
      feature: 'tags',
      expected: 'UTF-8 in value 1',
    });
    expect(decodeExample(record)['tags']?.values).toBeInstanceOf(BytesArray);
  });
});

describe('SequenceExamples', () => {
  const record = encodeSequenceExample({
    context: { id: 'é' },
    featureLists: { words: [['a', 'b'], [], ['ß']], one: [['x'], ['yy']] },
  });
  const spec = {
    context: { id: fixedLen([], 'bytes') },
    sequence: {
      words: varLen('bytes'),
      rows: ragged({ dtype: 'bytes', valueKey: 'words' }),
      one: fixedLenSequence([], 'bytes'),
    },
  };
  // A key is read by one kind.
  const { rows: _rows, ...lists } = spec.sequence;

  test('rows and batches', async () => {
    const row = parseSingleSequenceExample(record, { ...spec, sequence: lists }, { bytes: 'text' });
    expect(row).toEqual({
      context: { id: 'é' },
      sequence: {
        words: new SparseTensor('text', {
          values: ['a', 'b', 'ß'],
          denseShape: [3, 2],
          rowSplits: [Int32Array.of(0, 2, 2, 3)],
        }),
        one: ['x', 'yy'],
      },
    });
    const batch = parseSequenceExample([record, record], { sequence: { one: spec.sequence.one } }, { bytes: 'text' });
    expect(batch.sequence.one).toEqual(new DenseTensor('text', [2, 2], ['x', 'yy', 'x', 'yy']));
    const nested = parseSingleSequenceExample(record, { sequence: { rows: spec.sequence.rows } }, { bytes: 'text' });
    expect(nested.sequence.rows.toArray()).toEqual([['a', 'b'], [], ['ß']]);
    const read = await all(
      readSequenceExamples(encodeRecords([record]), { ...spec, sequence: lists }, { bytes: 'text' }),
    );
    expect(read).toEqual([row]);
  });

  test('a step that is not UTF-8', () => {
    const wrong = encodeSequenceExample({
      context: {},
      featureLists: {
        words: [
          ['a', 'b'],
          [Buffer.from('c'), Uint8Array.of(0xc3)],
        ],
      },
    });
    const of = { sequence: { words: varLen('text') } } as const;
    expect(thrown(() => parseSequenceExample([record, record, wrong], of))).toMatchObject({
      code: 'TFR_FEATURE',
      record: 2,
      feature: 'words',
      expected: 'UTF-8 in value 3',
      found: '1 byte that is not',
    });
    const fixed = encodeSequenceExample({
      context: {},
      featureLists: {
        words: [
          ['a', 'b'],
          [Buffer.from('c'), Uint8Array.of(0xc3)],
        ],
      },
    });
    const pairs = { sequence: { words: fixedLenSequence([2], 'text') } } as const;
    expect(thrown(() => parseSequenceExample([fixed], pairs))).toMatchObject({
      record: 0,
      expected: 'UTF-8 in value 3',
    });
  });

  test('decoded', () => {
    expect(decodeSequenceExample(record, { bytes: 'text' })).toEqual({
      context: { id: { kind: 'bytes', values: ['é'] } },
      featureLists: {
        words: [{ kind: 'bytes', values: ['a', 'b'] }, undefined, { kind: 'bytes', values: ['ß'] }],
        one: [
          { kind: 'bytes', values: ['x'] },
          { kind: 'bytes', values: ['yy'] },
        ],
      },
    });
  });
});

describe('there and back', () => {
  const plain = exampleToObject(records[0]!);

  test('rows and batches of text are encoded by specs of text and of bytes', () => {
    for (const spec of [BYTES, TEXT] as Spec[]) {
      const row = { ...parseSingleExample(records[0]!, TEXT), missing: undefined };
      expect(parseSingleExample(exampleEncoder(spec)(row), TEXT)).toEqual(ROW);
      const encoded = encodeExamples(parseExample(records, TEXT) as never, spec);
      expect(parseExample([...encoded], TEXT)).toEqual(BATCH);
    }
    expect(thrown(() => parseExample(records, { name: fixedLen([], 'int64') })).code).toBe('TFR_FEATURE');
  });

  test('decoded Examples', () => {
    const decoded = decodeExample(records[0]!, { bytes: 'text' });
    expect(decoded['tags']).toEqual({ kind: 'bytes', values: ['one', '', LONG] });
    expect(exampleToObject(decoded)).toEqual(plain);
    expect(exampleToObject(encodeExample(decoded))).toEqual(plain);
    const numbers = decodeExample(records[0]!, { bytes: 'text', int64: 'number' });
    expect(exampleToObject(encodeExample(numbers))).toEqual(plain);
  });

  test('specs as JSON', () => {
    expect(specFromJSON(JSON.parse(JSON.stringify(specToJSON(TEXT))))).toEqual(TEXT);
    expect(specToJSON({ a: fixedLen([], 'text', { default: 'é' }) })).toEqual({
      a: { type: 'fixedLen', dtype: 'text', shape: [], default: 'é' },
    });
  });

  test('one key as bytes and as text', () => {
    const both = parseExample(records, {
      tags: varLen('text'),
      raw: sparse({ indexKey: 'at', valueKey: 'values', dtype: 'bytes', size: 3 }),
      text: sparse({ indexKey: 'at', valueKey: 'values', dtype: 'text', size: 3 }),
    });
    expect(both.text.values).toEqual(both.raw.values.texts());
  });
});

describe('tensors of text', () => {
  const { pair, tags, words } = parseExample(records, TEXT);

  test('convert and print', () => {
    expect(tags.toDense('-').data).toEqual(['one', '', LONG, '-', '-', '-']);
    expect(tags.toDense().data).toEqual(['one', '', LONG, '', '', '']);
    expect(words.toDense('.').toArray()).toEqual([
      [
        ['w', 'ww'],
        ['ß', '.'],
      ],
      [
        ['.', '.'],
        ['.', '.'],
      ],
    ]);
    expect(SparseTensor.fromDense(tags.toDense()).values).toEqual(['one', LONG]);
    expect(RaggedTensor.fromDense(tags.toDense(), { lengths: [1, 2] }).toArray()).toEqual([['one'], ['', '']]);
    expect([...pair].map((row) => row.data)).toEqual([
      ['a', 'ü'],
      ['日本', '\ufeffb\ufffd'],
    ]);
    expect(JSON.stringify(pair)).toBe('[["a","ü"],["日本","\ufeffb\ufffd"]]');
  });

  test('refuse what is no list of strings', () => {
    expect(() => new DenseTensor('text', [1], [1] as never)).toThrow(/array of strings/);
    expect(() => new DenseTensor('text', [1], BytesArray.from(['a']) as never)).toThrow(/array of strings/);
    expect(() => parseExample(records, BYTES, { bytes: 'texts' as never })).toThrow(/options.bytes/);
    expect(() => encodeExamples({ name: ['a', 1] } as never, { name: fixedLen([], 'text') })).toThrow(/name/);
  });
});

describe('datasets', () => {
  const source = () => Dataset.tfrecord(encodeRecords(records));

  test('rows, batches, padded batches, unbatched rows', async () => {
    expect(await all(source().parse(BYTES, { bytes: 'text' }))).toMatchObject([ROW, { name: '' }]);
    expect(await all(source().parse(TEXT).batch(2))).toEqual([BATCH]);
    expect(await all(source().batch(2).parse(BYTES, { bytes: 'text' }))).toEqual([BATCH]);
    expect(await all(source().batch(2).parse(TEXT).unbatch())).toMatchObject([{ name: 'Bern' }, { name: '' }]);
    const [padded] = await all(
      source()
        .parse({ tags: TEXT.tags, pair: TEXT.pair })
        .paddedBatch(2, { values: { tags: '_' } }),
    );
    expect(padded!.values).toEqual({
      tags: [
        ['one', '', LONG],
        ['_', '_', '_'],
      ],
      pair: BATCH.pair,
    });
    const examples = Dataset.examples(
      'unused',
      { id: BYTES.id, name: BYTES.name },
      { batch: 2, bytes: 'text', epochs: 1 },
    );
    expect(examples).toBeInstanceOf(Dataset);
  });

  test('a cache on disk gives the same rows again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tfr-text-'));
    try {
      for (const make of [
        () => source().parse(BYTES, { bytes: 'text' }).cache(join(folder, 'rows')),
        () =>
          source()
            .parse(TEXT)
            .map((row) => row)
            .cache(join(folder, 'values')),
      ]) {
        const first = await all(make());
        expect(first).toMatchObject([{ name: 'Bern', tags: ['one', '', LONG] }, { name: '' }]);
        expect(await all(make())).toEqual(first);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('BytesArray.texts()', () => {
  test('is the values as TextDecoder reads them, or the first that it refuses', () => {
    const chunk = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.string({ minLength: 60, maxLength: 70 }),
      fc.uint8Array({ maxLength: 4 }),
    );
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 300 }), fc.nat(3), (given, skipped) => {
        const values = given.map((value) => (typeof value === 'string' ? Buffer.from(value.toWellFormed()) : value));
        const array = BytesArray.from(values).subarray(skipped);
        const expected: string[] = [];
        let fault = -1;
        for (const [i, value] of values.slice(skipped).entries()) {
          try {
            expected.push(decoder.decode(value));
          } catch {
            fault = i;
            break;
          }
        }
        if (fault < 0) expect(array.texts()).toEqual(expected);
        else
          expect(thrown(() => array.texts())).toMatchObject({
            code: 'TFR_FEATURE',
            message: expect.stringContaining(`Value ${fault}:`),
          });
      }),
    );
  });

  test('neither shared memory nor overwritten offsets do harm', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(3));
    shared.set(Buffer.from('abc'));
    expect(new BytesArray(shared as never, Int32Array.of(0, 1, 3)).texts()).toEqual(['a', 'bc']);
    const broken = BytesArray.from(['a', 'b']);
    broken.offsets[1] = 77;
    expect(() => broken.texts()).toThrow(RangeError);
    const gone = BytesArray.from(['a', 'b']);
    structuredClone(gone.data, { transfer: [gone.data.buffer] });
    expect(() => gone.texts()).toThrow(TypeError);
    expect(BytesArray.from([]).texts()).toEqual([]);
  });
});
