/** Reads the small files that describe a data set of TensorFlow Datasets, and the values in their JSON. */
import { counted, isInteger, isObject, TFRecordError, thrownText } from '../../base';
import { readSmallFile } from '../../io';
import { textOf } from '../read/small-file';

/** Maximum length of a text in a message. */
const MAX_SHOWN = 64;

/** Reads a small text beside the records. @throws TFRecordError with Node's code; TFR_DECODE if it is too large or not UTF-8 */
export async function readText(file: string): Promise<string> {
  const bytes = await readSmallFile(file, (name, reason) => invalidFile(name, 'a small file', reason));
  // Another encoding would make one name of several.
  const text = textOf(bytes);
  if (text === undefined) throw invalidFile(file, 'UTF-8', 'other bytes');
  return text;
}

/** Reads a small file of JSON. @throws as {@link readText}; TFR_DECODE if it is not JSON */
export async function readJson(file: string): Promise<unknown> {
  const text = await readText(file);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidFile(file, 'JSON', thrownText(cause), cause);
  }
}

export function invalidFile(file: string, expected: string, found: string, cause?: unknown): TFRecordError {
  return new TFRecordError('TFR_DECODE', `${file} is not valid: expected ${expected}, found ${found}`, {
    file,
    expected,
    found,
    cause,
  });
}

/** The integer that `value` is or, as in protobuf's JSON, that it has as text; undefined for other values. */
export function integerOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  return isInteger(number, Number.MIN_SAFE_INTEGER) ? number : undefined;
}

/** Parsed JSON for a message: lists and objects, which may be of any size and depth, without their content. */
export function shownJson(value: unknown): string {
  if (typeof value === 'string') return quotedText(value);
  if (Array.isArray(value)) return `a list of ${counted(value.length, 'value')}`;
  if (isObject(value)) return 'an object';
  return value === undefined ? 'none' : JSON.stringify(value);
}

/** `text` in double quotes, cut if it is long. */
export function quotedText(text: string): string {
  return JSON.stringify(shortText(text));
}

/** `text`, cut if it is long. */
export function shortText(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
