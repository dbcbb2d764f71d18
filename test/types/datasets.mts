/** The types of datasets. Nothing here runs: it compiles, and each `@ts-expect-error` is an error. */
import { expectTypeOf } from 'expect-type';
import {
  Dataset,
  fixedLen,
  fixedLenSequence,
  RecordBatch as RecordBatchValue,
  varLen,
  type Batch,
  type Bytes,
  type BytesArray,
  type DatasetIterator,
  type DatasetState,
  type DenseTensor,
  type Element,
  type ElementContext,
  type RecordBatch,
  type SharedRecords,
  type SparseTensor,
  type WorkerContext,
  type WorkerFunction,
} from 'tfrecord-native';

const spec = { image: fixedLen([28, 28, 1], 'float32'), label: fixedLen([], 'int64'), tags: varLen('bytes') };
type Row = Element<typeof spec>;
type Columns = Batch<typeof spec>;

// ---- sources -------------------------------------------------------------------------------------------------------
const records = Dataset.tfrecord('train-*.tfrecord', { compression: 'gzip' });
expectTypeOf(records).toEqualTypeOf<Dataset<Bytes, RecordBatch>>();
expectTypeOf(Dataset.files(['a', new URL('file:///b')])).toEqualTypeOf<Dataset<string>>();
expectTypeOf(Dataset.from([1, 2])).toEqualTypeOf<Dataset<number>>();
expectTypeOf(Dataset.range(3)).toEqualTypeOf<Dataset<number>>();
// @ts-expect-error -- belongs to iterate()
Dataset.tfrecord('a', { signal: new AbortController().signal });
// @ts-expect-error -- not an iterable
Dataset.from(5);

// ---- a dataset knows its batched form ------------------------------------------------------------------------------
expectTypeOf(records.batch(8)).toEqualTypeOf<Dataset<RecordBatch>>();
const parsed = records.parse(spec);
expectTypeOf(parsed).toEqualTypeOf<Dataset<Row, Columns>>();
expectTypeOf(parsed.batch(8)).toEqualTypeOf<Dataset<Columns>>();
expectTypeOf(records.batch(8).parse(spec)).toEqualTypeOf<Dataset<Columns>>();
expectTypeOf(
  parsed
    .filter((row) => row.label === 1n)
    .shuffle(10)
    .take(5)
    .repeat()
    .skip(1)
    .prefetch(2)
    .cache('folder')
    .onError('skip')
    .seed(1n)
    .batch(2),
).toEqualTypeOf<Dataset<Columns>>();
expectTypeOf(records.parse(spec, { int64: 'number' })).toEqualTypeOf<
  Dataset<Element<typeof spec, 'number'>, Batch<typeof spec, 'number'>>
>();
// @ts-expect-error -- only records can be parsed
Dataset.range(3).parse(spec);

for await (const batch of parsed.batch(256)) {
  expectTypeOf(batch.label).toEqualTypeOf<BigInt64Array<ArrayBuffer>>();
  expectTypeOf(batch.image).toEqualTypeOf<DenseTensor<'float32', readonly [number, 28, 28, 1], 'bigint'>>();
  expectTypeOf(batch.tags).toEqualTypeOf<SparseTensor<'bytes'>>();
  // @ts-expect-error -- a feature that is misspelt
  void batch.lable;
}
for await (const row of parsed) {
  expectTypeOf(row.label).toEqualTypeOf<bigint>();
  expectTypeOf(row.tags).toEqualTypeOf<BytesArray>();
  // @ts-expect-error -- a bigint is no number
  const label: number = row.label;
  void label;
}
const sequences = records.parseSequence({
  context: { length: fixedLen([], 'int64') },
  sequence: { tokens: fixedLenSequence([], 'int64') },
});
for await (const { context, sequence } of sequences) {
  expectTypeOf(context.length).toEqualTypeOf<bigint>();
  expectTypeOf(sequence).toHaveProperty('tokens');
}
for await (const { lengths } of sequences.batch(2)) {
  expectTypeOf(lengths.tokens).toEqualTypeOf<Int32Array<ArrayBuffer>>();
}

// ---- batches of Examples in one call -------------------------------------------------------------------------------
expectTypeOf(Dataset.examples('a', spec, { batch: 8 })).toEqualTypeOf<Dataset<Columns>>();
expectTypeOf(Dataset.examples('a', spec, { batch: 8, int64: 'number', epochs: 1 })).toEqualTypeOf<
  Dataset<Batch<typeof spec, 'number'>>
>();
for await (const [features, label] of Dataset.examples('a', spec, { batch: 8, label: 'label' })) {
  expectTypeOf(label).toEqualTypeOf<BigInt64Array<ArrayBuffer>>();
  expectTypeOf(features.tags).toEqualTypeOf<SparseTensor<'bytes'>>();
  // @ts-expect-error -- the label is no feature
  void features.label;
}
// @ts-expect-error -- a batch has a size
Dataset.examples('a', spec);
// @ts-expect-error -- a label is a feature of the spec
Dataset.examples('a', spec, { batch: 8, label: 'lable' });
// @ts-expect-error -- a reader gives records
Dataset.examples('a', spec, { batch: 8, reader: () => Dataset.range(3) });

// ---- functions -----------------------------------------------------------------------------------------------------
expectTypeOf(parsed.map((row) => row.label)).toEqualTypeOf<Dataset<bigint>>();
expectTypeOf(parsed.map(async (row) => ({ id: Number(row.label) }), { parallel: 4 })).toEqualTypeOf<
  Dataset<{ id: number }>
>();
parsed.map((row, context) => {
  expectTypeOf(context).toEqualTypeOf<ElementContext>();
  return context.rng.float() + Number(row.label);
});
expectTypeOf(parsed.mapWorker(new URL('./augment.mjs', import.meta.url))).toEqualTypeOf<Dataset<unknown>>();
expectTypeOf(
  parsed.mapWorker<number>('/srv/augment.mjs', { workers: 'auto', parallel: 2, data: { by: 2 }, onError: 'skip' }),
).toEqualTypeOf<Dataset<number>>();
const scale: WorkerFunction<number, number, { by: number }> = (value, context) => {
  expectTypeOf(context).toEqualTypeOf<WorkerContext<{ by: number }>>();
  expectTypeOf(context.worker).toEqualTypeOf<number>();
  return value * context.data.by + context.rng.float();
};
void scale;
// @ts-expect-error -- a function cannot go to another thread
parsed.mapWorker((row) => row.label);
// @ts-expect-error -- results keep their order
parsed.mapWorker('/srv/augment.mjs', { ordered: false });
// @ts-expect-error -- all or a number of them
parsed.mapWorker('/srv/augment.mjs', { workers: 'all' });
for await (const batch of records.batch(8)) {
  expectTypeOf(batch.share()).toEqualTypeOf<SharedRecords>();
  // @ts-expect-error -- a batch cannot be made of its bytes
  RecordBatchValue.from(batch.at(0));
}
expectTypeOf(Dataset.from([1, 'a']).filter((x): x is string => typeof x === 'string')).toEqualTypeOf<
  Dataset<string, (string | number)[]>
>();
expectTypeOf(Dataset.files('a').interleave((file) => Dataset.tfrecord(file))).toEqualTypeOf<
  Dataset<Bytes, RecordBatch>
>();
expectTypeOf(Dataset.range(3).enumerate()).toEqualTypeOf<Dataset<[number, number]>>();
// @ts-expect-error -- a function that gives no dataset
Dataset.files('a').interleave((file) => file);

// ---- batches of other lengths --------------------------------------------------------------------------------------
expectTypeOf(Dataset.range(9).batch(2).unbatch()).toEqualTypeOf<Dataset<number>>();
expectTypeOf(records.batch(8).unbatch()).toEqualTypeOf<Dataset<Bytes>>();
expectTypeOf(parsed.batch(8).rebatch(3)).toEqualTypeOf<Dataset<Columns>>();
expectTypeOf(Dataset.range(9).window(3, { shift: 1 })).toEqualTypeOf<Dataset<number[]>>();
for await (const row of parsed.batch(8).unbatch()) expectTypeOf(row.label).toEqualTypeOf<bigint>();
const lists = Dataset.from([{ ids: [1, 2], name: 'a', floats: Float32Array.of(1) }]);
for await (const { values, lengths } of lists.paddedBatch(4, { values: { ids: -1 } })) {
  expectTypeOf(values.ids).toEqualTypeOf<number[][]>();
  expectTypeOf(values.name).toEqualTypeOf<string[]>();
  expectTypeOf(values.floats).toEqualTypeOf<DenseTensor<'float32', readonly [number, number]>>();
  expectTypeOf(lengths).toExtend<Readonly<Record<string, Int32Array>>>();
  // @ts-expect-error -- a name that is misspelt
  void values.idds;
}
lists.bucketByLength(({ ids }) => ids.length, { boundaries: [4], batchSizes: [8, 2] });
// @ts-expect-error -- a length is a number
lists.bucketByLength(({ name }) => name, { boundaries: [4], batchSizes: [8, 2] });

// ---- several datasets ----------------------------------------------------------------------------------------------
expectTypeOf(Dataset.zip([Dataset.range(3), Dataset.files('a')])).toEqualTypeOf<Dataset<[number, string]>>();
expectTypeOf(Dataset.zip({ x: Dataset.range(3), y: Dataset.text('a') })).toEqualTypeOf<
  Dataset<{ x: number; y: string }>
>();
expectTypeOf(Dataset.sampleFrom([parsed, parsed], { weights: [1, 2] })).toEqualTypeOf<typeof parsed>();
// @ts-expect-error -- parts of one kind
parsed.concatenate(Dataset.range(3));
const table = Dataset.csv('a', {
  columns: { city: '', price: 0.5, count: { dtype: 'int64' }, age: { dtype: 'int64', default: null } },
});
for await (const row of table) {
  expectTypeOf(row).toEqualTypeOf<{ city: string; price: number; count: bigint; age: bigint | null }>();
}

// ---- options are objects -------------------------------------------------------------------------------------------
// @ts-expect-error -- true means drop in one library and keep in another
parsed.batch(32, true);
// @ts-expect-error -- a seed belongs into an object
parsed.shuffle(32, 42);
// @ts-expect-error -- the path of a folder
parsed.cache(true);
expectTypeOf(parsed.prefetch('auto', { bytes: 1e6 })).toEqualTypeOf<typeof parsed>();
parsed.map((row) => row.label, { parallel: 4, ordered: false });
// @ts-expect-error -- not of filter
parsed.filter((row) => row.label > 1n, { ordered: false });
Dataset.files('a').interleave((file) => Dataset.tfrecord(file), { ordered: false });
parsed.shuffle(1000, { bytes: 1e8, seed: 1 });
// @ts-expect-error -- a count, or auto
parsed.prefetch('many');
void parsed.iterate({ bytes: 1e6 });
void parsed.batch(8).iterate({ transient: true });
void parsed.batch(8).chunks({ transient: true, size: 3 });
// @ts-expect-error -- a boolean
void parsed.iterate({ transient: 'yes' });
// @ts-expect-error -- an option that is misspelt
parsed.shuffle(32, { sed: 42 });
// @ts-expect-error -- there is none of that name
parsed.shuffle('block');

// ---- iteration -----------------------------------------------------------------------------------------------------
const iterator = parsed.iterate({ epoch: 1 });
expectTypeOf(iterator).toEqualTypeOf<DatasetIterator<Row>>();
expectTypeOf(iterator.state()).toEqualTypeOf<DatasetState>();
expectTypeOf(parsed.iterate({ state: JSON.parse('{}') as DatasetState })).toEqualTypeOf<DatasetIterator<Row>>();
for await (const chunk of parsed.chunks({ size: 10 })) expectTypeOf(chunk).toEqualTypeOf<readonly Row[]>();
expectTypeOf(parsed.toArray()).toEqualTypeOf<Promise<Row[]>>();
expectTypeOf(Dataset.range(3).reduce('', (text, x) => text + String(x))).toEqualTypeOf<Promise<string>>();
expectTypeOf(parsed.size).toEqualTypeOf<number | undefined>();
void records.writeTo('out.tfrecord', { shards: 3 });
void records.batch(8).writeTo('out.tfrecord');
// @ts-expect-error -- rows are no records: map(exampleEncoder(spec)) makes them
void parsed.writeTo('out.tfrecord');
// @ts-expect-error -- made by its static methods
new Dataset();
