/** JSON of a TensorProto: its type, its shape, and the values that JSON can say. */
import { messages, type tensorflow } from '../message';
import { float32Json, float64Json, int64Json, type Int64Parts } from './json-scalars';
import type { PrintContext } from './print-context';

type Tensor = tensorflow.TensorProto.$Properties;

/** How values of one type lie in `tensor_content`, and print. */
interface RawForm {
  readonly size: number;
  readonly print: (view: DataView, at: number) => string;
}

/** By the name of the type. */
const RAW_FORMS: Readonly<Record<string, RawForm>> = {
  DT_FLOAT: { size: 4, print: (view, at) => float32Json(view.getFloat32(at, true)) },
  DT_DOUBLE: { size: 8, print: (view, at) => float64Json(view.getFloat64(at, true)) },
  DT_INT8: { size: 1, print: (view, at) => String(view.getInt8(at)) },
  DT_INT16: { size: 2, print: (view, at) => String(view.getInt16(at, true)) },
  DT_INT32: { size: 4, print: (view, at) => String(view.getInt32(at, true)) },
  DT_INT64: { size: 8, print: (view, at) => String(view.getBigInt64(at, true)) },
  DT_UINT8: { size: 1, print: (view, at) => String(view.getUint8(at)) },
  DT_UINT16: { size: 2, print: (view, at) => String(view.getUint16(at, true)) },
  DT_UINT32: { size: 4, print: (view, at) => String(view.getUint32(at, true)) },
  DT_UINT64: { size: 8, print: (view, at) => String(view.getBigUint64(at, true)) },
};

/**
 * `{"dtype":"DT_FLOAT","shape":[],"values":[0.25]}`. Values are those that the message lists (fewer than the shape
 * tells when the last one repeats); raw ones of a type that JSON has no values for are `"bytes":n`.
 */
export function printTensor(tensor: Tensor, context: PrintContext): string {
  const dtype = tensor.dtype ?? 0;
  const shape = (tensor.tensorShape?.dim ?? []).map(({ size }) => int64Json(size ?? 0)).join(',');
  const name: string | undefined = messages().DataType[dtype];
  return `{"dtype":${name === undefined ? dtype : `"${name}"`},"shape":[${shape}],${printValues(tensor, name, context)}}`;
}

function printValues(tensor: Tensor, dtype: string | undefined, context: PrintContext): string {
  const content = tensor.tensorContent;
  if (!content?.length) return `"values":${printList(tensor, context)}`;
  const form = RAW_FORMS[dtype ?? ''];
  if (form === undefined || content.length % form.size !== 0) return `"bytes":${content.length}`;
  const view = new DataView(content.buffer, content.byteOffset, content.length);
  const places = Array.from({ length: content.length / form.size }, (_, i) => i * form.size);
  return `"values":${context.list(places, context.limits.values, (at) => form.print(view, at))}`;
}

/** The first list that holds anything: no type has two. */
function printList(tensor: Tensor, context: PrintContext): string {
  const { floatVal, doubleVal, intVal, int64Val, stringVal, boolVal, uint32Val } = tensor;
  const list = <T>(values: readonly T[], print: (value: T) => string): string =>
    context.list(values, context.limits.values, print);
  if (floatVal?.length) return list(floatVal, float32Json);
  if (doubleVal?.length) return list(doubleVal, float64Json);
  if (intVal?.length) return list(intVal, String);
  if (int64Val?.length) return list(int64Val, int64Json);
  if (stringVal?.length) return list(stringVal, (value) => context.bytes(value));
  if (boolVal?.length) return list(boolVal, String);
  if (uint32Val?.length) return list(uint32Val, String);
  if (tensor.uint64Val?.length) return list(tensor.uint64Val, uint64Json);
  return '[]';
}

function uint64Json(value: number | Int64Parts): string {
  return typeof value === 'number' ? String(value) : String(BigInt.asUintN(64, BigInt(int64Json(value))));
}
