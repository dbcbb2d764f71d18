import { types } from 'node:util';

import { invalidArgType, TFRecordError } from '../../base';
import { givenLength } from '../../io';
import type { BytesArray } from '../../tensor';

/** A name in double quotes, cut where it is long. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);
}

/** TFR_FEATURE: parsing by the spec could not give the value that is to be encoded as `feature`. */
export function rowError(feature: string, expected: string, found = 'none'): TFRecordError {
  return new TFRecordError('TFR_FEATURE', `Feature ${quoted(feature)} must have ${expected}; it has ${found}`, {
    feature,
    expected,
    found,
  });
}

/**
 * The number of elements that `view` has, whatever it says itself. Arrays whose memory is gone look like empty ones.
 * @throws TypeError ERR_INVALID_ARG_VALUE for them, ERR_INVALID_ARG_TYPE for other values
 */
export function presentLength(name: string, view: unknown): number {
  if (!types.isTypedArray(view)) throw invalidArgType(name, 'a typed array', view);
  return givenLength(name, view);
}

/** The error for values that are no byte strings. */
export function checkBytesPresent(name: string, { data, offsets }: BytesArray): void {
  presentLength(`${name}.data`, data);
  presentLength(`${name}.offsets`, offsets);
}
