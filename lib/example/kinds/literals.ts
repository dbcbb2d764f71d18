/**
 * Defaults in the JSON form and in the printed form of features. In JSON an int64 is a number, or a string of decimal
 * digits beyond ±(2^53 − 1); a float32 a number, "NaN", "Infinity", "-Infinity" or "-0"; bytes are their text where they
 * are printable UTF-8, else `{ "base64": … }`.
 */
import { isObject } from '../../base';
import { printableText, scalarJson, shortestFloat32, type DType, type Scalar } from '../../tensor';
import { show, specError } from './checks';

/** Members of an object that was parsed from JSON. */
export type JSONObject = Readonly<Record<string, unknown>>;

/** Returns a default as JSON. */
export function literalJSON(dtype: DType, value: Scalar): unknown {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : scalarJson(dtype, value);
}

/** Returns a default as a literal of a program. */
export function literalOf(dtype: DType, value: Scalar): unknown {
  if (dtype === 'bytes' && typeof value === 'object') return printableText(value) ?? value;
  if (dtype === 'float32') return shortestFloat32(Number(value));
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** Returns options from JSON, with the default as literals, and without the shape. */
export function withDefault(dtype: DType, { shape: _shape, default: value, ...options }: JSONObject): JSONObject {
  if (value === undefined) return options;
  const literals = Array.isArray(value)
    ? value.map((one: unknown) => literalFromJSON(dtype, one))
    : literalFromJSON(dtype, value);
  return { ...options, default: literals };
}

/** Checks that `member` is true, false or missing. @throws TFRecordError TFR_SPEC */
export function checkFlag(json: JSONObject, member: string): void {
  const value = json[member];
  if (value === undefined || typeof value === 'boolean') return;
  throw specError(`${member} is ${show(value)}; it is true or false`, {
    expected: 'true or false',
    found: show(value),
  });
}

/** Converts JSON to a literal. Returns other values unchanged, for the check of the feature. */
function literalFromJSON(dtype: DType, json: unknown): unknown {
  switch (dtype) {
    case 'float32':
      return typeof json === 'string' && /^(NaN|-?Infinity|-0)$/.test(json) ? Number(json) : json;
    case 'int64':
      return typeof json === 'string' && /^-?\d{1,20}$/.test(json) ? BigInt(json) : json;
    case 'bytes':
    case 'text':
      return isObject(json) ? fromBase64(json) : json;
    default:
      return json;
  }
}

function fromBase64({ base64, ...others }: JSONObject): Uint8Array {
  const bytes = typeof base64 === 'string' ? Buffer.from(base64, 'base64') : undefined;
  if (bytes === undefined || Object.keys(others).length > 0 || bytes.toString('base64') !== base64) {
    throw specError('a default of bytes is text, or { "base64": … } in standard base64 with padding', {
      expected: 'base64',
      found: show(base64),
    });
  }
  return new Uint8Array(bytes);
}
