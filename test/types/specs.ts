/**
 * The types of tensors and specs, and the types of values that follow from specs. Nothing here runs: it must compile,
 * and each `@ts-expect-error` must mark an error.
 */
import { expectTypeOf } from 'expect-type';
import {
  BytesArray,
  Dataset,
  DenseTensor,
  NullableColumn,
  RaggedTensor,
  SparseTensor,
  decodeExample,
  encodeExample,
  exampleParser,
  fixedLen,
  fixedLenSequence,
  parseSingleExample,
  ragged,
  readExamples,
  readSequenceExamples,
  rowsOf,
  sequenceExampleParser,
  sparse,
  specFromJSON,
  specToJSON,
  varLen,
  type Batch,
  type Bytes,
  type ContextSpec,
  type DType,
  type Element,
  type ExampleParser,
  type FixedLen,
  type FixedLenSequence,
  type NoFeatures,
  type Partition,
  type Ragged,
  type SequenceElement,
  type SequenceExampleParser,
  type SequenceLengths,
  type SequenceSpec,
  type Shape,
  type Spec,
  type ToObject,
} from 'tfrecord-native';

const spec = {
  id: fixedLen([], 'int64'),
  image: fixedLen([28, 28], 'float32', { default: [0] }),
  name: fixedLen([], 'bytes', { default: '?' }),
  tags: varLen('bytes'),
  scores: fixedLenSequence([], 'float32', { allowMissing: true, default: -1 }),
  boxes: fixedLenSequence([4], 'float32', { allowMissing: true }),
  ratings: sparse({ indexKey: 'movie', valueKey: 'stars', dtype: 'float32', size: 4 }),
  grid: sparse({ indexKey: ['row', 'col'], valueKey: 'amt', dtype: 'int64', size: [4, 2], alreadySorted: true }),
  words: ragged({ dtype: 'int64' }),
  rows: ragged({ dtype: 'bytes', valueKey: 'v', partitions: [{ by: 'rowLengths', key: 'len' }] }),
};
declare const element: Element<typeof spec>;
declare const numbers: Element<typeof spec, 'number'>;
declare const batch: Batch<typeof spec>;
declare const numberBatch: Batch<typeof spec, 'number'>;

// ---- text ----------------------------------------------------------------------------------------------------------
const texts = {
  name: fixedLen([], 'text', { default: '?' }),
  pair: fixedLen([2], 'text'),
  tags: varLen('text'),
};
declare const inText: Element<typeof spec, 'bigint', 'text'>;
declare const batchInText: Batch<typeof spec, 'number', 'text'>;
expectTypeOf<Element<typeof texts>>().toEqualTypeOf<{
  name: string;
  pair: DenseTensor<'text', readonly [2]>;
  tags: string[];
}>();
expectTypeOf<Batch<typeof texts>['name']>().toEqualTypeOf<string[]>();
expectTypeOf(inText.id).toEqualTypeOf<bigint>();
expectTypeOf(inText.name).toEqualTypeOf<string>();
expectTypeOf(inText.tags).toEqualTypeOf<string[]>();
expectTypeOf(inText.rows.dtype).toEqualTypeOf<'text'>();
expectTypeOf(batchInText.name).toEqualTypeOf<string[]>();
expectTypeOf(batchInText.tags).toEqualTypeOf<SparseTensor<'text', 'number'>>();
expectTypeOf(batchInText.id).toEqualTypeOf<Float64Array<ArrayBuffer>>();
expectTypeOf(parseSingleExample(new Uint8Array(), spec, { bytes: 'text' }).name).toEqualTypeOf<string>();
expectTypeOf(readExamples('f', spec, { bytes: 'text' })).toExtend<AsyncIterable<{ name: string; tags: string[] }>>();
const decoded = decodeExample(new Uint8Array(), { bytes: 'text' })['a'];
if (decoded?.kind === 'bytes') expectTypeOf(decoded.values).toEqualTypeOf<string[]>();
if (decoded?.kind === 'int64') expectTypeOf(decoded.values).toEqualTypeOf<BigInt64Array>();
expectTypeOf(Dataset.tfrecord('f').parse(spec, { bytes: 'text' })).toExtend<
  Dataset<{ name: string }, { name: string[] }>
>();
encodeExample(decodeExample(new Uint8Array(), { bytes: 'text', int64: 'number' }));

// ---- parsers of one spec -------------------------------------------------------------------------------------------
const parser = exampleParser(spec);
expectTypeOf(parser).toEqualTypeOf<ExampleParser<typeof spec>>();
expectTypeOf(parser.parse).returns.toEqualTypeOf<Element<typeof spec> & ToObject>();
expectTypeOf(parser.parseBatch).returns.toEqualTypeOf<Batch<typeof spec> & ToObject>();
expectTypeOf(parser.parse(new Uint8Array()).image).toEqualTypeOf<DenseTensor<'float32', readonly [28, 28]>>();
const textParser = exampleParser(spec, { int64: 'number', bytes: 'text' });
expectTypeOf(textParser.parse(new Uint8Array()).name).toEqualTypeOf<string>();
expectTypeOf(textParser.parseBatch([new Uint8Array()]).id).toEqualTypeOf<Float64Array<ArrayBuffer>>();
// @ts-expect-error the spec has no such feature
parser.parse(new Uint8Array()).nothing;
// @ts-expect-error no such option
exampleParser(spec, { text: true });
// @ts-expect-error the parser of a SequenceExample takes { context, sequence }
sequenceExampleParser(spec);
const sequenceParser = sequenceExampleParser(
  { sequence: { steps: fixedLenSequence([], 'int64') } },
  { int64: 'number' },
);
expectTypeOf(sequenceParser).toEqualTypeOf<
  SequenceExampleParser<NoFeatures, { steps: FixedLenSequence<'int64', readonly []> }, 'number'>
>();
expectTypeOf(sequenceParser.parse(new Uint8Array()).sequence.steps).toEqualTypeOf<Float64Array<ArrayBuffer>>();
expectTypeOf(sequenceParser.parseBatch([]).lengths.steps).toEqualTypeOf<Int32Array<ArrayBuffer>>();

for (const { id, name } of rowsOf(batchInText, spec)) {
  expectTypeOf(id).toEqualTypeOf<number>();
  expectTypeOf(name).toEqualTypeOf<string>();
}

// ---- features ------------------------------------------------------------------------------------------------------
expectTypeOf(spec).toExtend<Spec>();
expectTypeOf(spec.image).toEqualTypeOf<FixedLen<'float32', readonly [28, 28]>>();
expectTypeOf(spec.image.shape).toEqualTypeOf<readonly [28, 28]>();
expectTypeOf(spec.words).toEqualTypeOf<Ragged<'int64', readonly []>>();
expectTypeOf(spec.rows.partitions[0].by).toEqualTypeOf<'rowLengths'>();
expectTypeOf(specToJSON(spec)['id']?.dtype).toEqualTypeOf<DType | undefined>();
expectTypeOf(specFromJSON({})).toEqualTypeOf<Spec>();
fixedLen([2], 'int64', { default: [1n, 2] });
fixedLen([], 'int64', { default: true });
fixedLen([], 'bytes', { default: new Uint8Array(1) });
fixedLen([], 'int64', { default: undefined });
// @ts-expect-error no such type
varLen('string');
// @ts-expect-error a shape is a list
fixedLen(2, 'int64');
// @ts-expect-error an unknown dimension
fixedLen([null, 2], 'int64');
// @ts-expect-error text is no int64
fixedLen([], 'int64', { default: 'x' });
// @ts-expect-error a bigint is no float32
fixedLen([], 'float32', { default: 1n });
// @ts-expect-error no such option
fixedLen([], 'float32', { defaultValue: 1 });
// @ts-expect-error padding is one value
fixedLenSequence([], 'int64', { default: [1] });
// @ts-expect-error one key, two sizes
sparse({ indexKey: 'i', valueKey: 'v', dtype: 'int64', size: [1, 2] });
// @ts-expect-error two keys, one size
sparse({ indexKey: ['i', 'j'], valueKey: 'v', dtype: 'int64', size: 1 });
// @ts-expect-error no value key
sparse({ indexKey: 'i', dtype: 'int64', size: 1 });
// @ts-expect-error a partition needs its key
ragged({ dtype: 'int64', partitions: [{ by: 'rowLengths' }] });
// @ts-expect-error a uniform partition has a length
ragged({ dtype: 'int64', partitions: [{ by: 'uniformRowLength', key: 'n' }] });
// @ts-expect-error no such splits
ragged({ dtype: 'int64', rowSplitsDtype: 'int16' });
// @ts-expect-error what only looks like a feature is none
const lookalike: Spec = { a: { dtype: 'int64', shape: [] } };
void lookalike;
// @ts-expect-error a feature cannot be changed
spec.id.dtype = 'int64';

// ---- one record ----------------------------------------------------------------------------------------------------
expectTypeOf(element.id).toEqualTypeOf<bigint>();
expectTypeOf(element.image).toEqualTypeOf<DenseTensor<'float32', readonly [28, 28]>>();
expectTypeOf(element.image.data).toEqualTypeOf<Float32Array<ArrayBuffer>>();
expectTypeOf(element.name).toEqualTypeOf<Bytes>();
expectTypeOf(element.tags).toEqualTypeOf<BytesArray>();
expectTypeOf(element.scores).toEqualTypeOf<Float32Array<ArrayBuffer>>();
expectTypeOf(element.boxes).toEqualTypeOf<DenseTensor<'float32', readonly [number, 4]>>();
expectTypeOf(element.ratings).toEqualTypeOf<SparseTensor<'float32'>>();
expectTypeOf(element.grid.values).toEqualTypeOf<BigInt64Array<ArrayBuffer>>();
expectTypeOf(element.words).toEqualTypeOf<BigInt64Array<ArrayBuffer>>();
expectTypeOf(element.rows).toEqualTypeOf<RaggedTensor<'bytes', Shape>>();
expectTypeOf(numbers.id).toEqualTypeOf<number>();
expectTypeOf(numbers.words).toEqualTypeOf<Float64Array<ArrayBuffer>>();
expectTypeOf(numbers.grid.values).toEqualTypeOf<Float64Array<ArrayBuffer>>();
expectTypeOf(numbers.image).toEqualTypeOf<DenseTensor<'float32', readonly [28, 28], 'number'>>();
// @ts-expect-error a misspelt feature
element.imgae;
// @ts-expect-error an int64 is a bigint
element.id + 1;
// @ts-expect-error bytes are no text
element.name.toUpperCase();
// @ts-expect-error a column is no list of strings
element.tags.join();
// @ts-expect-error a tensor is no array
element.image[0];
// @ts-expect-error one value, no column
element.id.length;

// ---- a batch -------------------------------------------------------------------------------------------------------
expectTypeOf(batch.id).toEqualTypeOf<BigInt64Array<ArrayBuffer>>();
expectTypeOf(batch.image).toEqualTypeOf<DenseTensor<'float32', readonly [number, 28, 28]>>();
expectTypeOf(batch.name).toEqualTypeOf<BytesArray>();
expectTypeOf(batch.tags).toEqualTypeOf<SparseTensor<'bytes'>>();
expectTypeOf(batch.scores).toEqualTypeOf<DenseTensor<'float32', readonly [number, number]>>();
expectTypeOf(batch.boxes.shape).toEqualTypeOf<readonly [number, number, 4]>();
expectTypeOf(batch.grid.indices).toEqualTypeOf<BigInt64Array>();
expectTypeOf(batch.words).toEqualTypeOf<RaggedTensor<'int64', Shape>>();
expectTypeOf(numberBatch.id).toEqualTypeOf<Float64Array<ArrayBuffer>>();
expectTypeOf(batch.tags.toDense('')).toEqualTypeOf<DenseTensor<'bytes', Shape>>();
// @ts-expect-error a misspelt feature
batch.ids;
// @ts-expect-error a column of bigint
batch.id[0] = 1;
// @ts-expect-error padding of another type
batch.tags.toDense(0);
// @ts-expect-error a varLen column is sparse
batch.tags.data;

// ---- SequenceExamples ----------------------------------------------------------------------------------------------
const sequence = {
  tokens: fixedLenSequence([], 'int64'),
  emb: varLen('float32'),
  parts: ragged({ dtype: 'bytes' }),
};
expectTypeOf(sequence).toExtend<SequenceSpec>();
expectTypeOf<keyof SequenceLengths<typeof sequence>>().toEqualTypeOf<'tokens'>();
expectTypeOf<SequenceElement<typeof sequence>>().toEqualTypeOf<{
  tokens: BigInt64Array<ArrayBuffer>;
  emb: SparseTensor<'float32'>;
  parts: RaggedTensor<'bytes', Shape>;
}>();
const context = { lang: fixedLen([], 'bytes'), tags: varLen('bytes') };
expectTypeOf(context).toExtend<ContextSpec>();
// @ts-expect-error sparse reads Examples only
const sparseContext: ContextSpec = { a: spec.ratings };
// @ts-expect-error fixedLenSequence is for feature lists
const listContext: ContextSpec = { a: spec.scores };
// @ts-expect-error a feature list has steps
const fixedSequence: SequenceSpec = { a: spec.id };
void sparseContext;
void listContext;
void fixedSequence;

const captions = readSequenceExamples('x', { context, sequence: { words: fixedLenSequence([], 'bytes') } });
async function sequences(): Promise<void> {
  for await (const row of captions) {
    expectTypeOf(row.context.lang).toEqualTypeOf<Bytes>();
    expectTypeOf(row.sequence.words).toEqualTypeOf<BytesArray>();
    // @ts-expect-error no such list
    void row.sequence.word;
  }
  for await (const { sequence, lengths } of captions.batches(8)) {
    expectTypeOf(sequence.words).toEqualTypeOf<DenseTensor<'bytes', readonly [number, number]>>();
    expectTypeOf(lengths).toEqualTypeOf<SequenceLengths<{ words: FixedLenSequence<'bytes', readonly []> }>>();
  }
}
void sequences;
// @ts-expect-error features stand in a context, or in a sequence
readSequenceExamples('x', { lang: fixedLen([], 'bytes') });

// ---- tensors -------------------------------------------------------------------------------------------------------
const dense = new DenseTensor('float32', [2, 3], new Float32Array(6));
expectTypeOf(dense).toEqualTypeOf<DenseTensor<'float32', readonly [2, 3]>>();
for (const row of dense) expectTypeOf(row).toEqualTypeOf<DenseTensor<'float32', readonly [3]>>();
for (const row of dense) for (const value of row) expectTypeOf(value).toEqualTypeOf<number>();
for (const value of new BytesArray(new Uint8Array(1), new Int32Array(1))) expectTypeOf(value).toEqualTypeOf<Bytes>();
for (const [index, value] of batch.grid) {
  expectTypeOf(index).toEqualTypeOf<number[]>();
  expectTypeOf(value).toEqualTypeOf<bigint>();
}
expectTypeOf(SparseTensor.fromDense(dense)).toEqualTypeOf<SparseTensor<'float32'>>();
expectTypeOf(RaggedTensor.fromDense(dense, { padding: 0 })).toEqualTypeOf<RaggedTensor<'float32', Shape>>();
expectTypeOf<Partition['by']>().toExtend<string>();
// @ts-expect-error data of another type
new DenseTensor('int64', [1], new Float32Array(1));
// @ts-expect-error a tensor cannot be changed
dense.shape = [3, 2];

// ---- single values that records may lack ---------------------------------------------------------------------------
const nullable = {
  n: fixedLen([], 'int64', { default: null }),
  b: fixedLen([], 'bytes', { default: null }),
};
expectTypeOf<Element<typeof nullable>>().toEqualTypeOf<{ n: bigint | null; b: Bytes | null }>();
expectTypeOf<Element<typeof nullable, 'number', 'text'>>().toEqualTypeOf<{ n: number | null; b: string | null }>();
expectTypeOf<Batch<typeof nullable>>().toEqualTypeOf<{ n: NullableColumn<'int64'>; b: NullableColumn<'bytes'> }>();
expectTypeOf<Batch<typeof nullable, 'number', 'text'>>().toEqualTypeOf<{
  n: NullableColumn<'int64', 'number'>;
  b: NullableColumn<'text', 'number'>;
}>();
declare const nullableBatch: Batch<typeof nullable>;
expectTypeOf(nullableBatch.n.at(0)).toEqualTypeOf<bigint | null | undefined>();
expectTypeOf(nullableBatch.n.values).toEqualTypeOf<BigInt64Array<ArrayBuffer>>();
expectTypeOf(nullableBatch.n.toArray()).toEqualTypeOf<(bigint | null)[]>();
expectTypeOf(nullableBatch.n.toObject({ int64: 'string' })).toEqualTypeOf<(string | null)[]>();
for (const row of rowsOf(nullableBatch, nullable)) expectTypeOf(row.n).toEqualTypeOf<bigint | null>();
expectTypeOf(parseSingleExample(new Uint8Array(0), nullable).toObject().n).toEqualTypeOf<number | null>();
expectTypeOf(fixedLen([], 'float32', { default: 1 })).toEqualTypeOf<FixedLen<'float32', readonly []>>();
expectTypeOf(nullable.n).toExtend<Spec[string]>();
fixedLen([2], 'float32', { default: Float32Array.of(1, 2) });
// @ts-expect-error null is for single values
fixedLen([2], 'float32', { default: null });
// @ts-expect-error a feature list is not nullable
readSequenceExamples('x', { sequence: nullable });
