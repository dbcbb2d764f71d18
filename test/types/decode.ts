/**
 * The types of the decoders for a CommonJS user. Nothing here runs: it must compile, and each `@ts-expect-error` must
 * mark an error.
 */
import { expectTypeOf } from 'expect-type';
import {
  decodeCompressed,
  decodeCsv,
  decodeJsonExample,
  decodePaddedRaw,
  decodeRaw,
  parseTensor,
  serializeTensor,
  type AnyTensorValue,
  type Bytes,
  type BytesArray,
  type RecordBatch,
  type TensorValue,
} from 'tfrecord-native';

declare const bytes: Uint8Array;
declare const batch: RecordBatch;

// ---- CSV: a column for each default ------------------------------------------------------------------------------
const columns = decodeCsv(['1,2'], {
  recordDefaults: ['float32', { dtype: 'int64', default: 0n }, { dtype: 'bytes', default: '' }, { dtype: 'int32' }],
});
expectTypeOf(columns).toEqualTypeOf<
  [Float32Array<ArrayBuffer>, BigInt64Array<ArrayBuffer>, BytesArray, Int32Array<ArrayBuffer>]
>();
decodeCsv(batch, {
  recordDefaults: ['float64'],
  fieldDelim: ';',
  useQuoteDelim: false,
  naValue: 'NA',
  selectCols: [1],
});
// @ts-expect-error -- one record is no list
decodeCsv('1,2', { recordDefaults: ['int32'] });
// @ts-expect-error -- a dtype that CSV does not have
decodeCsv([], { recordDefaults: ['uint8'] });
// @ts-expect-error -- a default of another dtype
decodeCsv([], { recordDefaults: [{ dtype: 'int32', default: 'x' }] });
// @ts-expect-error -- a name that is none
decodeCsv([], { recordDefaults: ['int32'], delimiter: ';' });
// @ts-expect-error -- there are four columns
columns[4];

// ---- raw ---------------------------------------------------------------------------------------------------------
expectTypeOf(decodeRaw(bytes, { outType: 'int64' })).toEqualTypeOf<TensorValue<'int64'>>();
expectTypeOf(decodeRaw(batch, { outType: 'float16' }).data).toEqualTypeOf<Uint16Array<ArrayBuffer>>();
expectTypeOf(decodePaddedRaw([bytes], { outType: 'float32', fixedLength: 8 }).shape).toEqualTypeOf<readonly number[]>();
// @ts-expect-error -- not with TensorFlow either
decodeRaw(bytes, { outType: 'uint32' });
// @ts-expect-error -- a length is needed
decodePaddedRaw(bytes, { outType: 'int8' });

// ---- compressed, JSON --------------------------------------------------------------------------------------------
expectTypeOf(decodeCompressed(bytes, { compression: 'gzip', maxOutputLength: 10 })).toEqualTypeOf<Bytes>();
expectTypeOf(decodeCompressed([bytes])).toEqualTypeOf<Bytes[]>();
expectTypeOf(decodeJsonExample('{}')).toEqualTypeOf<Bytes>();
expectTypeOf(decodeJsonExample(['{}'])).toEqualTypeOf<Bytes[]>();
// @ts-expect-error -- another case
decodeCompressed(bytes, { compression: 'GZIP' });

// ---- tensors -----------------------------------------------------------------------------------------------------
expectTypeOf(parseTensor(bytes)).toEqualTypeOf<AnyTensorValue>();
expectTypeOf(parseTensor(bytes, { maxFillBytes: 10 })).toEqualTypeOf<AnyTensorValue>();
expectTypeOf(parseTensor(bytes, { outType: 'uint64' })).toEqualTypeOf<TensorValue<'uint64'>>();
const tensor = parseTensor(bytes);
if (tensor.dtype === 'bytes') expectTypeOf(tensor.data).toEqualTypeOf<BytesArray>();
expectTypeOf(serializeTensor({ dtype: 'bool', shape: [2], data: bytes })).toEqualTypeOf<Bytes>();
expectTypeOf(serializeTensor({ dtype: 'bytes', shape: [1], data: ['a'] })).toEqualTypeOf<Bytes>();
serializeTensor(parseTensor(bytes, { outType: 'float32' }));
// @ts-expect-error -- another array
serializeTensor({ dtype: 'float32', shape: [1], data: new Float64Array(1) });
// @ts-expect-error -- a dtype that is none
parseTensor(bytes, { outType: 'half' });
