/** Parses lines of plain rows, with exact integers. */
import { isUtf8 } from 'node:buffer';

import {
  TFRecordError,
  isObject,
  type Bytes,
  tfrecordError,
  advice,
  messageOf,
  named,
  withMessage,
  worded,
  type Text,
} from '../../base';
import { losslessJson } from '../../example';
import { hasLoneSurrogate } from '../../tensor';
import { FLOAT_WORDS } from './print-example';

/**
 * The kind of a JSON literal. `word` ("NaN") and `minusZero` ("-0"): a string that is a float or text. `digits`: a
 * string that is an int64 or text.
 */
export type LiteralKind = (typeof LITERAL_KINDS)[number];

/** In the order of `Literal` of core/example/json/json_rows.h. */
export const LITERAL_KINDS = ['int64', 'float', 'bytes', 'digits', 'word', 'minusZero'] as const;

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
    message: Text,
    readonly feature?: string,
    readonly expected?: string,
    readonly found?: string,
    /** True if the fault is a conflict of this row with earlier ones. */
    readonly isMixed = false,
  ) {
    super(String(message));
    withMessage(this, worded`${message}`);
  }
}

/** The error about a fault in row `record` of `file`, which begins at line `line`. Both count from 0. */
export function lineError(fault: RowFault, file: string, record: number, line = record): TFRecordError {
  const { code, feature, expected, found } = fault;
  const details = { file, record, feature, expected, found };
  return tfrecordError(code, worded`Line ${line + 1} of ${file}: ${messageOf(fault)}`, details);
}

/** The error about `error`, which reading or encoding a row threw, as in {@link lineError}. @throws `error` if it is another */
export function rowError(error: unknown, file: string, line: number): TFRecordError {
  if (error instanceof RowFault) return lineError(error, file, line);
  if (!(error instanceof TFRecordError)) throw error;
  const { code, feature, expected, found } = error;
  const details = { file, record: line, feature, expected, found, cause: error };
  return tfrecordError(code, worded`Line ${line + 1} of ${file}: ${messageOf(error)}`, details);
}

/** Maximum length of an integer that float32 can hold, in characters. */
const MAX_DIGITS = 40;
/** Stands for an integer beyond both int64 and float32. */
export const BEYOND_FLOAT32 = Symbol('beyond float32');

function numberOf(text: string): unknown {
  // Integers have no negative zero, so this is a float.
  if (/[.eE]/.test(text) || text === '-0') return Number(text);
  // Converting a very long integer takes long.
  return text.length > MAX_DIGITS ? BEYOND_FLOAT32 : BigInt(text);
}

/** True if int64 can hold `value`. */
export function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

/** The fault of an integer of feature `name` beyond int64. */
export function beyondInt64(name: string, value?: unknown): RowFault {
  const shown = typeof value === 'bigint' ? `: ${value}` : '';
  const message = `feature ${JSON.stringify(name)} has an integer beyond int64${shown}`;
  return new RowFault('TFR_FEATURE', message, name, 'an int64', shown === '' ? undefined : String(value));
}

/** True for lines without a row. */
export function isBlank(line: Bytes): boolean {
  for (const byte of line) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  return true;
}

const ARRAY = worded`it begins an array, but JSON Lines have one object on each line${advice`: jq -c '.[]' converts an array`}`;

/** The value of a line. Integers are bigints, even beyond int64. @throws RowFault */
function parseJsonLine(line: Bytes): unknown {
  if (!isUtf8(line)) throw new RowFault('TFR_DECODE', 'it is not UTF-8');
  let value: unknown;
  try {
    const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString();
    value = losslessJson().parse(text, null, { parseNumber: numberOf, onDuplicateKey: refuseTwice });
  } catch (error) {
    if (error instanceof RowFault) throw error;
    // The parser is recursive, so deep nesting overflows the stack.
    if (error instanceof RangeError) throw new RowFault('TFR_DECODE', 'its lists or objects are nested too deeply');
    if (/^[ \t]*\[/.test(Buffer.from(line.subarray(0, 64)).toString())) throw new RowFault('TFR_DECODE', ARRAY);
    const why = error instanceof Error ? error.message : String(error);
    throw new RowFault('TFR_DECODE', `it is not JSON: ${why}`);
  }
  return value;
}

/** The object in a line. @throws RowFault */
export function parseJsonObject(line: Bytes): Readonly<Record<string, unknown>> {
  const value = parseJsonLine(line);
  if (isPlainObject(value)) return value;
  throw new RowFault('TFR_DECODE', Array.isArray(value) ? ARRAY : 'it is not an object of features');
}

function refuseTwice({ key }: { key: string }): never {
  throw new RowFault('TFR_DECODE', `the name ${JSON.stringify(key)} appears twice in an object`, key);
}

/** The row in a line. Leaves out features for which `reads` returns false. @throws RowFault */
export function parseRow(line: Bytes, reads: (name: string) => boolean = () => true): Row {
  const value = parseJsonObject(line);
  // Plain rows call this member `featureLists`; rows by a spec, and those of readers, call it `sequence`.
  const { context, featureLists = value['sequence'] } = value;
  const isSequence = Object.keys(value).length === 2 && isPlainObject(context) && isPlainObject(featureLists);
  if (!isSequence) return { features: featuresOf(value, reads), lists: undefined };
  const lists = new Map<string, readonly RowValues[]>();
  for (const [name, steps] of Object.entries(featureLists)) {
    checkName(name);
    if (!reads(name)) continue;
    if (!Array.isArray(steps)) throw unfit(name, 'a list of steps', steps);
    lists.set(
      name,
      steps.map((step) => valuesOf(name, step)),
    );
  }
  return { features: featuresOf(context, reads), lists };
}

function featuresOf(
  members: Readonly<Record<string, unknown>>,
  reads: (name: string) => boolean,
): Map<string, RowValues> {
  const features = new Map<string, RowValues>();
  for (const [name, value] of Object.entries(members)) {
    checkName(name);
    if (reads(name)) features.set(name, valuesOf(name, value));
  }
  return features;
}

function checkName(name: string): void {
  if (hasLoneSurrogate(name)) throw new RowFault('TFR_DECODE', 'a name has a lone surrogate', name);
}

/** A single value stands for a list of one. */
function valuesOf(name: string, value: unknown): RowValues {
  if (value === null) return null;
  if (!Array.isArray(value)) return [valueOf(name, value)];
  return value.map((item) => valueOf(name, item));
}

function valueOf(name: string, value: unknown): unknown {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (value === BEYOND_FLOAT32) throw beyondInt64(name);
  if (typeof value === 'string') {
    if (!hasLoneSurrogate(value)) return value;
    throw new RowFault('TFR_FEATURE', `feature ${JSON.stringify(name)} has text with a lone surrogate`, name);
  }
  return base64Bytes(name, value);
}

/** The bytes of `{"base64":…}`. @throws RowFault for other values */
export function base64Bytes(name: string, value: unknown): Buffer {
  const base64 = isPlainObject(value) && Object.keys(value).length === 1 ? value['base64'] : undefined;
  if (typeof base64 !== 'string')
    throw unfit(name, 'a number, a boolean, a string or {"base64":…}, or a list of these', value);
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') === base64) return bytes;
  throw new RowFault('TFR_FEATURE', `feature ${JSON.stringify(name)} has base64 that is not valid`, name);
}

function unfit(name: string, expected: string, value: unknown): RowFault {
  const found = Array.isArray(value) ? 'a list in a list' : value === null ? 'null' : `a value of type ${typeof value}`;
  const cure = Array.isArray(value)
    ? advice` (${named('spec')}) says how lists in lists are stored.`
    : name === 'features' && isPlainObject(value)
      ? advice` If this is a line of "tfrecord cat": "tfrecord convert IN OUT.jsonl" writes rows that can be read back.`
      : isPlainObject(value)
        ? advice` (${named('exclude')}) leaves it out.`
        : undefined;
  const message = worded`feature ${JSON.stringify(name)} has ${found}; expected ${expected}.${cure}`;
  return new RowFault('TFR_FEATURE', message, name, expected, found);
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}

/** The kind of a value in a row. */
export function kindOf(value: unknown): LiteralKind {
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return 'float';
  if (typeof value !== 'string') return 'bytes';
  if (value === '-0') return 'minusZero';
  return FLOAT_WORDS.includes(value) ? 'word' : isCanonicalInt64(value) ? 'digits' : 'bytes';
}

/** Maximum length of an int64, in characters. */
const INT64_LENGTH = 20;

/** True for an int64 in its usual form: no blanks, no plus sign, no leading zeros. */
function isCanonicalInt64(text: string): boolean {
  return text.length <= INT64_LENGTH && /^(?:0|-?[1-9]\d*)$/.test(text) && isInt64(BigInt(text));
}
