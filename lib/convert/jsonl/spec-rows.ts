/** Parses rows by a spec: the same values that the command prints with `--spec`. */
import {
  codeOf,
  isObject,
  TFRecordError,
  type Bytes,
  advice,
  messageOf,
  named,
  worded,
  isList,
  isInteger,
  newRecord,
} from '../../base';
import {
  exampleEncoder,
  integerOf,
  sequenceExampleEncoder,
  type ExampleRow,
  type Plan,
  type SequenceRowParts,
  type Spec,
} from '../../example';
import { BytesArray, SparseTensor, type DType } from '../../tensor';
import type { RowSpec } from '../format';
import { base64Bytes, BEYOND_FLOAT32, beyondInt64, isInt64, parseJsonObject, RowFault } from './parse-line';
import { FLOAT_WORDS } from './print-example';

/** Maximum number of steps of a sparse tensor, which a short line could claim; lists of steps may be longer. */
const MAX_STEPS = 2 ** 22;

/** Returns the encoder of lines by `spec`. It skips the features for which `keeps` returns false. */
export function specEncoder({ plan, features }: RowSpec, keeps: (name: string) => boolean): (line: Bytes) => Bytes {
  const takenContext = memberReader(plan.features, keeps);
  if (features === undefined) {
    const takenLists = memberReader(plan.sequence, keeps, takenSteps, 'feature list');
    const encode = sequenceExampleEncoder(plan);
    return (line) => {
      const { context, ...lists } = parseJsonObject(line);
      // Plain rows call this member `featureLists`.
      const name = 'featureLists' in lists && !('sequence' in lists) ? 'featureLists' : 'sequence';
      const { [name]: sequence, ...others } = lists;
      const [stranger] = Object.keys(others);
      if (stranger !== undefined) {
        const expected = '{"context":{},"sequence":{}}';
        const message = `it has the member ${JSON.stringify(stranger)}; expected ${expected}`;
        throw new RowFault('TFR_DECODE', message, undefined, expected, stranger);
      }
      const row = { context: takenContext(context ?? {}), sequence: takenLists(sequence ?? {}) };
      return encoded(() => encode(row as SequenceRowParts));
    };
  }
  const encode = exampleEncoder(features);
  return (line) => {
    const row = takenContext(parseJsonObject(line));
    return encoded(() => encode(row as ExampleRow<Spec>));
  };
}

function encoded(encode: () => Bytes): Bytes {
  try {
    return encode();
  } catch (error) {
    throw faultOf(error);
  }
}

/** @throws RowFault for other values */
function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (isObject(value) && !Array.isArray(value)) return value;
  throw new RowFault('TFR_DECODE', 'it is not an object of features');
}

type Definition = Plan['features'][number]['definition'];

function takenFeature(name: string, given: unknown, { kind, dtype }: Definition): unknown {
  return kind === 'sparse' ? sparse(name, given, dtype) : taken(name, given, dtype);
}

/** The steps of a feature list: a list, or for `varLen` a sparse tensor. @throws RowFault */
function takenSteps(name: string, given: unknown, { kind, dtype }: Definition): unknown {
  if (given === null || Array.isArray(given)) return taken(name, given, dtype);
  if (kind === 'varLen' && isObject(given)) return stepsOf(name, given, dtype);
  const message = `feature list ${JSON.stringify(name)} is not a list of steps`;
  throw new RowFault('TFR_FEATURE', message, name, 'a list of steps');
}

/**
 * The lists of values in the rows of a sparse tensor in JSON. In each row, values must begin in column 0 and have no
 * gaps.
 */
function stepsOf(name: string, tensor: Readonly<Record<string, unknown>>, dtype: DType): unknown[][] {
  const { indices, values, denseShape, ...others } = tensor;
  const expected = '{"indices":[[step,place]],"values":[],"denseShape":[steps,most]}, row by row without gaps';
  const unfit = (): RowFault =>
    new RowFault('TFR_FEATURE', `feature list ${JSON.stringify(name)} is not ${expected}`, name, expected);
  if (!isList(indices) || !isList(values) || !isList(denseShape)) throw unfit();
  if (Object.keys(others).length > 0 || values.length !== indices.length) throw unfit();
  const count = Number(denseShape[0]);
  if (!Number.isSafeInteger(count) || count < 0 || count > MAX_STEPS) throw unfit();
  const steps = Array.from({ length: count }, (): unknown[] => []);
  let last = 0;
  for (const [i, index] of indices.entries()) {
    const [step, place] = isList(index) ? index.map(Number) : [];
    const list = steps[step ?? -1];
    if (list === undefined || list.length !== place || step! < last) throw unfit();
    last = step!;
    list.push(taken(name, values[i], dtype));
  }
  return steps;
}

/** Returns a function that reads the values of `features` from an object of JSON. It throws RowFault. */
function memberReader(
  features: Plan['features'],
  keeps: (name: string) => boolean,
  read = takenFeature,
  what = 'feature',
): (value: unknown) => Record<string, unknown> {
  const known = new Map(features.map(({ name, definition }) => [name, definition]));
  return (value) => {
    const row = newRecord<unknown>();
    for (const [name, given] of Object.entries(objectOf(value))) {
      const definition = known.get(name);
      if (definition === undefined) {
        // A draft of a spec lacks features that never had a value.
        if (given === null || (Array.isArray(given) && given.length === 0) || !keeps(name)) continue;
        const message = worded`${what} ${JSON.stringify(name)} is not in the spec${advice`; (${named('exclude')}) leaves it out`}`;
        throw new RowFault('TFR_FEATURE', message, name);
      }
      row[name] = read(name, given, definition);
    }
    return row;
  };
}

/** Converts errors about arguments: invalid values in a line are invalid data, not invalid arguments. */
function faultOf(error: unknown): unknown {
  if (error instanceof TFRecordError) return error;
  const isArgument = error instanceof Error && String(codeOf(error)).startsWith('ERR_');
  return isArgument ? new RowFault('TFR_FEATURE', messageOf(error)) : error;
}

function sparse(name: string, value: unknown, dtype: DType): unknown {
  if (value === null) return undefined;
  const { indices, values, denseShape, ...others } = isObject(value) ? value : {};
  if (!isList(indices) || !isList(values) || !isList(denseShape) || Object.keys(others).length > 0) {
    const expected = '{"indices":[],"values":[],"denseShape":[]}';
    throw new RowFault('TFR_FEATURE', `feature ${JSON.stringify(name)} is not ${expected}`, name, expected);
  }
  try {
    const parts = {
      indices: BigInt64Array.from(indices.flat(), (index) => int64Of(name, index)),
      values: columnOf(
        values.map((item) => taken(name, item, dtype)),
        dtype,
      ),
      denseShape: denseShape.map(Number),
    };
    return new SparseTensor(dtype, parts as never);
  } catch (error) {
    throw error instanceof TypeError || error instanceof RangeError
      ? new RowFault('TFR_FEATURE', worded`feature ${JSON.stringify(name)}: ${messageOf(error)}`, name)
      : error;
  }
}

function columnOf(values: readonly unknown[], dtype: DType): unknown {
  if (dtype === 'int64') return BigInt64Array.from(values as readonly bigint[]);
  if (dtype === 'float32') return Float32Array.from(values as readonly number[]);
  return BytesArray.from(values as readonly (string | Uint8Array)[]);
}

/** The value of JSON, converted for the encoder of a feature of `dtype`. */
function taken(name: string, value: unknown, dtype: DType): unknown {
  if (Array.isArray(value)) return value.map((item) => taken(name, item, dtype));
  if (value === null) return undefined;
  if (value === BEYOND_FLOAT32) throw beyondInt64(name);
  if (dtype === 'int64') return int64Of(name, value);
  if (dtype === 'float32') {
    if (typeof value === 'bigint' || typeof value === 'number') return Number(value);
    if (typeof value === 'string' && (value === '-0' || FLOAT_WORDS.includes(value))) return Number(value);
  }
  if (isObject(value)) return base64Bytes(name, value);
  return value;
}

/** An int64 from a number, a boolean, or digits in a string. @throws RowFault */
function int64Of(name: string, value: unknown): bigint {
  const integer =
    typeof value === 'bigint'
      ? value
      : typeof value === 'string'
        ? integerOf(value)
        : typeof value === 'boolean' || isInteger(value, Number.MIN_SAFE_INTEGER)
          ? BigInt(value)
          : undefined;
  if (integer === undefined) {
    const found = typeof value === 'object' ? 'an object' : shownText(JSON.stringify(value));
    const message = `feature ${JSON.stringify(name)} has ${found}; expected an integer, also as a boolean or as digits in a string`;
    throw new RowFault('TFR_FEATURE', message, name, 'an integer', found);
  }
  if (!isInt64(integer)) throw beyondInt64(name, integer);
  return integer;
}

/** Maximum length of an invalid value in a message, in characters. */
const SHOWN = 40;

function shownText(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
