/** The index of a file, and the commands that use it. */
import { existsSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { RecordIndex } from '../../../lib';
import { PEOPLE, PeopleFolder, PLACES } from '../../support/records/people';
import { flipBit, HEADER_BYTES, offsets, tfrecord } from '../../support/records/tfrecord';

const folder = new PeopleFolder();
afterAll(() => {
  folder.remove();
});

/** The origins of the printed records. */
function origins(stdout: string): number[] {
  const lines = stdout.split('\n').filter(Boolean);
  return lines.map((line) => (JSON.parse(line) as { origin: { record: number } }).origin.record);
}

/** Records of 2 KB, so that files are far longer than what is read of them. */
const MANY = Array.from({ length: 2000 }, (_, i) => `${i} `.repeat(400));

describe('tfrecord index', () => {
  it('saves the index beside the file', async () => {
    folder.put('a.tfrecord.gz', gzipSync(tfrecord(PEOPLE)));
    const { code, stdout, stderr } = await folder.here('index', 'a.tfrecord.gz');
    const { size } = statSync(folder.at('a.tfrecord.gz.tfindex'));
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `a.tfrecord.gz.tfindex: 5 records, ${size} bytes\n`,
      stderr: '',
    });
  });

  it('describes it in JSON, and saves it elsewhere', async () => {
    folder.put('b.tfrecord', tfrecord(PEOPLE));
    const { stdout } = await folder.here('index', '--json', '-o', 'elsewhere', 'b.tfrecord');
    const bytes = statSync(folder.at('elsewhere')).size;
    expect(JSON.parse(stdout)).toEqual({
      file: 'b.tfrecord',
      index: 'elsewhere',
      records: 5,
      bytes,
      damaged: 0,
      isCut: false,
    });
  });

  it('replaces an older index, and another file only with --force, but never the file itself', async () => {
    const content = tfrecord(PEOPLE);
    folder.put('kept.tfrecord', content);
    folder.put('other', 'of the user');
    for (let times = 0; times < 2; times++) expect((await folder.here('index', 'kept.tfrecord')).code).toBe(0);
    const refused = await folder.here('index', '-o', 'other', 'kept.tfrecord');
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('other exists: --force replaces it') as string,
    });
    expect(readFileSync(folder.at('other'), 'utf8')).toBe('of the user');
    expect((await folder.here('index', '--force', '-o', 'other', 'kept.tfrecord')).code).toBe(0);
    const itself = await folder.here('index', '--force', '-o', './kept.tfrecord', 'kept.tfrecord');
    expect(itself).toMatchObject({ code: 2, stderr: expect.stringContaining('is an input') as string });
    expect(readFileSync(folder.at('kept.tfrecord'))).toEqual(content);
  });

  it('notices before the scan that the index has no folder', async () => {
    const { code, stderr } = await folder.here('index', '-o', 'no/such/folder', 'people.tfrecord');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/ENOENT.*no\/such\/folder/) as string });
  });

  it('reads several files side by side, and reports them in their order', async () => {
    const names = Array.from({ length: 7 }, (_, i) => `several-${i}`);
    for (const [i, name] of names.entries()) {
      const copies = Array.from({ length: i === 0 ? 400 : 1 }, () => PEOPLE).flat();
      folder.put(name, i === 2 ? 'no records, but text' : tfrecord(copies));
    }
    const { code, stdout, stderr } = await folder.here('index', ...names, 'missing');
    expect(code).toBe(1);
    const whole = names.filter((_, i) => i !== 2);
    expect(stdout.split('\n').map((line) => line.replace(/:.*/, ''))).toEqual([
      ...whole.map((name) => `${name}.tfindex`),
      '',
    ]);
    expect(stdout).toContain('several-0.tfindex: 2,000 records');
    expect(stderr).toContain('several-2');
    expect(stderr).toContain('missing');
  });

  it('writes the index of another program', async () => {
    folder.put('c.tfrecord', tfrecord(PEOPLE));
    expect(await folder.here('index', '--export', 'tfrecord2idx', 'c.tfrecord')).toMatchObject({ code: 0 });
    expect(readFileSync(folder.at('c.tfrecord.idx'), 'latin1').split('\n')[1]).toMatch(`${PLACES[1]} `);
    expect(existsSync(folder.at('c.tfrecord.tfindex'))).toBe(false);
    const { code, stderr } = await folder.here('index', '--export', 'gztool', 'c.tfrecord');
    expect(code).toBe(1);
    expect(stderr).toContain('expected a GZIP file, found an uncompressed file');
  });

  it('scans a file by the index of another program', async () => {
    folder.put('i.tfrecord.gz', gzipSync(tfrecord(PEOPLE)));
    expect(await folder.here('index', '--export', 'gztool', 'i.tfrecord.gz')).toMatchObject({ code: 0 });
    const { code, stdout } = await folder.here('index', '--import', 'i.tfrecord.gz.gzi', '--json', 'i.tfrecord.gz');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ index: 'i.tfrecord.gz.tfindex', records: 5, isCut: false });
    rmSync(folder.at('i.tfrecord.gz.tfindex'));
    folder.put('other.idx', '0 1\n');
    const refused = await folder.here('index', '--import', 'other.idx', 'i.tfrecord.gz');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('TFR_STATE_MISMATCH: other.idx cannot be used');
    expect(existsSync(folder.at('i.tfrecord.gz.tfindex'))).toBe(false);
    const several = await folder.here('index', '--import', 'other.idx', 'i.tfrecord.gz', 'a.tfrecord.gz');
    expect(several.code).toBe(2);
    expect(several.stderr).toContain('--import names the index of one file, and there are 2 files');
  });

  it('indexes no file of another kind, as another index', async () => {
    folder.put('again.tfrecord', tfrecord(PEOPLE));
    await folder.here('index', 'again.tfrecord');
    const { code, stdout, stderr } = await folder.here('index', 'again.tfrecord.tfindex');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('TFR_NOT_TFRECORD: again.tfrecord.tfindex is not a TFRecord file');
    expect(stderr).toContain('it looks like the index of a TFRecord file. Name the file that lies beside it.');
    expect(existsSync(folder.at('again.tfrecord.tfindex.tfindex'))).toBe(false);
  });

  it('fails where data is damaged, and goes on with the next file', async () => {
    folder.put('d.tfrecord', tfrecord(PEOPLE).subarray(0, PLACES[3]! + 3));
    folder.put('e.tfrecord', tfrecord(PEOPLE));
    const { code, stdout, stderr } = await folder.here('index', 'd.tfrecord', 'missing', 'e.tfrecord');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^d\.tfrecord\.tfindex: 3 records, .*\ne\.tfrecord\.tfindex: 5 records, .*\n$/);
    expect(stderr).toMatch(/TFR_TRUNCATED.*d\.tfrecord/);
    expect(stderr).toMatch(/ENOENT.*missing/);
  });

  it.each([
    [['index', '-'], 'standard input cannot have an index'],
    [['index', '-o', 'x', 'people.tfrecord', 'flipped.tfrecord'], '--output names one index'],
    [['index', '--key', 'name', '--export', 'gztool', 'people.tfrecord'], '--key cannot be combined with --export'],
    [['index', 'https://localhost/a'], '--output must name a file for the index of https://localhost/a'],
    [['get', 'people.tfrecord'], 'get needs either the numbers of records, or --key with a value'],
    [['get', 'people.tfrecord', '1', '--key', 'x'], 'get needs either the numbers of records, or --key with a value'],
    [['get', 'people.tfrecord', 'one'], 'Expected the number of a record'],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await folder.here(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('tfrecord get', () => {
  it.each(['with an index', 'without an index'])('prints records in the order asked for, %s', async (how) => {
    const name = how.replaceAll(' ', '-');
    folder.put(name, gzipSync(tfrecord(PEOPLE)));
    if (how === 'with an index') await folder.here('index', name);
    const { code, stdout, stderr } = await folder.here('get', '--origin', name, '3', '0', '3');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(origins(stdout)).toEqual([3, 0, 3]);
    const all = (await folder.here('cat', '--origin', name)).stdout.split('\n');
    expect(stdout).toBe(`${all[3]}\n${all[0]}\n${all[3]}\n`);
    const missing = await folder.here('get', name, '4', '5');
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain(`${name} has no record 5: it has 5 records, numbered from 0`);
  });

  it.each(['both', 'first', 'second', 'none'])(
    'counts over all files of a pattern: %s with an index',
    async (indexed) => {
      const files = ['first', 'second'].map((part) => `${indexed}-${part}.gz`);
      files.forEach((file, at) => folder.put(file, gzipSync(tfrecord(PEOPLE.slice(2 * at, 2 * at + 3)))));
      for (const file of files) {
        if (indexed === 'both' || file.includes(`-${indexed}`)) await folder.here('index', '--key', 'name', file);
      }
      const all = (await folder.here('cat', '--origin', ...files)).stdout.split('\n');
      const { code, stdout, stderr } = await folder.here('get', '--origin', `${indexed}-*.gz`, '5', '0', '3');
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${all[5]}\n${all[0]}\n${all[3]}\n`, stderr: '' });
      const missing = await folder.here('get', `${indexed}-*.gz`, '6');
      expect(missing.stderr).toContain(`${indexed}-*.gz has no record 6: it has 6 records`);
      if (indexed !== 'both') return;
      const { features } = JSON.parse(all[2]!) as { features: { name: string[] } };
      const keyed = await folder.here('get', '--origin', 'both-*.gz', '--key', features.name[0]!);
      expect(keyed.stdout).toBe(`${all[2]}\n${all[3]}\n`);
    },
  );

  it('checks the record', async () => {
    const bytes = tfrecord(MANY);
    folder.put('checked', bytes);
    await folder.here('index', 'checked');
    const { mtime } = statSync(folder.at('checked'));
    const damaged = flipBit(bytes, offsets(MANY)[1000]! + HEADER_BYTES);
    folder.put('checked', damaged);
    // The index cannot notice: size, time and both ends are as they were.
    utimesSync(folder.at('checked'), mtime, mtime);
    expect(await folder.here('get', '--full', 'checked', '999', '1001')).toMatchObject({ code: 0, stderr: '' });
    const { code, stdout, stderr } = await folder.here('get', 'checked', '1000');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('TFR_CORRUPT_DATA');
    expect(stderr).toContain('record 1000');
  });

  it('reads without an index that does not fit, and says so', async () => {
    folder.put('stale', tfrecord(PEOPLE));
    await folder.here('index', 'stale');
    folder.put('stale', tfrecord(PEOPLE.slice(0, 2)));
    const { code, stdout, stderr } = await folder.here('get', '--origin', 'stale', '1');
    expect({ code, records: origins(stdout) }).toEqual({ code: 0, records: [1] });
    expect(stderr).toContain('stale.tfindex cannot be used');
  });

  it('finds a record by its key', async () => {
    folder.put('keyed', tfrecord(PEOPLE));
    await folder.here('index', '--key', 'name', 'keyed');
    const { stdout } = await folder.here('cat', '--origin', 'keyed');
    const people = stdout.split('\n').filter(Boolean);
    const { origin, features } = JSON.parse(people[3]!) as { origin: object; features: { name: string[] } };
    const got = await folder.here('get', '--origin', 'keyed', '--key', features.name[0]!);
    expect(JSON.parse(got.stdout)).toMatchObject({ origin });
    const none = await folder.here('get', 'keyed', '--key', 'Nobody');
    expect(none.code).toBe(1);
    expect(none.stderr).toContain('keyed has no record with the key "Nobody": the keys are values of "name"');
    folder.put('unkeyed', tfrecord(PEOPLE));
    const misspelt = await folder.here('index', '--key', 'nme', 'unkeyed');
    expect(misspelt.stderr).toContain('no record of unkeyed has a value of "nme"');
    rmSync(folder.at('unkeyed.tfindex'));
    expect((await folder.here('get', 'unkeyed', '--key', 'x')).stderr).toContain('has no index with keys');
    await folder.here('index', 'unkeyed');
    expect((await folder.here('get', 'unkeyed', '--key', 'x')).stderr).toContain('has no index with keys');
  });
});

it('a device has no index', async () => {
  expect(await folder.here('index', '/dev/null')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^tfrecord: error: \/dev\/null is a pipe or a device, which cannot have an index: [^\n]+\n$/,
    ),
  });
});

describe('commands that use an index', () => {
  beforeAll(async () => {
    for (const name of ['indexed.tfrecord', 'plain.tfrecord']) folder.put(name, tfrecord(MANY));
    for (const name of ['indexed.gz', 'plain.gz']) folder.put(name, gzipSync(tfrecord(MANY)));
    await folder.here('index', 'indexed.tfrecord', 'indexed.gz');
  });

  it.each([0, 3, 1999, 2000, 2005, 3999, 4000])('head --skip %s gives the same with and without', async (skip) => {
    const args = ['head', '--origin', '-n', '3', '--skip', String(skip)];
    const by = await folder.here(...args, 'indexed.tfrecord', 'indexed.gz');
    const without = await folder.here(...args, 'plain.tfrecord', 'plain.gz');
    expect(by.stdout.replaceAll('indexed', 'plain')).toBe(without.stdout);
    expect(by.code).toBe(0);
    expect(origins(by.stdout)).toEqual(
      [0, 1, 2]
        .map((i) => skip + i)
        .filter((i) => i < 4000)
        .map((i) => i % 2000),
    );
  });

  it('sample gives the same with and without', async () => {
    const args = ['sample', '--origin', '-n', '7', '--seed', '3'];
    const by = await folder.here(...args, 'indexed.tfrecord', 'indexed.gz');
    const mixed = await folder.here(...args, 'indexed.tfrecord', 'plain.gz');
    const without = await folder.here(...args, 'plain.tfrecord', 'plain.gz');
    expect(by.stdout.replaceAll('indexed', 'plain')).toBe(without.stdout);
    expect(mixed.stdout.replaceAll('indexed', 'plain')).toBe(without.stdout);
    expect(origins(by.stdout)).toHaveLength(7);
  });

  it('sample lets the event loop turn while it draws from many records, so that an interrupt ends it', async () => {
    const records = jest.spyOn(RecordIndex.prototype, 'records', 'get').mockReturnValue(400_000);
    const begin = performance.now();
    let [last, longest] = [begin, 0];
    const look = (): void => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    };
    const timer = setInterval(look, 1);
    const { stderr } = await folder.here('sample', '-n', '1', '--seed', '1', 'indexed.tfrecord');
    look();
    clearInterval(timer);
    records.mockRestore();
    expect(stderr).toMatch(/no record \d{4,}/);
    expect(longest).toBeLessThan((last - begin) / 2);
  });

  it('count takes the number from the index only if it is asked to', async () => {
    const by = await folder.here('count', '--by-index', 'indexed.gz');
    expect(by).toMatchObject({ code: 0, stdout: '2000\n' });
    expect(by.stderr).toContain('note: indexed.gz: by index, data not read');
    const several = await folder.here('count', '--by-index', 'indexed.gz', 'plain.gz', 'indexed.tfrecord');
    expect(several).toMatchObject({ code: 0, stderr: 'tfrecord: note: 2 files: by index, data not read\n' });
    expect(JSON.parse((await folder.here('count', '--by-index', '--json', 'indexed.gz')).stdout)).toEqual({
      file: 'indexed.gz',
      records: 2000,
      skipped: 0,
      lostBytes: 0,
      byIndex: true,
    });
    expect((await folder.here('count', 'indexed.gz')).stderr).toBe('');
    expect((await folder.here('count', '--by-index', 'plain.gz')).stdout).toBe('2000\n');
  });
});
