/** Rows by a spec: the same values that the command prints with `--spec`. */
import { invalidArgValue, TFRecordError } from '../../errors';
import { exampleEncoder, type ExampleRow, type Spec } from '../../example';
import { codeOf, isObject, type Bytes } from '../../record';
import { BytesArray, SparseTensor, type DType } from '../../tensor';
import type { RowSpec } from '../row-spec';
import { base64Bytes, BEYOND_INT64, parseJsonLine, RowFault } from './parse-line';

/** Returns the encoder of lines by `spec`. @throws TypeError for a spec of SequenceExamples */
export function specEncoder({ plan, features }: RowSpec): (line: Bytes) => Bytes {
  if (features === undefined) {
    const why =
      'a spec of Examples: rows of SequenceExamples are read without one, from what they were written without one';
    throw invalidArgValue('options.spec', why, undefined);
  }
  const encode = exampleEncoder(features);
  const known = new Map(plan.features.map(({ name, definition }) => [name, definition]));
  return (line) => {
    const value = parseJsonLine(line);
    if (!isObject(value) || Array.isArray(value)) throw new RowFault('TFR_DECODE', 'it is not an object of features');
    const row = Object.create(null) as Record<string, unknown>;
    for (const [name, given] of Object.entries(value)) {
      const definition = known.get(name);
      if (definition === undefined) {
        const message = `feature ${JSON.stringify(name)} is not in the spec`;
        throw new RowFault('TFR_FEATURE', message, name);
      }
      row[name] =
        definition.kind === 'sparse' ? sparse(name, given, definition.dtype) : taken(name, given, definition.dtype);
    }
    try {
      return encode(row as ExampleRow<Spec>);
    } catch (error) {
      throw faultOf(error);
    }
  };
}

/** Wrong values in a line are wrong data, not wrong arguments. */
function faultOf(error: unknown): unknown {
  if (error instanceof TFRecordError) return error;
  const isArgument = error instanceof Error && String(codeOf(error)).startsWith('ERR_');
  return isArgument ? new RowFault('TFR_FEATURE', error.message) : error;
}

function sparse(name: string, value: unknown, dtype: DType): unknown {
  if (value === null) return undefined;
  const { indices, values, denseShape, ...others } = isObject(value) ? value : {};
  const lists = [indices, values, denseShape];
  if (!lists.every((list) => Array.isArray(list)) || Object.keys(others).length > 0) {
    const expected = '{"indices":[],"values":[],"denseShape":[]}';
    throw new RowFault('TFR_FEATURE', `feature ${JSON.stringify(name)} is not ${expected}`, name, expected);
  }
  try {
    const parts = {
      indices: BigInt64Array.from((indices as unknown[]).flat() as bigint[]),
      values: columnOf(taken(name, values, dtype) as unknown[], dtype),
      denseShape: (denseShape as bigint[]).map(Number),
    };
    return new SparseTensor(dtype, parts as never);
  } catch (error) {
    throw error instanceof TypeError || error instanceof RangeError
      ? new RowFault('TFR_FEATURE', `feature ${JSON.stringify(name)}: ${error.message}`, name)
      : error;
  }
}

function columnOf(values: readonly unknown[], dtype: DType): unknown {
  if (dtype === 'int64') return BigInt64Array.from(values as readonly bigint[]);
  if (dtype === 'float32') return Float32Array.from(values as readonly number[]);
  return BytesArray.from(values as readonly (string | Uint8Array)[]);
}

/** The value of JSON as an encoder takes it for a feature of `dtype`. */
function taken(name: string, value: unknown, dtype: DType): unknown {
  if (Array.isArray(value)) return value.map((item) => taken(name, item, dtype));
  if (value === null) return undefined;
  if (value === BEYOND_INT64) {
    throw new RowFault('TFR_FEATURE', `feature ${JSON.stringify(name)} has an integer beyond int64`, name);
  }
  if (dtype === 'float32') {
    if (typeof value === 'bigint' || typeof value === 'number') return Number(value);
    if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return Number(value);
  }
  if (isObject(value)) return base64Bytes(name, value);
  return value;
}
