/**
 * Checks of the places in states. A state may come from anywhere, and anyone can compute its checksum, so each stage
 * checks its own place before it resumes. All functions throw TFRecordError TFR_STATE_MISMATCH, naming the stage at
 * `path`.
 */
import { inspect } from 'node:util';

import { TFRecordError } from '../../errors';
import type { Json } from './json';
import type { Mark } from './operator';

/** No chunk has more elements. */
export const MOST_ELEMENTS = 4096;
/** More than any stage lets a state skip; `openStage` knows how many the stage does. */
const MOST_SKIPPED = 2 ** 21;

/** The error for a place that is not one of the stage at `path`, or does not fit its input. */
export function misplaced(path: string, expected: string, found: unknown): TFRecordError {
  const shown = typeof found === 'string' ? found : inspect(found, { breakLength: Infinity, depth: 1 }).slice(0, 200);
  return misfit(path, path, expected, shown);
}

/** The error for files that are not those of the state. They belong to the stage at `path`. */
export function otherFiles(path: string, expected: string, found: string): TFRecordError {
  return misfit(path, `the files of ${path}`, expected, found);
}

function misfit(path: string, what: string, expected: string, found: string): TFRecordError {
  return new TFRecordError(
    'TFR_STATE_MISMATCH',
    `The state does not fit ${what}: expected ${expected}, found ${found}. Iterate without a state to start again.`,
    { stage: path, expected, found },
  );
}

/** Checks that `value` is a list of `length` members. */
export function placeList(path: string, value: Json | undefined, length: number): readonly Json[] {
  const list = placeListUpTo(path, value, length);
  if (list.length !== length) throw misplaced(path, `a place of ${length} members`, `${list.length} of them`);
  return list;
}

/** Checks that `value` is a list of at most `most` members. */
export function placeListUpTo(path: string, value: Json | undefined, most: number): readonly Json[] {
  if (!Array.isArray(value)) throw misplaced(path, 'a list', value);
  const list: readonly Json[] = value;
  if (list.length > most) throw misplaced(path, `a list of at most ${most} members`, `${list.length} of them`);
  return list;
}

/** Checks that `value` is an integer from 0 to `most`. The error calls it `what`. */
export function placeCount(
  path: string,
  what: string,
  value: Json | undefined,
  most = Number.MAX_SAFE_INTEGER,
): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= most) return value;
  throw misplaced(path, `${what} from 0 to ${most}`, value);
}

/** Checks that `value` is a string. The error calls it `what`. */
export function placeText(path: string, what: string, value: Json | undefined): string {
  if (typeof value !== 'string') throw misplaced(path, what, value);
  return value;
}

/** Checks that `value` is a place in an input. The input checks where it points to. No chunk lies at the start, null. */
export function placeMark(path: string, value: Json | undefined): Mark {
  const [at, skip] = placeList(path, value, 2);
  return [at as Json, placeCount(path, 'a number of elements to skip', skip, at === null ? 0 : MOST_SKIPPED)];
}

/** Checks `value` with `check`, unless it is null: null means that there is no such place or number. */
export function placeOrNull<T>(value: Json | undefined, check: (value: Json | undefined) => T): T | null {
  return value === null ? null : check(value);
}
