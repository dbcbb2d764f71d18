/** The offsets of records as tfrecord2idx of DALI writes them. Forms for GZIP files: test/interop/index. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { RecordIndex } from '../../../../lib/record';
import { Folder } from '../../../support/records/record-files';
import { flipBit, tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

async function exported(name: string, bytes: Uint8Array): Promise<string> {
  const path = folder.at(name);
  writeFileSync(path, bytes);
  const index = RecordIndex.scan(path);
  try {
    await index.export(`${path}.idx`, 'tfrecord2idx');
  } finally {
    await index.close();
  }
  return readFileSync(`${path}.idx`, 'latin1');
}

describe('tfrecord2idx', () => {
  it('has a line for each record: the offset and the length of its frame', async () => {
    expect(await exported('three', tfrecord(['a', '', 'record']))).toBe('0 17\n17 16\n33 22\n');
    expect(await exported('none', new Uint8Array(0))).toBe('');
  });

  it('has each of many records', async () => {
    const lengths = Array.from({ length: 20_000 }, (_, at) => (at * at) % 300);
    const lines = (await exported('many', tfrecord(lengths.map((length) => 'x'.repeat(length))))).split('\n');
    expect(lines.pop()).toBe('');
    let offset = 0;
    const expected = lengths.map((length) => {
      const line = `${offset} ${length + 16}`;
      offset += length + 16;
      return line;
    });
    expect(lines).toEqual(expected);
  });

  it('has damaged records, too, but no file of which the rest is unknown', async () => {
    const bytes = tfrecord(['first', 'second']);
    expect(await exported('damaged', flipBit(bytes, 12))).toBe('0 21\n21 22\n');
    await expect(exported('cut', bytes.subarray(0, 30))).rejects.toMatchObject({
      code: 'TFR_STATE_MISMATCH',
      expected: 'a whole file',
      found: 'damage that hides its rest',
    });
    expect(existsSync(folder.at('cut.idx'))).toBe(false);
  });

  it('is not there for compressed files', async () => {
    await expect(exported('file.gz', gzipSync(tfrecord(['a'])))).rejects.toMatchObject({
      code: 'TFR_STATE_MISMATCH',
      expected: 'an uncompressed file',
      found: 'a GZIP file',
    });
  });

  it('names the formats', async () => {
    const index = RecordIndex.scan(tfrecord(['a']));
    await expect(index.export('x', 'dali' as never)).rejects.toThrow(
      'must be one of "indexed_gzip", "gztool", "bgzip", "tfrecord2idx"',
    );
    await expect(index.export('x', undefined as never)).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
    await index.close();
  });
});
