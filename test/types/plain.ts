/** The types of plain values. Nothing here runs: it must compile, and each `@ts-expect-error` must mark an error. */
import { expectTypeOf } from 'expect-type';
import {
  decodeExample,
  decodeSequenceExample,
  encodeExample,
  exampleToObject,
  fixedLen,
  fixedLenSequence,
  parseExample,
  parseSequenceExample,
  parseSingleExample,
  parseSingleSequenceExample,
  ragged,
  readExamples,
  readSequenceExamples,
  rowsOf,
  sequenceExampleToObject,
  sparse,
  varLen,
  type BytesArray,
  type DenseTensor,
  type PlainExample,
  type PlainLists,
  type PlainSparse,
} from 'tfrecord-native';

declare const record: Uint8Array;
const spec = {
  id: fixedLen([], 'int64'),
  image: fixedLen([28, 28], 'float32'),
  name: fixedLen([], 'bytes'),
  tags: varLen('bytes'),
  ids: varLen('int64'),
  grid: sparse({ indexKey: 'i', valueKey: 'v', dtype: 'int64', size: 4 }),
  words: ragged({ dtype: 'bytes', valueKey: 'w', partitions: [{ by: 'rowLengths', key: 'len' }] }),
};
type Text = string | { base64: string };

// ---- rows and batches ----------------------------------------------------------------------------------------------
const row = parseSingleExample(record, spec);
const plain = row.toObject();
expectTypeOf(plain).toEqualTypeOf<{
  id: number;
  image: number[][];
  name: Text;
  tags: Text[];
  ids: number[];
  grid: PlainSparse<number>;
  words: PlainLists<Text>[];
}>();
const chosen = row.toObject({ int64: 'bigint', bytes: 'text' });
expectTypeOf(chosen.id).toEqualTypeOf<bigint>();
expectTypeOf(chosen.ids).toEqualTypeOf<bigint[]>();
expectTypeOf(chosen.name).toEqualTypeOf<string>();
expectTypeOf(row.toObject({ int64: 'string' }).grid.values).toEqualTypeOf<string[]>();
expectTypeOf(row.toObject({ bytes: 'bytes' }).name).toEqualTypeOf<Uint8Array<ArrayBuffer>>();
expectTypeOf(parseSingleExample(record, spec, { int64: 'number' }).toObject({ int64: 'string' }).image).toEqualTypeOf<
  number[][]
>();
const columns = parseExample([record], spec).toObject();
expectTypeOf(columns.id).toEqualTypeOf<number[]>();
expectTypeOf(columns.image).toEqualTypeOf<number[][][]>();
expectTypeOf(columns.tags).toEqualTypeOf<PlainSparse<Text>>();
for (const each of rowsOf(parseExample([record], spec), spec)) expectTypeOf(each.toObject()).toEqualTypeOf(plain);
expectTypeOf(readExamples('x', spec)[Symbol.asyncIterator]().next).returns.resolves.toHaveProperty('value');
const sequenceSpec = { context: { id: spec.id }, sequence: { steps: fixedLenSequence([], 'int64') } };
expectTypeOf(parseSingleSequenceExample(record, sequenceSpec).toObject()).toEqualTypeOf<{
  context: { id: number };
  sequence: { steps: number[] };
}>();
expectTypeOf(parseSequenceExample([record], sequenceSpec).toObject()).toEqualTypeOf<{
  context: { id: number[] };
  sequence: { steps: number[][] };
  lengths: { steps: number[] };
}>();
void readSequenceExamples;
// @ts-expect-error the method is not the spread's
({ ...row }).toObject();
encodeExample({ ...parseSingleExample(record, { id: spec.id }) });
// @ts-expect-error no such form
row.toObject({ int64: 'long' });
// @ts-expect-error no such option
row.toObject({ ints: 'number' });

// ---- tensors -------------------------------------------------------------------------------------------------------
declare const dense: DenseTensor<'int64', readonly [number, 2]>;
declare const open: DenseTensor<'bytes'>;
declare const bytes: BytesArray;
expectTypeOf(dense.toObject()).toEqualTypeOf<number[][]>();
expectTypeOf(dense.toObject({ int64: 'string' })).toEqualTypeOf<string[][]>();
expectTypeOf(open.toObject({ bytes: 'base64' })).toEqualTypeOf<PlainLists<string>>();
expectTypeOf(bytes.toObject()).toEqualTypeOf<Text[]>();
expectTypeOf(row.words.toObject({ bytes: 'text' })).toEqualTypeOf<PlainLists<string>[]>();

// ---- records -------------------------------------------------------------------------------------------------------
expectTypeOf(exampleToObject(record)).toEqualTypeOf<PlainExample>();
expectTypeOf(exampleToObject(record)['id']).toEqualTypeOf<number[] | Text[] | null | undefined>();
expectTypeOf(exampleToObject(decodeExample(record), { int64: 'bigint', bytes: 'text' })['id']).toEqualTypeOf<
  number[] | bigint[] | string[] | null | undefined
>();
expectTypeOf(sequenceExampleToObject(record).context).toEqualTypeOf<PlainExample>();
const feature = decodeExample(record, { int64: 'number' })['id'];
if (feature?.kind === 'int64') expectTypeOf(feature.values).toEqualTypeOf<Float64Array>();
const exact = decodeExample(record)['id'];
if (exact?.kind === 'int64') expectTypeOf(exact.values).toEqualTypeOf<BigInt64Array>();
const step = decodeSequenceExample(record, { int64: 'number' }).featureLists['s']?.[0];
if (step?.kind === 'int64') expectTypeOf(step.values).toEqualTypeOf<Float64Array>();

// ---- items and lists of tensors ------------------------------------------------------------------------------------

declare const images: DenseTensor<'float32', readonly [number, 28, 28]>;
expectTypeOf(images.at(0)).toEqualTypeOf<DenseTensor<'float32', readonly [28, 28]> | undefined>();
expectTypeOf(images.at(0, 1, 2)).toEqualTypeOf<number | undefined>();
expectTypeOf(images.toArray()).toEqualTypeOf<number[][][]>();
declare const scores: DenseTensor<'int64'>;
expectTypeOf(scores.toArray()).toEqualTypeOf<PlainLists<bigint>>();
