/** A damaged stream fails at the same byte, after the same records, whatever the sizes of its chunks. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, deflateSync, gzipSync } from 'node:zlib';

import { readRecords, type RecordSource, type TFRecordError } from '../../lib';
import { randoms } from '../support/randoms';
import { flipBit, pieces, tfrecord } from '../support/records/tfrecord';

const folder = mkdtempSync(join(tmpdir(), 'tfr-offsets-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const random = randoms(13);
/** Returns letters of different frequencies, so that deflate uses codes of many lengths. */
const letters = (length: number): string =>
  Array.from({ length }, () => String.fromCharCode(97 + 26 * random() * random())).join('');
const CONTENT = tfrecord(Array.from({ length: 10 }, () => letters(80)));
/** Many deflate blocks: a header about every hundred bytes. */
const BLOCKS = { memLevel: 1 };

interface Failure {
  readonly records: number;
  readonly code: string | undefined;
  readonly offset: number | undefined;
  readonly deflate: boolean;
}

async function failure(source: RecordSource): Promise<Failure> {
  let records = 0;
  try {
    for await (const record of readRecords(source)) records += record.length > 0 ? 1 : 0;
    return { records, code: undefined, offset: undefined, deflate: false };
  } catch (error) {
    const { code, compressedOffset, message } = error as TFRecordError;
    return { records, code, offset: compressedOffset, deflate: message.includes('deflate data') };
  }
}

test.each<[string, Buffer]>([
  ['zlib', deflateSync(CONTENT, BLOCKS)],
  ['gzip', gzipSync(CONTENT, BLOCKS)],
  ['gzip of Huffman codes alone', gzipSync(CONTENT, { ...BLOCKS, strategy: constants.Z_HUFFMAN_ONLY })],
])('%s', async (name, whole) => {
  const path = join(folder, name);
  let ofDeflate = 0;
  // The stride reaches every bit of a byte.
  for (let bit = 8 * 12; bit < 8 * (whole.length - 8); bit += 41) {
    const broken = flipBit(whole, Math.floor(bit / 8), bit % 8);
    writeFileSync(path, broken);
    const expected = await failure(broken);
    if (expected.deflate) ofDeflate++;
    for (const [how, source] of [
      ['by 1', pieces(broken, 1)],
      ['by 7', pieces(broken, 7)],
      ['by 64 KiB', pieces(broken, 65_536)],
      ['path', path],
    ] as const) {
      expect({ bit, how, ...(await failure(source)) }).toEqual({ bit, how, ...expected });
    }
  }
  expect(ofDeflate).toBeGreaterThanOrEqual(10);
});
