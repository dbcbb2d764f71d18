import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { tensorflow } from '../../lib/example/message/messages.generated';
import { Folder } from '../support/record-files';
import { cliResult, runCli, startCli } from '../support/run-cli';
import {
  append,
  claimLength,
  compress,
  cut,
  flipBit,
  frame,
  HEADER_BYTES,
  offsets,
  tfrecord,
} from '../support/tfrecord';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const PEOPLE = ['Ann', 'Bob', 'Cid', 'Dan', 'Eve'].map((name, age) =>
  Buffer.from(
    tensorflow.Example.encode({
      features: {
        feature: { name: { bytesList: { value: [Buffer.from(name)] } }, age: { int64List: { value: [age] } } },
      },
    }).finish(),
  ),
);
const LINES = ['Ann', 'Bob', 'Cid', 'Dan', 'Eve'].map(
  (name, age) => `{"features":{"age":[${age}],"name":["${name}"]}}`,
);
const PLACES = offsets(PEOPLE.map((record) => record.toString('latin1')));
const END = PLACES.at(-1)!;

function put(name: string, bytes: Uint8Array): string {
  writeFileSync(folder.at(name), bytes);
  return name;
}
const tfrecordCommand = (...args: string[]) => runCli(args, { cwd: folder.path });
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

put('people.tfrecord', tfrecord(PEOPLE));
put('people.tfrecord.gz', gzipSync(tfrecord(PEOPLE)));
put('flipped.tfrecord', flipBit(tfrecord(PEOPLE), PLACES[3]! + HEADER_BYTES));

describe('tfrecord head and cat', () => {
  it.each(['none', 'gzip', 'zlib'] as const)('print records as lines of JSON (%s)', async (codec) => {
    put(`all.${codec}`, compress(tfrecord(PEOPLE), codec));
    expect(await tfrecordCommand('cat', `all.${codec}`)).toEqual({
      code: 0,
      signal: null,
      stdout: text(LINES),
      stderr: '',
    });
    const { stdout, code } = await tfrecordCommand('head', '-n', '2', `all.${codec}`);
    expect({ stdout, code }).toEqual({ stdout: text(LINES.slice(0, 2)), code: 0 });
  });

  it('head prints ten records unless told otherwise, over all files together', async () => {
    const { stdout } = await tfrecordCommand('head', 'people.tfrecord', 'people.tfrecord.gz', 'people.tfrecord');
    expect(stdout).toBe(text([...LINES, ...LINES]));
    expect((await tfrecordCommand('head', '-n', '7', 'people.tfrecord', 'people.tfrecord.gz')).stdout).toBe(
      text([...LINES, ...LINES.slice(0, 2)]),
    );
    expect((await tfrecordCommand('head', '-n', '0', 'people.tfrecord')).stdout).toBe('');
    expect((await tfrecordCommand('head', '--json', '-n', '1', 'people.tfrecord')).stdout).toBe(
      text(LINES.slice(0, 1)),
    );
  });

  it('read standard input, patterns and shards', async () => {
    put('part-00000-of-00002', tfrecord(PEOPLE.slice(0, 2)));
    put('part-00001-of-00002', tfrecord(PEOPLE.slice(2)));
    expect((await runCli(['cat', '-'], { input: gzipSync(tfrecord(PEOPLE)) })).stdout).toBe(text(LINES));
    expect((await tfrecordCommand('cat', 'part-*')).stdout).toBe(text(LINES));
    expect((await tfrecordCommand('cat', 'part@2')).stdout).toBe(text(LINES));
  });

  it('say kinds and places when asked', async () => {
    const { stdout } = await tfrecordCommand('head', '-n', '1', '--kinds', '--origin', 'people.tfrecord');
    expect(JSON.parse(stdout)).toEqual({
      origin: { file: 'people.tfrecord', record: 0, offset: 0, bytes: PEOPLE[0]!.length },
      features: { age: { int64: [0] }, name: { bytes: ['Ann'] } },
    });
  });

  it('print other records by size and first bytes', async () => {
    put('raw.tfrecord', tfrecord([Buffer.from([0, 255]), 'text']));
    expect((await tfrecordCommand('cat', 'raw.tfrecord')).stdout).toBe(
      '{"bytes":2,"hex":"00ff"}\n{"bytes":4,"hex":"74657874","text":"text"}\n',
    );
  });

  it('head says on stderr that something was cut', async () => {
    put('long.tfrecord', tfrecord([Buffer.alloc(100, 1)]));
    const { stdout, stderr } = await tfrecordCommand('head', 'long.tfrecord');
    expect(JSON.parse(stdout)).toEqual({ bytes: 100, hex: '01'.repeat(32), more: 68 });
    expect(stderr).toContain('--full');
  });

  it.each([
    ['head', '--full'],
    ['cat', '--kinds'],
    // What scripts may say already.
    ['cat', '--full'],
  ])('%s %s cuts nothing', async (...command) => {
    put('long.tfrecord', tfrecord([Buffer.alloc(100, 1)]));
    const { stdout, stderr } = await tfrecordCommand(...command, 'long.tfrecord');
    expect(JSON.parse(stdout)).toEqual({ bytes: 100, hex: '01'.repeat(100) });
    expect(stderr).toBe('');
  });

  it('head takes the number as `head -3` does', async () => {
    expect(await tfrecordCommand('head', '-3', 'people.tfrecord')).toMatchObject({
      code: 0,
      stdout: text(LINES.slice(0, 3)),
    });
  });

  it('print every whole record before the damage, then fail', async () => {
    const { code, stdout, stderr } = await tfrecordCommand('cat', 'flipped.tfrecord');
    expect({ code, stdout }).toEqual({ code: 1, stdout: text(LINES.slice(0, 3)) });
    expect(stderr).toMatch(/^tfrecord: error: TFR_CORRUPT_DATA: .*flipped\.tfrecord, record 3, /);
    expect(stderr).toContain('--on-error skip');
  });

  it('accept damage when told so, and say what was lost', async () => {
    const skip = await tfrecordCommand('cat', '--on-error', 'skip', 'flipped.tfrecord');
    expect(skip).toMatchObject({ code: 0, stdout: text(LINES.filter((_, i) => i !== 3)) });
    expect(skip.stderr).toMatch(/^tfrecord: warning: TFR_CORRUPT_DATA: .*record 3, /);
    const stop = await tfrecordCommand('cat', '--on-error', 'stop', 'flipped.tfrecord');
    expect(stop).toMatchObject({ code: 0, stdout: text(LINES.slice(0, 3)) });
  });

  it('do not check data when told so', async () => {
    const { code, stdout } = await tfrecordCommand('cat', '--verify', 'length', 'flipped.tfrecord');
    expect(code).toBe(0);
    expect(stdout.split('\n')).toHaveLength(PEOPLE.length + 1);
  });

  it('end quietly when nobody reads on', async () => {
    put('many.tfrecord', Buffer.concat(Array.from({ length: 20_000 }, () => frame(PEOPLE[0]!))));
    const child = startCli(['cat', 'many.tfrecord'], { cwd: folder.path });
    const result = cliResult(child);
    child.stdout!.once('data', () => child.stdout!.destroy());
    expect(await result).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  (existsSync('/dev/full') ? it : it.skip)('fail when the output cannot be written', async () => {
    const { code, stderr } = await runCli(['cat', folder.at('people.tfrecord')], { output: '/dev/full' });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^tfrecord: error: .*ENOSPC/) });
  });
});

describe('tfrecord count', () => {
  it('gives one number for one file, and a total for several', async () => {
    expect(await tfrecordCommand('count', 'people.tfrecord.gz')).toMatchObject({ code: 0, stdout: '5\n', stderr: '' });
    expect((await tfrecordCommand('count', 'people.tfrecord', 'people.tfrecord.gz')).stdout).toBe(
      '5\tpeople.tfrecord\n5\tpeople.tfrecord.gz\n10\ttotal\n',
    );
    expect((await runCli(['count', '-'], { input: tfrecord(PEOPLE) })).stdout).toBe('5\n');
  });

  it('gives one JSON object a file', async () => {
    const { stdout } = await tfrecordCommand('count', '--json', 'people.tfrecord', 'people.tfrecord.gz');
    expect(stdout).toBe(
      '{"file":"people.tfrecord","records":5,"skipped":0}\n{"file":"people.tfrecord.gz","records":5,"skipped":0}\n',
    );
  });

  it('says in JSON how much was skipped', async () => {
    const { code, stdout } = await tfrecordCommand('count', '--json', '--on-error', 'skip', 'flipped.tfrecord');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '{"file":"flipped.tfrecord","records":4,"skipped":1}\n' });
  });

  it('goes on behind a file that fails', async () => {
    const { code, stdout, stderr } = await tfrecordCommand('count', 'flipped.tfrecord', 'none*', 'people.tfrecord');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '5\tpeople.tfrecord\n5\ttotal\n' });
    expect(stderr).toMatch(/ENOENT.*none\*/);
    expect(stderr).toMatch(/TFR_CORRUPT_DATA.*flipped/);
  });
});

describe('tfrecord verify', () => {
  it('says that all is well', async () => {
    const bytes = PEOPLE.reduce((sum, record) => sum + record.length, 0);
    expect(await tfrecordCommand('verify', 'people.tfrecord.gz')).toEqual({
      code: 0,
      signal: null,
      stdout: `ok: people.tfrecord.gz: 5 records, ${bytes} bytes\n`,
      stderr: '',
    });
  });

  it('tells every fault of every file', async () => {
    const file = tfrecord(PEOPLE);
    const twice = flipBit(flipBit(file, PLACES[1]! + HEADER_BYTES), PLACES[3]! + HEADER_BYTES);
    put('twice.tfrecord', append(twice, Buffer.from('abc')));
    const { code, stdout } = await tfrecordCommand('verify', '--json', 'twice.tfrecord', 'people.tfrecord');
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

    const inWords = await tfrecordCommand('verify', 'twice.tfrecord');
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
    put('damaged', bytes);
    const result = await tfrecordCommand('verify', '--json', 'damaged');
    expect(result.code).toBe(1);
    expect(JSON.parse(result.stdout).faults.map((fault: { code: string }) => fault.code)).toContain(code);
    const inWords = await tfrecordCommand('verify', 'damaged');
    expect(inWords.stdout).toContain(`fault: ${code}: `);
    for (const { stdout } of [result, inWords]) expect(stdout).not.toMatch(/on-?error/i);
  });

  it.each(['gzip', 'zlib'] as const)('says of a wrong %s trailer no more than it costs', async (codec) => {
    const another = compress(tfrecord(PEOPLE), codec);
    const one = flipBit(another, another.length - 2);
    put('trailer', one);
    const { stdout } = await tfrecordCommand('verify', 'trailer');
    expect(stdout).toMatch(/trailer.*Restore the file\.\ndamaged: trailer: 1 fault; 5 records/);
    expect(stdout).not.toContain('cannot be read');
    put('trailer', append(one, another));
    expect((await tfrecordCommand('verify', 'trailer')).stdout).toContain(
      `The last ${another.length} bytes of the file cannot be read.`,
    );
  });

  it('calls what is missing, and what is no file, not damaged but unreadable', async () => {
    const missing = await tfrecordCommand('verify', 'missing.tfrecord', '.', 'people.tfrecord');
    expect(missing.code).toBe(1);
    expect(missing.stdout.split('\n')).toEqual([
      expect.stringMatching(/^cannot read: ENOENT: .*missing\.tfrecord/),
      expect.stringMatching(/^cannot read: EISDIR: /),
      expect.stringMatching(/^ok: people\.tfrecord/),
      '',
    ]);
    const { stdout } = await tfrecordCommand('verify', '--json', 'missing.tfrecord');
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

describe('tfrecord info', () => {
  it('tells compression, counts, sizes and type', async () => {
    const lengths = PEOPLE.map((record) => record.length);
    const bytes = lengths.reduce((sum, length) => sum + length);
    const { code, stdout } = await tfrecordCommand('info', '--json', 'people.tfrecord.gz');
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
      fault: null,
    });
  });

  it('tells it in words', async () => {
    const { stdout } = await tfrecordCommand('info', 'people.tfrecord');
    expect(stdout).toMatch(/^people\.tfrecord\n {2}compression {2}none\n/);
    expect(stdout).toMatch(/\n {2}records {6}5\n/);
    expect(stdout).toMatch(/\n {2}record type {2}Example\n$/);
  });

  it('tells what an empty file is', async () => {
    put('empty', Buffer.alloc(0));
    expect(JSON.parse((await tfrecordCommand('info', '--json', 'empty')).stdout)).toMatchObject({
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
    // A record of 40,056 bytes: its length is the magic of zlib.
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
    expect(JSON.parse(stdout)).toMatchObject({ records: 0, fault: { code: 'TFR_TRUNCATED' } });
  });

  it('tells what it knows of a damaged file, then fails', async () => {
    put('short.tfrecord', flipBit(tfrecord(PEOPLE), PLACES[3]! + 1));
    const fileBytes = readFileSync(folder.at('short.tfrecord')).length;
    const { code, stdout, stderr } = await tfrecordCommand('info', '--json', 'short.tfrecord');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      fileBytes,
      complete: false,
      records: 3,
      fault: { code: 'TFR_CORRUPT_LENGTH' },
    });
    expect(stderr).toMatch(/^tfrecord: error: TFR_CORRUPT_LENGTH/);
    const inWords = await tfrecordCommand('info', 'short.tfrecord');
    expect(inWords.stdout).toContain(`\n  file         ${fileBytes} bytes\n  records      3 before the fault\n`);
  });

  it('does not call complete what was accepted with losses', async () => {
    const { code, stdout } = await tfrecordCommand('info', '--json', '--on-error', 'skip', 'flipped.tfrecord');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ complete: false, records: 4, fault: null });
    const inWords = await tfrecordCommand('info', '--on-error', 'skip', 'flipped.tfrecord');
    expect(inWords.stdout).toContain('\n  records      4 without what was lost\n');
  });

  it('judges the type by the first hundred records, and says so', async () => {
    const records = Array.from({ length: 150 }, (_, i) => (i % 2 === 0 ? PEOPLE[0]! : Buffer.from([255])));
    put('mixed.tfrecord', tfrecord(records));
    expect(JSON.parse((await tfrecordCommand('info', '--json', 'mixed.tfrecord')).stdout)).toMatchObject({
      records: 150,
      recordTypes: { Example: 50, unknown: 50 },
      sampled: 100,
    });
    expect((await tfrecordCommand('info', 'mixed.tfrecord')).stdout).toContain(
      'mixed: 50 Example, 50 unknown, of the first 100\n',
    );
  });
});

describe('arguments', () => {
  it.each([
    [[]],
    [['nonsense']],
    [['head']],
    [['head', '--nonsense', 'a']],
    [['head', '-n', 'x', 'a']],
    [['head', '-n', '-1', 'a']],
    [['cat', '--compression', 'bzip2', 'a']],
    [['cat', '--max-record-bytes', '9G', 'a']],
    [['verify', '--on-error', 'skip', 'a']],
    [['count', '']],
    [['head', 'a', '']],
    [['count', '-', '-']],
    [['help', 'nonsense']],
  ])('are refused with code 2: %j', async (args) => {
    const { code, stdout, stderr } = await runCli(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toBe('');
  });

  it('may ask for help and for the version', async () => {
    const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8'));
    expect(await runCli(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
    const help = await runCli(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    for (const command of ['head', 'cat', 'count', 'verify', 'info', 'Examples:'])
      expect(help.stdout).toContain(command);
    expect((await runCli(['verify', '--help'])).code).toBe(0);
    expect(await runCli(['help'])).toEqual(help);
    for (const command of ['head', 'verify'])
      expect(await runCli(['help', command])).toEqual(await runCli([command, '--help']));
    expect((await runCli(['help', 'nonsense'])).stderr).toMatch(/^tfrecord: error: unknown command 'nonsense'/);
  });

  it.each([[['hed', 'a']], [['help', 'hed']]])(
    'that are misspelled are answered with what was meant: %j',
    async (args) => {
      const { code, stderr } = await runCli(args);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^tfrecord: error: unknown command 'hed'\n\(Did you mean head\?\)/);
    },
  );

  it('are explained', async () => {
    expect((await runCli(['help'])).stdout).toMatch(/0, also when\s--on-error accepts damage/);
    expect((await runCli(['help', 'cat'])).stdout).toMatch(/"text"/);
    expect((await runCli(['help', 'cat'])).stdout).not.toMatch(/--full|"more"/);
    expect((await runCli(['help', 'head'])).stdout).toMatch(/--full[^]*"more"/);
  });

  it('bound the size of records', async () => {
    const { code, stderr } = await tfrecordCommand('count', '--max-record-bytes', '10', 'people.tfrecord');
    expect(code).toBe(1);
    expect(stderr).toMatch(/TFR_RECORD_TOO_LARGE.*--max-record-bytes/);
  });

  it('may name a compression that the content does not have', async () => {
    const { code, stderr } = await tfrecordCommand(
      'count',
      '--compression',
      'gzip',
      '--on-error',
      'skip',
      'people.tfrecord',
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/TFR_COMPRESSION.*--compression auto/);
  });
});

describe('an interrupt', () => {
  it('ends the command with code 130 while it waits for more input', async () => {
    const child = startCli(['cat', '-']);
    const result = cliResult(child);
    child.stdin.on('error', () => undefined);
    child.stdout!.once('data', () => child.kill('SIGINT'));
    // More than the reader holds back before it hands out the first records.
    child.stdin.write(Buffer.concat(Array.from({ length: 100_000 }, () => frame(PEOPLE[0]!))));
    expect(await result).toMatchObject({ code: 130, signal: null, stderr: '' });
  });
});
