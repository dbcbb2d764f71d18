import { mkdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { END, PEOPLE, PeopleFolder, PLACES } from '../../support/records/people';
import { runCli } from '../../support/running/run-cli';
import { append, claimLength, compress, cut, flipBit, HEADER_BYTES, tfrecord } from '../../support/records/tfrecord';

const folder = new PeopleFolder();
afterAll(() => {
  folder.remove();
});

describe('tfrecord verify', () => {
  it('says that all is well', async () => {
    const bytes = PEOPLE.reduce((sum, record) => sum + record.length, 0);
    expect(await folder.run('verify', 'people.tfrecord.gz')).toEqual({
      code: 0,
      signal: null,
      stdout: `ok: people.tfrecord.gz: 5 records, ${bytes} bytes\n`,
      stderr: '',
    });
  });

  it('tells every fault of every file', async () => {
    const file = tfrecord(PEOPLE);
    const twice = flipBit(flipBit(file, PLACES[1]! + HEADER_BYTES), PLACES[3]! + HEADER_BYTES);
    folder.put('twice.tfrecord', append(twice, Buffer.from('abc')));
    const { code, stdout } = await folder.run('verify', '--json', 'twice.tfrecord', 'people.tfrecord');
    expect(code).toBe(1);
    const [damaged, whole] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(damaged).toMatchObject({
      file: 'twice.tfrecord',
      records: 3,
      faults: [
        { code: 'TFR_CORRUPT_DATA', record: 1, offset: PLACES[1] },
        { code: 'TFR_CORRUPT_DATA', record: 3, offset: PLACES[3] },
        { code: 'TFR_TRUNCATED', record: 5, offset: END },
      ],
    });
    expect(whole).toMatchObject({ file: 'people.tfrecord', records: 5, faults: [], error: null });

    const inWords = await folder.run('verify', 'twice.tfrecord');
    const lines = inWords.stdout.trim().split('\n');
    expect(inWords.code).toBe(1);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(
      new RegExp(`^fault: TFR_CORRUPT_DATA: .*twice\\.tfrecord, record 1, at byte ${PLACES[1]}`),
    );
    expect(lines[3]).toMatch(/^damaged: twice\.tfrecord: 3 faults; 3 records, \d+ bytes whole$/);
  });

  it.each([
    ['a cut record', cut(tfrecord(PEOPLE), -3), 'TFR_TRUNCATED'],
    ['a wrong length', flipBit(tfrecord(PEOPLE), PLACES[4]! + 1), 'TFR_CORRUPT_LENGTH'],
    ['a huge length', claimLength(tfrecord(PEOPLE), PLACES[4]!, 2n ** 40n), 'TFR_RECORD_TOO_LARGE'],
    ['a gzip file without its trailer', cut(gzipSync(tfrecord(PEOPLE)), -8), 'TFR_TRUNCATED'],
    ['bytes behind a gzip file', append(gzipSync(tfrecord(PEOPLE)), Buffer.from('abc')), 'TFR_TRAILING_DATA'],
    ['a wrong trailer', flipBit(gzipSync(tfrecord(PEOPLE)), gzipSync(tfrecord(PEOPLE)).length - 6), 'TFR_COMPRESSION'],
    ['a flipped bit', flipBit(tfrecord(PEOPLE), PLACES[3]! + HEADER_BYTES), 'TFR_CORRUPT_DATA'],
    ['a zip file', Buffer.from('PK\x03\x04 and then something else'), 'TFR_NOT_TFRECORD'],
  ])('finds %s, and gives no advice that it does not take', async (_name, bytes, code) => {
    folder.put('damaged', bytes);
    const result = await folder.run('verify', '--json', 'damaged');
    expect(result.code).toBe(1);
    const { faults } = JSON.parse(result.stdout) as { readonly faults: readonly { code: string; message: string }[] };
    expect(faults.map((fault) => fault.code)).toContain(code);
    const inWords = await folder.run('verify', 'damaged');
    expect(inWords.stdout).toContain(`fault: ${code}: `);
    // Hints are of the library's options, for programs that read the file.
    for (const text of [inWords.stdout, ...faults.map(({ message }) => message)])
      expect(text).not.toMatch(/on-?error/i);
  });

  it.each(['gzip', 'zlib'] as const)('says of a wrong %s trailer no more than it costs', async (codec) => {
    const another = compress(tfrecord(PEOPLE), codec);
    const one = flipBit(another, another.length - 2);
    folder.put('trailer', one);
    const { stdout } = await folder.run('verify', 'trailer');
    expect(stdout).toMatch(/trailer.*Restore the file\.\ndamaged: trailer: 1 fault; 5 records/);
    expect(stdout).not.toContain('cannot be read');
    folder.put('trailer', append(one, another));
    expect((await folder.run('verify', 'trailer')).stdout).toContain(
      `The last ${another.length} bytes of the file cannot be read.`,
    );
  });

  it('calls what is missing, and what is no file, not damaged but unreadable', async () => {
    mkdirSync(folder.at('empty'));
    const missing = await folder.run('verify', 'missing.tfrecord', 'empty', 'people.tfrecord');
    expect(missing.code).toBe(1);
    expect(missing.stdout.split('\n')).toEqual([
      expect.stringMatching(/^cannot read: ENOENT: .*missing\.tfrecord/),
      expect.stringMatching(/^cannot read: EISDIR: /),
      expect.stringMatching(/^ok: people\.tfrecord/),
      '',
    ]);
    const { stdout } = await folder.run('verify', '--json', 'missing.tfrecord');
    expect(JSON.parse(stdout)).toEqual({
      file: 'missing.tfrecord',
      records: 0,
      bytes: 0,
      faults: [],
      error: { code: 'ENOENT', message: expect.stringContaining('missing.tfrecord') },
    });
  });

  it('reads standard input', async () => {
    const result = await runCli(['verify', '-'], { input: flipBit(tfrecord(PEOPLE), PLACES[2]! + HEADER_BYTES) });
    expect(result).toMatchObject({ code: 1, stdout: expect.stringMatching(/^fault: .* in -, record 2, /) });
  });
});
