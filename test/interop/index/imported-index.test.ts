/** Indexes that other programs made of GZIP files: a scan by them gives the records, and uses their points. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { RecordIndex } from '../../../lib/record';
import { readForeign } from '../../../lib/record/index/foreign/import-index';
import { findIndexed } from '../../../lib/record/index/index-source';
import { native } from '../../../lib/native';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';
import { ofBgzip, ofGztool, ofIndexedGzip, PYTHON, record } from './programs';

const folder = new Folder();
afterAll(() => folder.remove());

const RECORDS = Array.from({ length: 1200 }, (_, index) => record(index));
const CONTENT = Buffer.from(tfrecord(RECORDS));

const FILES: Readonly<Record<string, () => Buffer>> = {
  'one member': () => gzipSync(CONTENT),
  'several members': () =>
    Buffer.concat([0, 2_500_000, 5_000_001].map((at, i, all) => gzipSync(CONTENT.subarray(at, all[i + 1])))),
};

/** Counts the points of the index `other` that a scan may use. */
async function pointsOf(other: string, path: string): Promise<number> {
  const { points } = await readForeign(other, await findIndexed(path).look());
  let count = 0;
  while (native().indexPoint(points!, count)) count++;
  return count;
}

async function expectRecords(path: string, other: string): Promise<void> {
  await using index = await RecordIndex.import(other, path, { checkpointBytes: 2 ** 20 });
  expect(index.faults).toEqual([]);
  const batch = await index.readBatch(RECORDS.map((_, at) => RECORDS.length - 1 - at));
  const texts = Array.from(batch, (bytes) => Buffer.from(bytes).toString());
  expect(texts.reverse()).toEqual(RECORDS);
}

const OF_INDEXED_GZIP = `
import indexed_gzip, sys
with indexed_gzip.IndexedGzipFile(sys.argv[1], spacing=1048576) as file:
    file.build_full_index()
    file.export_index(sys.argv[2])
`;

describe.each(Object.entries(FILES))('of a file with %s', (name, make) => {
  const path = folder.at(`${name.replaceAll(' ', '-')}.gz`);
  beforeAll(() => {
    writeFileSync(path, make());
  });

  ofIndexedGzip('indexed_gzip', () => {
    it('is imported', async () => {
      execFileSync(PYTHON, ['-c', OF_INDEXED_GZIP, path, `${path}.gzidx`]);
      await expectRecords(path, `${path}.gzidx`);
      expect(await pointsOf(`${path}.gzidx`, path)).toBeGreaterThan(5);
    });
  });

  ofGztool('gztool', () => {
    it.each([
      ['version 0', 'gzipindx', '-z'],
      ['version 1, which counts lines', 'gzipindX', '-x'],
    ])('is imported: %s', async (_version, magic, flag) => {
      const other = `${path}${flag}.gzi`;
      execFileSync('gztool', ['-i', '-s', '1', flag, '-I', other, path], { stdio: 'ignore' });
      expect(readFileSync(other, 'latin1').slice(8, 16)).toBe(magic);
      await expectRecords(path, other);
      expect(await pointsOf(other, path)).toBeGreaterThan(4);
    });
  });
});

ofBgzip('bgzip', () => {
  it('is imported', async () => {
    const path = folder.at('blocks');
    writeFileSync(path, CONTENT);
    execFileSync('bgzip', ['--index', path]);
    await expectRecords(`${path}.gz`, `${path}.gz.gzi`);
    expect(await pointsOf(`${path}.gz.gzi`, `${path}.gz`)).toBeGreaterThan(50);
  });
});
