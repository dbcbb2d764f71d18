import {
  BytesArray,
  DenseTensor,
  encodeExample,
  fixedLen,
  fixedLenSequence,
  float,
  int64,
  bytes,
  ragged,
  varLen,
} from '../../../../lib';
import { Dataset } from '../../../../lib/dataset';
import { comparable } from '../../../support/comparable';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { Folder } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

const repeated = (n: number): number[] => Array.from({ length: n }, () => n);
const ones = Dataset.from([1, 2, 3, 4].map(repeated));

const file = folder.write(
  'padding.tfrecord',
  Array.from({ length: 7 }, (_, i) =>
    encodeExample({
      label: int64(i),
      weight: float(i / 2),
      ids: int64(Array.from({ length: i % 4 }, (_, k) => 10 * i + k)),
      words: bytes(Array.from({ length: i % 3 }, (_, k) => `w${k}`)),
      pairs: float(Array.from({ length: 2 * (i % 2) }, (_, k) => k)),
    }),
  ),
);
const SPEC = {
  label: fixedLen([], 'int64'),
  weight: fixedLen([], 'float32'),
  ids: varLen('int64'),
  words: varLen('bytes'),
  pairs: fixedLenSequence([2], 'float32', { allowMissing: true }),
};

describe('paddedBatch', () => {
  test('pads to the longest of the batch, and tells the lengths', async () => {
    await expect(ones.paddedBatch(2).toArray()).resolves.toEqual([
      {
        values: [
          [1, 0],
          [2, 2],
        ],
        lengths: Int32Array.of(1, 2),
      },
      {
        values: [
          [3, 3, 3, 0],
          [4, 4, 4, 4],
        ],
        lengths: Int32Array.of(3, 4),
      },
    ]);
  });

  test('pads to a shape, with a value', async () => {
    const [first] = await ones.paddedBatch(2, { shape: 6, values: -1 }).toArray();
    expect(first?.values).toEqual([
      [1, -1, -1, -1, -1, -1],
      [2, 2, -1, -1, -1, -1],
    ]);
    const [second] = await ones
      .skip(2)
      .paddedBatch(2, { shape: [6], values: -1 })
      .toArray();
    expect(second?.lengths).toEqual(Int32Array.of(3, 4));
  });

  test('pads to a multiple', async () => {
    const batches = await ones.paddedBatch(2, { multipleOf: 3 }).toArray();
    expect(batches.map(({ values }) => values.map((row) => row.length))).toEqual([
      [3, 3],
      [6, 6],
    ]);
  });

  test('every dimension', async () => {
    const matrices = Dataset.from([[[1, 2, 3]], [[4], [5]]]);
    const [batch] = await matrices.paddedBatch(2).toArray();
    expect(batch).toEqual({
      values: [
        [
          [1, 2, 3],
          [0, 0, 0],
        ],
        [
          [4, 0, 0],
          [5, 0, 0],
        ],
      ],
      lengths: Int32Array.of(1, 2),
    });
    const [sized] = await matrices.paddedBatch(2, { shape: [null, 4], multipleOf: 3 }).toArray();
    expect(sized?.values).toEqual([
      [
        [1, 2, 3, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
      ],
      [
        [4, 0, 0, 0],
        [5, 0, 0, 0],
        [0, 0, 0, 0],
      ],
    ]);
    const [none] = await Dataset.from<number[]>([[], []]).paddedBatch(2).toArray();
    expect(none).toEqual({ values: [[], []], lengths: Int32Array.of(0, 0) });
  });

  test('typed arrays become tensors where there are such, objects stay objects', async () => {
    const rows = Dataset.from([
      { id: 'a', tokens: BigInt64Array.of(1n, 2n), mask: Int32Array.of(1), at: { x: Float32Array.of(1.5) } },
      { id: 'b', tokens: BigInt64Array.of(3n), mask: Int32Array.of(1, 1), at: { x: Float32Array.of() } },
    ]);
    const [batch] = await rows.paddedBatch(4, { values: { tokens: -1, 'at.x': 9 } }).toArray();
    expect(batch?.values.id).toEqual(['a', 'b']);
    expect(batch?.values.tokens).toBeInstanceOf(DenseTensor);
    expect(batch?.values.tokens.toArray()).toEqual([
      [1n, 2n],
      [3n, -1n],
    ]);
    expect(batch?.values.mask).toEqual({ shape: [2, 2], data: Int32Array.of(1, 0, 1, 1) });
    expect(batch?.values.at.x.toArray()).toEqual([[1.5], [9]]);
    expect(batch?.lengths).toEqual({
      tokens: Int32Array.of(2, 1),
      mask: Int32Array.of(1, 2),
      'at.x': Int32Array.of(1, 0),
    });
    const texts = await Dataset.from([BytesArray.from(['a']), BytesArray.from([])])
      .paddedBatch(2)
      .toArray();
    expect(texts.map(({ values }) => values.toArray())).toEqual([
      [[Buffer.from('a')], [Buffer.from('')]].map((row) => row.map((value) => new Uint8Array(value))),
    ]);
  });

  test('of parsed rows: single values are columns, sequences tensors', async () => {
    const batches = await Dataset.tfrecord(file).parse(SPEC).paddedBatch(4).toArray();
    const [first] = batches;
    expect(first?.values.label).toEqual(BigInt64Array.of(0n, 1n, 2n, 3n));
    expect(first?.values.weight).toEqual(Float32Array.of(0, 0.5, 1, 1.5));
    expect(first?.values.ids.toArray()).toEqual([
      [0n, 0n, 0n],
      [10n, 0n, 0n],
      [20n, 21n, 0n],
      [30n, 31n, 32n],
    ]);
    expect(first?.values.words.shape).toEqual([4, 2]);
    expect(first?.values.pairs.shape).toEqual([4, 1, 2]);
    expect(first?.lengths).toEqual({
      ids: Int32Array.of(0, 1, 2, 3),
      words: Int32Array.of(0, 1, 2, 0),
      pairs: Int32Array.of(0, 1, 0, 1),
    });
    const [numbers] = await Dataset.tfrecord(file)
      .parse({ ids: SPEC.ids }, { int64: 'number' })
      .paddedBatch(4)
      .toArray();
    expect(comparable(numbers?.values.ids)).toEqual({
      shape: [4, 3],
      data: [0, 0, 0, 10, 0, 0, 20, 21, 0, 30, 31, 32],
    });
    expect(numbers?.values.ids).toBeInstanceOf(DenseTensor);
  });

  test.each([0.5, 2 ** 53])('int64 as numbers are not padded with %p', async (value) => {
    const numbers = Dataset.tfrecord(file).parse({ ids: SPEC.ids }, { int64: 'number' });
    await expect(numbers.paddedBatch(4, { values: { ids: value } }).toArray()).rejects.toMatchObject({
      code: 'ERR_INVALID_ARG_VALUE',
      message: expect.stringMatching(/options\.values\.ids.*must be an integer within ±\(2\^53 - 1\)/) as string,
    });
  });

  test('what is longer than its shape is an error with name and record, or skipped', async () => {
    const parsed = Dataset.tfrecord(file).parse(SPEC);
    const batches = parsed.paddedBatch(2, { shape: { ids: 2 } });
    const given: unknown[] = [];
    const reading = (async () => {
      for await (const { values } of batches) given.push(values.label);
    })();
    await expect(reading).rejects.toMatchObject({
      code: 'TFR_FEATURE',
      feature: 'ids',
      file,
      record: 3,
      stage: 'paddedBatch',
      found: 'int64 of shape [3]',
    });
    expect(given).toEqual([BigInt64Array.of(0n, 1n), BigInt64Array.of(2n)]);
    const skipped = batches.onError({ action: 'skip', maxRate: 1 });
    expect((await skipped.toArray()).map(({ values }) => values.label)).toEqual([
      BigInt64Array.of(0n, 1n),
      BigInt64Array.of(2n, 4n),
      BigInt64Array.of(5n, 6n),
    ]);
    await expectResumes(skipped);
    await expect(batches.onError('stop').toArray()).resolves.toHaveLength(2);
  });

  test('holes of arrays are undefined, and move nothing', async () => {
    const holed = [1];
    holed[2] = 3;
    const [bare] = await Dataset.from([holed, [4]])
      .paddedBatch(2)
      .toArray();
    expect(bare?.values).toEqual([
      [1, undefined, 3],
      [4, 0, 0],
    ]);
    const [nested] = await Dataset.from([[holed, holed], [[4, 5, 6]]])
      .paddedBatch(2)
      .toArray();
    expect(nested?.values[0]).toEqual([
      [1, undefined, 3],
      [1, undefined, 3],
    ]);
  });

  test('what does not go together is an error that names both', async () => {
    const mixed = (values: unknown[]): Promise<unknown> => Dataset.from(values).paddedBatch(4).toArray();
    await expect(mixed([[1], [[1]]])).rejects.toMatchObject({ code: 'TFR_FEATURE', found: 'array of shape [1, 1]' });
    await expect(mixed([{ a: [1] }, { b: [1] }])).rejects.toMatchObject({ feature: 'a', found: 'nothing' });
    await expect(mixed([{ a: [1] }, { a: 1 }])).rejects.toMatchObject({ feature: 'a', found: 'a single value' });
    await expect(mixed([[[1], [1, 2]]])).rejects.toMatchObject({ found: 'nested arrays of different lengths' });
    const two = { 'a.b': [1], a: { b: [2] } };
    await expect(mixed([two])).rejects.toMatchObject({ code: 'TFR_FEATURE', feature: 'a.b' });
    const array: unknown[] = [[]];
    const object: Record<string, unknown> = { a: [1] };
    array[0] = object['self'] = array;
    await expect(mixed([array])).rejects.toMatchObject({ found: 'an array that holds itself' });
    object['self'] = { object };
    await expect(mixed([object])).rejects.toMatchObject({ found: 'an object that holds itself' });
    object['self'] = object['other'] = { b: [2] };
    await expect(mixed([object])).resolves.toMatchObject([{ values: { self: { b: [[2]] }, other: { b: [[2]] } } }]);
    await expect(
      Dataset.tfrecord(file)
        .parse({
          ids: ragged({ dtype: 'int64', valueKey: 'ids', partitions: [{ by: 'uniformRowLength', length: 1 }] }),
        })
        .paddedBatch(2)
        .toArray(),
    ).rejects.toMatchObject({ code: 'TFR_FEATURE', feature: 'ids', found: 'RaggedTensor' });
    await expect(ones.paddedBatch(2, { shape: { tokens: 3 } as never }).toArray()).rejects.toMatchObject({
      feature: 'tokens',
    });
  });

  test('resumes anywhere, whatever the chunks; the remainder can be left out', async () => {
    await expect(ones.paddedBatch(3, { dropRemainder: true }).toArray()).resolves.toHaveLength(1);
    for (const dataset of [ones.paddedBatch(3), Dataset.tfrecord(file).parse(SPEC).paddedBatch(3)]) {
      await expectResumes(dataset);
      await expectChunkInvariant(dataset);
    }
  });

  test('arguments are checked', () => {
    expect(() => ones.paddedBatch(2, true as never)).toThrow(/multipleOf/);
    expect(() => ones.paddedBatch(2, { shape: -1 })).toThrow(RangeError);
    expect(() => ones.paddedBatch(2, { shape: 'long' as never })).toThrow(TypeError);
    expect(() => ones.paddedBatch(2, { multipleOf: 0 })).toThrow(RangeError);
    expect(() => ones.paddedBatch(2, { values: null as never })).toThrow(TypeError);
  });
});

describe('bucketByLength', () => {
  const lengths = [2, 3, 4, 5, 1, 2, 3, 4];
  const options = { boundaries: [3, 5], batchSizes: [2, 2, 2] };
  const numbered = Dataset.range(1, 9).bucketByLength((n) => lengths[n - 1]!, options);

  test('a batch leaves when its bucket is full, the others at the end', async () => {
    const batches = await numbered.toArray();
    expect(batches.map(({ values }) => values)).toEqual([[2, 3], [1, 5], [7, 8], [6], [4]]);
    const full = Dataset.range(1, 9).bucketByLength((n) => lengths[n - 1]!, {
      ...options,
      dropRemainder: true,
    });
    expect((await full.toArray()).map(({ values }) => values)).toEqual([
      [2, 3],
      [1, 5],
      [7, 8],
    ]);
  });

  test('gives a batch as soon as it is there', async () => {
    let pulled = 0;
    const source = Dataset.from(async function* () {
      for (let i = 1; ; i++) {
        pulled = i;
        yield i;
      }
    }).bucketByLength(async (n) => Promise.resolve(lengths[(n - 1) % 8]!), options);
    const elements = source.iterate();
    await expect(elements.next()).resolves.toMatchObject({ value: { values: [2, 3] } });
    expect(pulled).toBeLessThan(8);
    await elements.return();
  });

  test('pads each bucket for itself', async () => {
    const batches = await Dataset.from(lengths.map(repeated))
      .bucketByLength((row) => row.length, options)
      .toArray();
    expect(batches[1]).toEqual({
      values: [
        [2, 2],
        [1, 0],
      ],
      lengths: Int32Array.of(2, 1),
    });
    expect(batches[4]).toEqual({ values: [[5, 5, 5, 5, 5]], lengths: Int32Array.of(5) });
  });

  test('resumes anywhere, whatever the chunks, with a small state', async () => {
    const states = await expectResumes(numbered);
    expect(Math.max(...states.map((state) => JSON.stringify(state).length))).toBeLessThan(400);
    await expectChunkInvariant(numbered);
    const many = Dataset.tfrecord(file)
      .repeat(6)
      .parse(SPEC)
      .bucketByLength(({ ids }) => ids.length, { boundaries: [1, 2], batchSizes: [3, 5, 4] });
    await expectResumes(many);
    await expectChunkInvariant(many);
    const faulty = Dataset.range(40)
      .map((n) => repeated(n % 7))
      .bucketByLength(
        (row) => {
          if (row.length === 5) throw new Error('five');
          return row.length;
        },
        { boundaries: [2, 6], batchSizes: [2, 3, 2], shape: 5 },
      )
      .onError({ action: 'skip', maxRate: 1 });
    await expectResumes(faulty);
    expect((await faulty.toArray()).flatMap(({ values }) => values)).toHaveLength(30);
  });

  test('what does not go together with the rest of its bucket is not given behind that', async () => {
    const rows = [[1], [1, 2, 3], [[2]], [2], [[3]], [4, 5]];
    const mixed = Dataset.from(rows).bucketByLength((row) => row.length, { boundaries: [2], batchSizes: [9, 9] });
    const [skipped, stopped] = [mixed.onError({ action: 'skip', maxRate: 1 }), mixed.onError('stop')];
    await expect(skipped.toArray()).resolves.toHaveLength(2);
    for (const dataset of [mixed, skipped, stopped]) await expectResumes(dataset);
  });

  test('arguments and results are checked', async () => {
    const bucket = (given: object): unknown => Dataset.range(3).bucketByLength((n) => n, given as never);
    expect(() => bucket({ boundaries: [3, 3], batchSizes: [1, 1, 1] })).toThrow(/more than the one before/);
    expect(() => bucket({ boundaries: [3], batchSizes: [1] })).toThrow(/2 sizes/);
    expect(() => bucket({ boundaries: [3], batchSizes: [1, 0] })).toThrow(RangeError);
    expect(() => bucket({})).toThrow(TypeError);
    await expect(
      Dataset.range(3)
        .bucketByLength(() => 'long' as never, options)
        .toArray(),
    ).rejects.toMatchObject({ code: 'TFR_USER', cause: { code: 'ERR_INVALID_ARG_TYPE' } });
  });
});
