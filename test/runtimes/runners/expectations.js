// Tests for Jest, ts-jest and Vitest: those named "right" pass, those named "wrong" fail. Each runner puts the imports
// before this text: `test`, `expect`, and the whole package as `tfrecord`.

const { BytesArray, DenseTensor, RaggedTensor, SparseTensor } = tfrecord;
const { fixedLen, int64, ragged, sparse, varLen } = tfrecord;

const SPEC = {
  id: fixedLen([], 'int64'),
  name: fixedLen([], 'bytes'),
  box: fixedLen([2], 'int64'),
  tags: varLen('bytes'),
  counts: varLen('int64'),
  grid: sparse({ indexKey: 'at', valueKey: 'v', dtype: 'int64', size: 9 }),
  cast: ragged({ dtype: 'bytes', valueKey: 'words', partitions: [{ by: 'rowLengths', key: 'sizes' }] }),
};
const recordOf = (id = 0) =>
  tfrecord.encodeExample({
    id: int64(id),
    name: `name ${id}`,
    box: int64([id, 2]),
    tags: ['a', `t${id}`],
    counts: int64([1, id]),
    at: int64([3, 4]),
    v: int64([id, 7]),
    words: ['w', 'x', `y${id}`],
    sizes: int64([1, 2]),
  });
const single = (id = 0) => tfrecord.parseSingleExample(recordOf(id), SPEC);

/** Reads row 5, among others. */
async function read() {
  const { records } = { records: tfrecord.encodeExamples(tfrecord.parseExample([4, 5, 6].map(recordOf), SPEC), SPEC) };
  for await (const row of tfrecord.Dataset.from([...records]).parse(SPEC)) if (row.id === 5n) return row;
  throw new Error('no row 5');
}

const literal = (id = 0) => ({
  id: BigInt(id),
  name: new Uint8Array(Buffer.from(`name ${id}`)),
  box: new DenseTensor('int64', [2], BigInt64Array.of(BigInt(id), 2n)),
  tags: BytesArray.from(['a', `t${id}`]),
  counts: BigInt64Array.of(1n, BigInt(id)),
  grid: new SparseTensor('int64', {
    values: BigInt64Array.of(BigInt(id), 7n),
    denseShape: [9],
    indices: BigInt64Array.of(3n, 4n),
  }),
  cast: new RaggedTensor(new DenseTensor('bytes', [3], BytesArray.from(['w', 'x', `y${id}`])), [
    Int32Array.of(0, 1, 3),
  ]),
});

test('right: a row is equal to a literal', async () => {
  const row = await read();
  expect(row).toEqual(literal(5));
  expect(row).toStrictEqual(literal(5));
  expect({ ...row }).toStrictEqual(literal(5));
  expect(row).toMatchObject({ id: 5n, tags: literal(5).tags });
});
test('right: a row is equal to that of another reader', async () => {
  expect(await read()).toEqual(single(5));
  expect(await read()).toStrictEqual(single(5));
});
test('right: rows and their parts differ from others', async () => {
  const row = await read();
  expect(row).not.toEqual(literal(4));
  expect(row).not.toEqual(single(6));
  expect(row).not.toEqual({});
  expect(row).not.toEqual({ ...literal(5), more: 1 });
  for (const name of Object.keys(SPEC)) expect(row).not.toEqual({ ...row, [name]: null });
});
test('right: keys, clones, JSON', async () => {
  const row = await read();
  expect(Object.keys(row)).toEqual(Object.keys(SPEC));
  expect(structuredClone(row).id).toBe(5n);
  expect(JSON.parse(JSON.stringify(row))).toMatchObject({
    id: '5',
    name: 'name 5',
    counts: ['1', '5'],
    box: ['5', '2'],
  });
});
test('wrong: a row and {}', async () => expect(await read()).toEqual({}));
test('wrong: a row and another, toEqual', async () => expect(await read()).toEqual(single(6)));
test('wrong: a row and another, toStrictEqual', async () => expect(await read()).toStrictEqual(single(6)));
test('wrong: a row and its literal, negated', async () => expect(await read()).not.toEqual(literal(5)));
for (const name of Object.keys(SPEC)) {
  test(`wrong: ${name} of another row`, async () =>
    expect(await read()).toEqual({
      ...literal(5),
      [name]: Object.entries(literal(6)).find(([key]) => key === name)?.[1],
    }));
  test(`wrong: no ${name}`, async () => {
    const others = Object.fromEntries(Object.entries(literal(5)).filter(([key]) => key !== name));
    expect(await read()).toEqual(others);
  });
}

const columns = (ids = [0]) => tfrecord.parseExample(ids.map(recordOf), SPEC);
test('right: batches', () => {
  expect(columns([4, 5])).toEqual(columns([4, 5]));
  expect(columns([4, 5])).toStrictEqual({ ...columns([4, 5]) });
  expect(columns([4, 5])).not.toEqual(columns([5, 4]));
  expect(columns([4, 5])).not.toEqual(columns([4]));
  expect(JSON.parse(JSON.stringify(columns([4, 5])))).toMatchObject({
    id: ['4', '5'],
    box: [
      ['4', '2'],
      ['5', '2'],
    ],
  });
});
test('wrong: a batch and {}', () => expect(columns([4, 5])).toEqual({}));
test('wrong: a batch in another order', () => expect(columns([4, 5])).toEqual(columns([5, 4])));
test('wrong: a batch of fewer rows', () => expect(columns([4, 5])).toEqual(columns([4])));
test('wrong: a batch without a column', () => {
  const { box: _, ...others } = columns([4, 5]);
  expect(columns([4, 5])).toEqual(others);
});

const tags = (...values) =>
  new SparseTensor('bytes', {
    values: BytesArray.from(values),
    denseShape: [2, 2],
    indices: BigInt64Array.of(0n, 0n, 0n, 1n, 1n, 0n),
  });
const listed = (...lists) =>
  tfrecord.parseExample(
    lists.map((values) => tfrecord.encodeExample({ tags: values })),
    { tags: varLen('bytes') },
  ).tags;
const scalar = (value) => new DenseTensor('float32', [], Float32Array.of(value));
test('right: tensors', () => {
  expect(listed(['a', 'b'], ['c'])).toEqual(tags('a', 'b', 'c'));
  expect(tags('a', 'b', 'c')).toStrictEqual(listed(['a', 'b'], ['c']));
  const asked = listed(['a', 'b'], ['c']);
  void asked.indices;
  expect(asked).toStrictEqual(listed(['a', 'b'], ['c']));
  expect(listed(['a', 'b'], ['c'])).not.toEqual(listed(['a'], ['b', 'c']));
  expect(BytesArray.from(['x', 'y', 'z']).subarray(1)).toStrictEqual(BytesArray.from(['y', 'z']));
  expect(scalar(1)).toEqual(scalar(1));
  expect(scalar(1)).not.toEqual(scalar(2));
});
test('wrong: values of another place', () => expect(listed(['a', 'b'], ['c'])).toEqual(listed(['a'], ['b', 'c'])));
test('wrong: other values', () => expect(listed(['a', 'b'], ['c'])).toEqual(tags('a', 'b', 'd')));
test('wrong: other bytes', () => expect(BytesArray.from(['x', 'y']).subarray(1)).toEqual(BytesArray.from(['x'])));
test('wrong: another shape', () =>
  expect(new DenseTensor('float32', [2, 1], Float32Array.of(1, 2))).toEqual(
    new DenseTensor('float32', [1, 2], Float32Array.of(1, 2)),
  ));
test('wrong: another cut', () =>
  expect(literal(5).cast).toEqual(new RaggedTensor(literal(5).cast.values, [Int32Array.of(0, 2, 3)])));
test('wrong: another scalar', () => expect(scalar(1)).toEqual(scalar(2)));
