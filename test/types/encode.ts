/** The types of encoding. Nothing here runs: it must compile, and each `@ts-expect-error` must mark an error. */
import { expectTypeOf } from 'expect-type';
import {
  BytesArray,
  DenseTensor,
  RaggedTensor,
  SparseTensor,
  bytes,
  decodeExample,
  decodeSequenceExample,
  encodeExample,
  encodeExamples,
  encodeSequenceExample,
  exampleEncoder,
  exampleToObject,
  fixedLen,
  fixedLenSequence,
  float,
  int64,
  parseExample,
  ragged,
  rowsOf,
  sequenceExampleToObject,
  sparse,
  varLen,
  writeRecords,
  type RecordWriter,
  type Batch,
  type Bytes,
  type Element,
  type Feature,
  type FeatureLike,
  type FeatureOf,
  type PlainKindedExample,
  type Spec,
  type RecordBatch,
} from 'tfrecord-native';

const spec = {
  id: fixedLen([], 'int64'),
  image: fixedLen([2, 3], 'float32', { default: [0, 0, 0, 0, 0, 0] }),
  name: fixedLen([], 'bytes', { default: '?' }),
  tags: varLen('bytes'),
  steps: fixedLenSequence([2], 'int64', { allowMissing: true }),
  grid: sparse({ indexKey: ['row', 'col'], valueKey: 'amt', dtype: 'float32', size: [4, 2] }),
  words: ragged({ dtype: 'bytes', valueKey: 'v', partitions: [{ by: 'rowLengths', key: 'len' }] }),
};
declare const batch: Batch<typeof spec>;
declare const numberBatch: Batch<typeof spec, 'number'>;
declare const element: Element<typeof spec>;
declare const records: Uint8Array[];

// ---- columns -------------------------------------------------------------------------------------------------------
expectTypeOf(encodeExamples(batch, spec)).toEqualTypeOf<RecordBatch>();
encodeExamples(numberBatch, spec);
expectTypeOf(encodeExamples(batch, spec, { reuse: encodeExamples(batch, spec) })).toEqualTypeOf<RecordBatch>();
encodeExamples(batch, spec, { reuse: undefined });
// @ts-expect-error -- bytes are no batch
encodeExamples(batch, spec, { reuse: new Uint8Array(3) });
// @ts-expect-error -- no such option
encodeExamples(batch, spec, { reused: undefined });
encodeExamples(parseExample(records, spec), spec);
encodeExamples(parseExample(records, spec, { int64: 'number' }), spec);
const id = new BigInt64Array(2);
encodeExamples({ id }, spec);
encodeExamples({ id: new Float64Array(2) }, spec);
encodeExamples(
  {
    id,
    image: new DenseTensor('float32', [2, 2, 3] as const, new Float32Array(12)),
    name: BytesArray.from(['a', 'b']),
    tags: new SparseTensor('bytes', {
      values: BytesArray.from(['x']),
      denseShape: [2, 1],
      rowSplits: [Int32Array.of(0, 1, 1)],
    }),
    steps: new DenseTensor('int64', [2, 1, 2] as const, new BigInt64Array(4)),
    grid: new SparseTensor('float32', {
      values: new Float32Array(0),
      denseShape: [2, 4, 2],
      indices: new BigInt64Array(0),
    }),
    words: new RaggedTensor(new DenseTensor('bytes', [0], BytesArray.from([])), [
      Int32Array.of(0, 0, 0),
      Int32Array.of(0),
    ]),
  },
  spec,
);
for (const record of encodeExamples(batch, spec)) expectTypeOf(record).toEqualTypeOf<Bytes>();
void writeRecords('a.tfrecord', encodeExamples(batch, spec));
declare const writer: RecordWriter;
void writer.writeBatch(encodeExamples(batch, spec));
// @ts-expect-error: a misspelt feature
encodeExamples({ id, nmae: BytesArray.from(['a']) }, spec);
// @ts-expect-error: floats for integers
encodeExamples({ id: new Float32Array(2) }, spec);
// @ts-expect-error: a list is no column
encodeExamples({ id: [1n, 2n] }, spec);
// All rows, flat.
encodeExamples({ id, image: new Float32Array(12) }, spec);
// @ts-expect-error: flat, but of another type
encodeExamples({ id, image: new BigInt64Array(12) }, spec);
// @ts-expect-error: another inner shape
encodeExamples({ id, image: new DenseTensor('float32', [2, 6] as const, new Float32Array(12)) }, spec);
// @ts-expect-error: another type of values
encodeExamples({ id, image: new DenseTensor('int64', [2, 2, 3] as const, new BigInt64Array(12)) }, spec);
// @ts-expect-error: strings are no BytesArray
encodeExamples({ id, name: ['a', 'b'] }, spec);
// @ts-expect-error: dense for varLen
encodeExamples({ id, tags: BytesArray.from(['a', 'b']) }, spec);
// @ts-expect-error: sparse for ragged
encodeExamples({ id, words: batch.tags }, spec);
// @ts-expect-error: one record's values
encodeExamples(element, spec);
// @ts-expect-error: no spec
encodeExamples(batch);

// ---- rows ----------------------------------------------------------------------------------------------------------
const encode = exampleEncoder(spec);
expectTypeOf(encode).returns.toEqualTypeOf<Bytes>();
encode(element);
for (const row of rowsOf(batch, spec)) encode(row);
encode({ id: 7, tags: ['x'], words: [['a'], []] });
// @ts-expect-error: a misspelt feature
encode({ id: 7, tag: ['x'] });
// @ts-expect-error: no row
encode();
encode({ id: 7n, name: 'x' });
encode({ id: '7', name: null });
encode({
  id: ['7'],
  tags: ['a', { base64: '/w==' }],
  grid: { indices: [[0, 1]], values: [1, 'NaN'], denseShape: [4, 2] },
});
// @ts-expect-error: text for an int64
encode({ id: 'one' });
// @ts-expect-error: a number for bytes
encode({ id: 7, name: 1 });
// @ts-expect-error: numbers for bytes
encode({ id: 7, tags: [1] });
// @ts-expect-error: numbers in the rows of bytes
encode({ id: 7, words: [[1]] });
const encodeAll = exampleEncoder({
  box: fixedLen([2, 2], 'float32'),
  steps: fixedLenSequence([], 'int64', { allowMissing: true }),
  grid: sparse({ indexKey: 'i', valueKey: 'v', dtype: 'int64', size: 3 }),
});
encodeAll({
  box: [
    [1, 2],
    [3, 4],
  ],
  steps: [1, 2n, true],
});
encodeAll({ box: new Float64Array(4), steps: new Int32Array(2) });
encodeAll({ box: new DenseTensor('float32', [2, 2], new Float32Array(4)), steps: new Float64Array(1) });
// @ts-expect-error: a tensor of another type
encodeAll({ box: new DenseTensor('int64', [2, 2], new BigInt64Array(4)) });
// @ts-expect-error: a list for a sparse tensor
encodeAll({ grid: [1, 2] });
// @ts-expect-error: bigints for float32
encodeAll({ box: new BigInt64Array(4) });
// An unknown spec takes any values.
declare const someSpec: Spec;
exampleEncoder(someSpec)({ a: 1, b: 'text', c: [[0.5]] });

declare const feature: Feature;
if (feature.kind === 'int64') expectTypeOf(feature.values).toEqualTypeOf<BigInt64Array>();
else if (feature.kind === 'float') expectTypeOf(feature.values).toEqualTypeOf<Float32Array>();
else expectTypeOf(feature.values).toEqualTypeOf<BytesArray>();
// @ts-expect-error: values of another kind
const otherKind: Feature = { kind: 'int64', values: new Float32Array(1) };
void otherKind;

// ---- features ------------------------------------------------------------------------------------------------------
expectTypeOf(int64(1)).toEqualTypeOf<FeatureOf<'int64'>>();
expectTypeOf(int64(1)).toExtend<Feature>();
expectTypeOf(float([0.5])).toExtend<FeatureLike>();
expectTypeOf(encodeExample({ none: [], a: 1n, b: true, c: 'text', d: float(1), e: bytes([]) })).toEqualTypeOf<Bytes>();
expectTypeOf(
  encodeSequenceExample({ context: { id: 1n }, featureLists: { words: ['a', int64([]), []] } }),
).toEqualTypeOf<Bytes>();
expectTypeOf(encodeExample(decodeExample(encodeExample({ none: [] })))).toEqualTypeOf<Bytes>();
expectTypeOf(encodeSequenceExample(decodeSequenceExample(new Uint8Array(0)))).toEqualTypeOf<Bytes>();
// @ts-expect-error: a number may be int64 or float
encodeExample({ a: 1 });
expectTypeOf(encodeExample({ a: 1, b: [0.5, 1], c: undefined }, { numbers: 'infer' })).toEqualTypeOf<Bytes>();
encodeSequenceExample({ context: { a: 1 }, featureLists: { b: [1, [2]], c: undefined } }, { numbers: 'int64' });
// @ts-expect-error: the option does not say what numbers are
encodeExample({ a: 1 }, {});
// @ts-expect-error: TensorFlow has no double features
encodeExample({ a: 1 }, { numbers: 'double' });
// @ts-expect-error: a list of numbers and text
encodeExample({ a: [1, 'a'] }, { numbers: 'infer' });
// @ts-expect-error: so may a list of numbers
encodeExample({ a: [1, 2] });
encodeExample({ a: null });
// @ts-expect-error: digits only
encodeExample({ a: { int64: ['one'] } });
encodeExample(exampleToObject(records[0]!, { kinds: true }));
encodeSequenceExample(sequenceExampleToObject(records[0]!, { kinds: true }));
expectTypeOf(exampleToObject(records[0]!, { kinds: true })).toEqualTypeOf<PlainKindedExample>();
// @ts-expect-error: kinds gives all values one form
exampleToObject(records[0]!, { kinds: true, int64: 'bigint' });
// @ts-expect-error: text is no integer
int64('1');
// @ts-expect-error: nor is a float one of bytes
bytes(1.5);
// @ts-expect-error: a bigint is no float
float(1n);
// @ts-expect-error: lists of steps
encodeSequenceExample({ featureLists: { words: 1n } });
// @ts-expect-error: another name for the lists
encodeSequenceExample({ lists: {} });
