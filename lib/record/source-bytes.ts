import { TFRecordError } from '../errors';
import { lengthOf } from './byte-length';

/**
 * `bytes`, which belong to the caller and had `length`, before a part of them is read. @throws TFRecordError TFR_CLOSED
 * when their memory was transferred or resized since: what is left would look like the end of the data.
 */
export function unchanged(bytes: Uint8Array, length: number, file: string): Uint8Array {
  const found = lengthOf(bytes);
  if (found === length) return bytes;
  throw new TFRecordError(
    'TFR_CLOSED',
    `The source bytes were transferred or resized while they were read (${file}): they were ${length} and are ` +
      `${found}. Leave them alone until the end, or give a copy (bytes.slice()).`,
    { file },
  );
}
