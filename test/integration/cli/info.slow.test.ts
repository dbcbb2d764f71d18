import { mkdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { PEOPLE, PeopleFolder, PLACES } from '../../support/records/people';
import { cliResult, runCli, startCli } from '../../support/running/run-cli';
import { compress, flipBit, tfrecord } from '../../support/records/tfrecord';

const folder = new PeopleFolder();
afterAll(() => {
  folder.remove();
});

describe('tfrecord info', () => {
  it('tells compression, counts, sizes and type', async () => {
    const lengths = PEOPLE.map((record) => record.length);
    const bytes = lengths.reduce((sum, length) => sum + length);
    const { code, stdout } = await folder.run('info', '--json', 'people.tfrecord.gz');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      file: 'people.tfrecord.gz',
      compression: 'gzip',
      fileBytes: readFileSync(folder.at('people.tfrecord.gz')).length,
      complete: true,
      records: 5,
      bytes,
      recordBytes: { min: Math.min(...lengths), mean: bytes / 5, max: Math.max(...lengths) },
      recordType: 'Example',
      recordTypes: { Example: 5 },
      sampled: 5,
      lostBytes: 0,
      fault: null,
    });
  });

  it('of a folder: names what writers and caches left in it', async () => {
    mkdirSync(folder.at('left/kept.412-0123456789abcdef.tmp'), { recursive: true });
    const name = '.out.tfrecord.412-0123456789ab.tmp';
    folder.put(`left/${name}`, tfrecord(PEOPLE));
    folder.put('left/other.tmp', tfrecord(PEOPLE));
    const told = (path: string, what: string): string =>
      `tfrecord: note: ${path} is ${what} that process 412 left behind, or still writes: it may be incomplete\n`;
    const writers = told(`left/${name}`, 'the temporary file of a writer');
    for (const command of ['info', 'count', 'verify', 'head']) {
      const { code, stderr } = await folder.run(command, 'left');
      expect(code).toBe(0);
      expect(stderr).toContain(writers);
      expect(stderr).toContain(told('left/kept.412-0123456789abcdef.tmp', 'the folder of a cache'));
      expect(stderr).not.toContain('other.tmp is');
    }
    // A leftover is read if it is named.
    expect(await folder.run('count', `left/${name}`)).toEqual({
      code: 0,
      signal: null,
      stdout: '5\n',
      stderr: writers,
    });
    expect(await folder.run('count', 'left/*')).toMatchObject({ code: 0, stdout: '5\n', stderr: '' });
  });

  it('tells it in words', async () => {
    const { stdout } = await folder.run('info', 'people.tfrecord');
    expect(stdout).toMatch(/^people\.tfrecord\n {2}compression {2}none\n/);
    expect(stdout).toMatch(/\n {2}records {6}5\n/);
    expect(stdout).toMatch(/\n {2}record type {2}Example\n$/);
  });

  it('tells what an empty file is', async () => {
    folder.put('empty', Buffer.alloc(0));
    expect(JSON.parse((await folder.run('info', '--json', 'empty')).stdout)).toMatchObject({
      compression: 'none',
      records: 0,
      recordBytes: null,
      recordType: null,
    });
  });

  it.each([
    ['plain', tfrecord(PEOPLE), 'none'],
    ['gzip', gzipSync(tfrecord(PEOPLE)), 'gzip'],
    ['zlib', compress(tfrecord(PEOPLE), 'zlib'), 'zlib'],
    // A record of 40,056 bytes, whose length looks like the magic of zlib.
    ['looks like zlib', tfrecord([Buffer.alloc(0x9c78)]), 'none'],
  ])('knows the compression of standard input that trickles in (%s)', async (_name, bytes, compression) => {
    const child = startCli(['info', '--json', '-']);
    const result = cliResult(child);
    child.stdin.write(bytes.subarray(0, 5));
    await new Promise((resolve) => setTimeout(resolve, 100));
    child.stdin.end(bytes.subarray(5));
    const { code, stdout } = await result;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ file: '-', compression, fileBytes: bytes.length });
  });

  it('ends on standard input that is shorter than a header', async () => {
    const { code, stdout } = await runCli(['info', '--json', '-'], { input: 'abc' });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ records: 0, fault: { code: 'TFR_NOT_TFRECORD' } });
  });

  it('tells what it knows of a damaged file, then fails', async () => {
    folder.put('short.tfrecord', flipBit(tfrecord(PEOPLE), PLACES[3]! + 1));
    const fileBytes = readFileSync(folder.at('short.tfrecord')).length;
    const { code, stdout, stderr } = await folder.run('info', '--json', 'short.tfrecord');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      fileBytes,
      complete: false,
      records: 3,
      fault: { code: 'TFR_CORRUPT_LENGTH' },
    });
    expect(stderr).toMatch(/^tfrecord: error: TFR_CORRUPT_LENGTH/);
    const skipping = await folder.run('info', '--json', '--on-error', 'skip', 'short.tfrecord');
    expect(JSON.parse(skipping.stdout)).toMatchObject({ records: 3, lostBytes: fileBytes - PLACES[3]!, fault: null });
    const inWords = await folder.run('info', 'short.tfrecord');
    expect(inWords.stdout).toContain(`\n  file         ${fileBytes} bytes\n  records      3 before the fault\n`);
  });

  it('does not call complete what was accepted with losses', async () => {
    const { code, stdout } = await folder.run('info', '--json', '--on-error', 'skip', 'flipped.tfrecord');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ complete: false, records: 4, fault: null });
    const inWords = await folder.run('info', '--on-error', 'skip', 'flipped.tfrecord');
    expect(inWords.stdout).toContain('\n  records      4 without what was lost\n');
  });

  it('judges the type by the first hundred records, and says so', async () => {
    const records = Array.from({ length: 150 }, (_, i) => (i % 2 === 0 ? PEOPLE[0]! : Buffer.from([255])));
    folder.put('mixed.tfrecord', tfrecord(records));
    expect(JSON.parse((await folder.run('info', '--json', 'mixed.tfrecord')).stdout)).toMatchObject({
      records: 150,
      recordTypes: { Example: 50, unknown: 50 },
      sampled: 100,
    });
    expect((await folder.run('info', 'mixed.tfrecord')).stdout).toContain(
      'mixed: 50 Example, 50 unknown, of the first 100\n',
    );
  });
});
