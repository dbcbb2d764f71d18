/** Indexes in the forms of other programs: these programs read the same bytes by them. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';

import { writeRecords } from '../../../lib';
import { RecordIndex } from '../../../lib/record';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';
import { ofBgzip, ofGztool, ofIndexedGzip, PYTHON, record } from './programs';

const folder = new Folder();
afterAll(() => folder.remove());

const RECORDS = Array.from({ length: 1200 }, (_, index) => record(index));
const CONTENT = Buffer.from(tfrecord(RECORDS));
const OFFSETS = [0, 1, 32_767, 1_000_000, 1_048_576, 3_333_333, CONTENT.length - 65_536, CONTENT.length - 1];
const LENGTH = 40_000;

interface Indexed {
  readonly path: string;
  readonly content: Buffer;
  readonly index: RecordIndex;
}

async function indexed(name: string, bytes: Uint8Array, content = CONTENT): Promise<Indexed> {
  const path = folder.at(name);
  writeFileSync(path, bytes);
  const index = RecordIndex.scan(path, { checkpointBytes: 2 ** 20 });
  await index.done;
  return { path, content, index };
}

const parts = [0, 40, 3_000_000, 3_000_001, CONTENT.length].map((end, at, ends) =>
  CONTENT.subarray(ends[at - 1] ?? 0, end),
);

async function ofOurWriter(): Promise<Uint8Array> {
  const path = folder.at('written.tfrecord.gz');
  await writeRecords(path, RECORDS);
  return readFileSync(path);
}

/** GZIP files of every layout. */
const FILES: Record<string, () => Promise<Indexed>> = {
  'one member': () => indexed('one.gz', gzipSync(CONTENT)),
  'several members, some without content': () =>
    indexed('several.gz', Buffer.concat(parts.map((part) => gzipSync(part)))),
  'members of our writer': async () => indexed('ours.gz', await ofOurWriter()),
  'a short file': () => indexed('short.gz', gzipSync(tfrecord(['a', 'b'])), Buffer.from(tfrecord(['a', 'b']))),
  'no record': () => indexed('empty.gz', gzipSync(''), Buffer.alloc(0)),
};

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const within = (content: Buffer): number[] => OFFSETS.filter((offset) => offset < content.length);

ofGztool('gztool', () => {
  it.each(Object.entries(FILES))('reads by an exported index: %s', async (_name, make) => {
    const { path, content, index } = await make();
    const exported = `${path}.gzi`;
    await index.export(exported, 'gztool');
    const listed = execFileSync('gztool', ['-ll', '-I', exported, path], { encoding: 'utf8', stdio: 'pipe' });
    expect(listed).not.toContain('ERROR');
    for (const offset of within(content)) {
      const read = execFileSync('gztool', ['-W', '-b', String(offset), '-I', exported, path], {
        maxBuffer: 2 ** 26,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      expect(sha256(read)).toBe(sha256(content.subarray(offset)));
    }
  });
});

ofIndexedGzip('indexed_gzip', () => {
  it.each(Object.entries(FILES))('reads by an exported index: %s', async (_name, make) => {
    const { path, content, index } = await make();
    const exported = `${path}.gzidx`;
    await index.export(exported, 'indexed_gzip');
    const pieces = within(content);
    const printed = execFileSync(
      PYTHON,
      [join(__dirname, 'exported_index.py'), path, exported, ...pieces.flatMap((offset) => [`${offset}`, `${LENGTH}`])],
      { encoding: 'utf8' },
    );
    expect(printed.split('\n').filter(Boolean)).toEqual(
      pieces.map((offset) => sha256(content.subarray(offset, offset + LENGTH))),
    );
  });
});

describe('an index of one member', () => {
  it('has a window for each interval', async () => {
    const { path, content } = await FILES['one member']!();
    const index = RecordIndex.scan(path, { checkpointBytes: 2 ** 20 });
    await index.export(`${path}.size`, 'indexed_gzip');
    expect(statSync(`${path}.size`).size).toBeGreaterThan(32_768 * Math.floor(content.length / 2 ** 21));
  });
});

ofBgzip('bgzip', () => {
  it('has the same index of its own file', async () => {
    const path = folder.at('blocks');
    writeFileSync(path, CONTENT);
    execFileSync('bgzip', ['--index', path]);
    const own = readFileSync(`${path}.gz.gzi`);
    const index = RecordIndex.scan(`${path}.gz`);
    await index.export(`${path}.exported`, 'bgzip');
    await index.close();
    expect(readFileSync(`${path}.exported`).equals(own)).toBe(true);
  });

  it('has no index of a file that another program wrote', async () => {
    const { path, index } = await FILES['one member']!();
    await expect(index.export(`${path}.exported`, 'bgzip')).rejects.toMatchObject({
      code: 'TFR_STATE_MISMATCH',
      message: `${path} has no index of bgzip: expected a block that bgzip wrote at byte 0, found other data. Choose the format of another program.`,
    });
  });
});

describe('files of other kinds', () => {
  it('are refused', async () => {
    const { path, index } = await indexed('file.zlib', deflateSync(CONTENT));
    for (const format of ['gztool', 'indexed_gzip', 'bgzip', 'tfrecord2idx'] as const) {
      await expect(index.export(`${path}.exported`, format)).rejects.toMatchObject({
        code: 'TFR_STATE_MISMATCH',
        found: 'a ZLIB file',
      });
    }
  });
});
