/** Reads the index of gztool: its form is described where it is exported. Version 1 also counts lines. */
import { inflate } from 'node:zlib';

import { bytesOf, type ForeignBytes } from './foreign-bytes';
import { type ForeignSizes, MOST_WINDOW, type PointList } from './point-list';

const MAGIC_BYTES = 16;
const POINT_BYTES = 24;
/** zlib never makes a window much longer. */
const MOST_DEFLATED = MOST_WINDOW + 1024;
/** The last letter of the magic number of version 1, `gzipindX`. */
const COUNTS_LINES = 0x58;
const NOT_COUNTED = 0x78;

/** Adds the points of such an index to `points`. @throws TFRecordError TFR_STATE_MISMATCH if it is damaged */
export async function fromGztool(bytes: ForeignBytes, points: PointList): Promise<ForeignSizes> {
  const version = (await bytes.take(MAGIC_BYTES)).getUint8(MAGIC_BYTES - 1);
  const hasLines = version === COUNTS_LINES;
  if (!hasLines && version !== NOT_COUNTED) throw bytes.damaged('version 0 or 1 of gztool', 'another one');
  if (hasLines) await bytes.take(4);
  const counts = await bytes.take(16);
  const count = counts.getBigUint64(0);
  if (counts.getBigUint64(8) !== count) throw bytes.damaged('a complete index', 'one that gztool has not finished');
  for (let at = 0n; at < count; at++) {
    const point = await bytes.take(POINT_BYTES);
    const length = point.getUint32(20);
    if (length > MOST_DEFLATED) throw bytes.damaged(`a window of at most ${MOST_DEFLATED} bytes`, `${length}`);
    const window = length === 0 ? undefined : await windowOf(bytes, await bytes.take(length));
    if (hasLines) await bytes.take(8);
    await points.add({
      position: bytes.number(point.getBigUint64(8)),
      offset: bytes.number(point.getBigUint64(0)),
      bits: point.getUint32(16),
      window,
    });
  }
  const content = bytes.number((await bytes.take(8)).getBigUint64(0));
  if (hasLines) await bytes.take(8);
  if (bytes.left > 0) throw bytes.damaged('the end of the index', `${bytes.left} bytes more`);
  return { content };
}

function windowOf(bytes: ForeignBytes, deflated: DataView<ArrayBuffer>): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    inflate(bytesOf(deflated), { maxOutputLength: MOST_WINDOW }, (error, window) => {
      if (error === null) resolve(window);
      else reject(bytes.damaged(`a window of at most ${MOST_WINDOW} bytes, deflated`, 'other data'));
    });
  });
}
