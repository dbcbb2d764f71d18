/** Lines of plain rows to values, with exact integers. */
import { isUtf8 } from 'node:buffer';

import { TFRecordError } from '../../errors';
import { losslessJson } from '../../example';
import { isObject, type Bytes } from '../../record';
import { hasLoneSurrogate } from '../../tensor';
import { FLOAT_WORDS } from './print-example';

/** The kind of a literal of JSON. A `word` is the string of a float, or text. */
export type LiteralKind = 'int64' | 'float' | 'bytes' | 'word';

/** The values of a feature; null for one without a kind. */
export type RowValues = readonly unknown[] | null;

/** A plain row. */
export interface Row {
  /** Features of the Example, or of the context. */
  readonly features: ReadonlyMap<string, RowValues>;
  /** The steps of feature lists; undefined for an Example. */
  readonly lists: ReadonlyMap<string, readonly RowValues[]> | undefined;
}

/** A fault of a row. */
export class RowFault extends Error {
  constructor(
    readonly code: 'TFR_DECODE' | 'TFR_FEATURE',
    message: string,
    readonly feature?: string,
    readonly expected?: string,
    readonly found?: string,
    /** True if the fault lies between this row and earlier ones. */
    readonly isMixed = false,
  ) {
    super(message);
  }
}

/** The error of a fault in line `line` of `file`. */
export function lineError(fault: RowFault, file: string, line: number): TFRecordError {
  const { code, message, feature, expected, found } = fault;
  return new TFRecordError(code, `Line ${line + 1} of ${file}: ${message}`, {
    file,
    record: line,
    feature,
    expected,
    found,
  });
}

/** Most digits of an int64, with its sign. */
const MAX_DIGITS = 20;
/** An integer that is no int64. */
export const BEYOND_INT64 = Symbol('beyond int64');

function numberOf(text: string): unknown {
  if (/[.eE]/.test(text)) return Number(text);
  // Very long integers take long to convert.
  if (text.length > MAX_DIGITS) return BEYOND_INT64;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : BEYOND_INT64;
}

/** True for lines that hold no row. */
export function isBlank(line: Bytes): boolean {
  for (const byte of line) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  return true;
}

/** The value of a line: integers are bigints. @throws RowFault */
export function parseJsonLine(line: Bytes): unknown {
  if (!isUtf8(line)) throw new RowFault('TFR_DECODE', 'it is not UTF-8');
  let value: unknown;
  try {
    const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString();
    value = losslessJson().parse(text, null, { parseNumber: numberOf, onDuplicateKey: refuseTwice });
  } catch (error) {
    if (error instanceof RowFault) throw error;
    // The parser calls itself for each level.
    if (error instanceof RangeError) throw new RowFault('TFR_DECODE', 'its lists or objects are nested too deeply');
    const why = error instanceof Error ? error.message : String(error);
    throw new RowFault('TFR_DECODE', `it is not JSON: ${why}`);
  }
  return value;
}

function refuseTwice({ key }: { key: string }): never {
  throw new RowFault('TFR_DECODE', `the name ${JSON.stringify(key)} comes twice in an object`, key);
}

/** The row of a line. @throws RowFault */
export function parseRow(line: Bytes): Row {
  const value = parseJsonLine(line);
  if (!isPlainObject(value)) throw new RowFault('TFR_DECODE', 'it is not an object of features');
  const { context, featureLists } = value;
  const isSequence = Object.keys(value).length === 2 && isPlainObject(context) && isPlainObject(featureLists);
  if (!isSequence) return { features: featuresOf(value), lists: undefined };
  const lists = new Map<string, readonly RowValues[]>();
  for (const [name, steps] of Object.entries(featureLists)) {
    checkName(name);
    if (!Array.isArray(steps)) throw unfit(name, 'a list of steps', steps);
    lists.set(
      name,
      steps.map((step) => valuesOf(name, step)),
    );
  }
  return { features: featuresOf(context), lists };
}

function featuresOf(members: Readonly<Record<string, unknown>>): Map<string, RowValues> {
  const features = new Map<string, RowValues>();
  for (const [name, value] of Object.entries(members)) {
    checkName(name);
    features.set(name, valuesOf(name, value));
  }
  return features;
}

function checkName(name: string): void {
  if (hasLoneSurrogate(name)) throw new RowFault('TFR_DECODE', 'a name has a lone surrogate', name);
}

/** A single value is a list of one. */
function valuesOf(name: string, value: unknown): RowValues {
  if (value === null) return null;
  if (!Array.isArray(value)) return [valueOf(name, value)];
  return value.map((item) => valueOf(name, item));
}

function valueOf(name: string, value: unknown): unknown {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  if (value === BEYOND_INT64) {
    throw new RowFault('TFR_FEATURE', `feature ${JSON.stringify(name)} has an integer beyond int64`, name);
  }
  if (typeof value === 'string') {
    if (!hasLoneSurrogate(value)) return value;
    throw new RowFault('TFR_FEATURE', `feature ${JSON.stringify(name)} has text with a lone surrogate`, name);
  }
  return base64Bytes(name, value);
}

/** The bytes of `{"base64":…}`. @throws RowFault for other values */
export function base64Bytes(name: string, value: unknown): Buffer {
  const base64 = isPlainObject(value) && Object.keys(value).length === 1 ? value['base64'] : undefined;
  if (typeof base64 !== 'string') throw unfit(name, 'a number, a string or {"base64":…}, or a list of these', value);
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') === base64) return bytes;
  throw new RowFault('TFR_FEATURE', `feature ${JSON.stringify(name)} has base64 that is not valid`, name);
}

function unfit(name: string, expected: string, value: unknown): RowFault {
  const found = Array.isArray(value) ? 'a list in a list' : value === null ? 'null' : `a value of type ${typeof value}`;
  const advice = Array.isArray(value)
    ? ' A spec says how lists in lists are stored.'
    : name === 'features' && isPlainObject(value)
      ? ' If this is a line of "tfrecord cat": "tfrecord convert IN OUT.jsonl" writes rows that can be read back.'
      : '';
  const message = `feature ${JSON.stringify(name)} has ${found}; expected ${expected}.${advice}`;
  return new RowFault('TFR_FEATURE', message, name, expected, found);
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}

/** The kind of a value of a row. */
export function kindOf(value: unknown): LiteralKind {
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return 'float';
  return typeof value === 'string' && FLOAT_WORDS.includes(value) ? 'word' : 'bytes';
}
