import { types } from 'node:util';

import { givenLength } from '../../record';
import type { BytesArray } from '../tensor';

/** Arrays whose memory is gone look like empty ones. @throws TypeError ERR_INVALID_ARG_VALUE for them */
export function checkPresent(name: string, view: ArrayBufferView): void {
  if (types.isTypedArray(view) && view.byteLength === 0) givenLength(name, view as Uint8Array);
}

/** The same of byte strings. */
export function checkBytesPresent(name: string, { data, offsets }: BytesArray): void {
  checkPresent(`${name}.data`, data);
  checkPresent(`${name}.offsets`, offsets);
}
