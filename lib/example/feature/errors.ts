import { types } from 'node:util';

import { invalidArgType, TFRecordError } from '../../base';
import { givenLength } from '../../io';
import type { BytesArray } from '../../tensor';

/** Returns a name in double quotes, cut if it is long. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);
}

/** Returns the error TFR_FEATURE for a value of `feature` that parsing by the spec would not restore. */
export function rowError(feature: string, expected: string, found = 'none'): TFRecordError {
  return new TFRecordError('TFR_FEATURE', `Feature ${quoted(feature)} must have ${expected}; it has ${found}`, {
    feature,
    expected,
    found,
  });
}

/**
 * Returns the actual number of elements of `view`, ignoring overridden properties. @throws TypeError
 * ERR_INVALID_ARG_VALUE if its memory was transferred, ERR_INVALID_ARG_TYPE for other values
 */
export function presentLength(name: string, view: unknown): number {
  if (!types.isTypedArray(view)) throw invalidArgType(name, 'a typed array', view);
  return givenLength(name, view);
}

/** Checks that the memory of byte strings was not transferred. @throws TypeError */
export function checkBytesPresent(name: string, { data, offsets }: BytesArray): void {
  presentLength(`${name}.data`, data);
  presentLength(`${name}.offsets`, offsets);
}
