import { existsSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { LINES, PEOPLE, PeopleFolder } from '../../support/records/people';
import { cliResult, runCli, startCli } from '../../support/running/run-cli';
import { compress, frame, tfrecord } from '../../support/records/tfrecord';

const folder = new PeopleFolder();
afterAll(() => {
  folder.remove();
});

const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

describe('tfrecord head and cat', () => {
  it.each(['none', 'gzip', 'zlib'] as const)('print records as lines of JSON (%s)', async (codec) => {
    folder.put(`all.${codec}`, compress(tfrecord(PEOPLE), codec));
    expect(await folder.run('cat', `all.${codec}`)).toEqual({
      code: 0,
      signal: null,
      stdout: text(LINES),
      stderr: '',
    });
    const { stdout, code } = await folder.run('head', '-n', '2', `all.${codec}`);
    expect({ stdout, code }).toEqual({ stdout: text(LINES.slice(0, 2)), code: 0 });
  });

  it('head prints ten records unless told otherwise, over all files together', async () => {
    const { stdout } = await folder.run('head', 'people.tfrecord', 'people.tfrecord.gz', 'people.tfrecord');
    expect(stdout).toBe(text([...LINES, ...LINES]));
    expect((await folder.run('head', '-n', '7', 'people.tfrecord', 'people.tfrecord.gz')).stdout).toBe(
      text([...LINES, ...LINES.slice(0, 2)]),
    );
    expect((await folder.run('head', '-n', '0', 'people.tfrecord')).stdout).toBe('');
    expect((await folder.run('head', '--json', '-n', '1', 'people.tfrecord')).stdout).toBe(text(LINES.slice(0, 1)));
  });

  it('read standard input, patterns and shards', async () => {
    folder.put('part-00000-of-00002', tfrecord(PEOPLE.slice(0, 2)));
    folder.put('part-00001-of-00002', tfrecord(PEOPLE.slice(2)));
    expect((await runCli(['cat', '-'], { input: gzipSync(tfrecord(PEOPLE)) })).stdout).toBe(text(LINES));
    expect((await folder.run('cat', 'part-*')).stdout).toBe(text(LINES));
    expect((await folder.run('cat', 'part@2')).stdout).toBe(text(LINES));
  });

  it('say kinds and places when asked', async () => {
    const { stdout } = await folder.run('head', '-n', '1', '--kinds', '--origin', 'people.tfrecord');
    expect(JSON.parse(stdout)).toEqual({
      origin: { file: 'people.tfrecord', record: 0, offset: 0, bytes: PEOPLE[0]!.length },
      features: { age: { int64: [0] }, name: { bytes: ['Ann'] } },
    });
  });

  it('print other records by size and first bytes', async () => {
    folder.put('raw.tfrecord', tfrecord([Buffer.from([0, 255]), 'text']));
    expect((await folder.run('cat', 'raw.tfrecord')).stdout).toBe(
      '{"bytes":2,"hex":"00ff"}\n{"bytes":4,"hex":"74657874","text":"text"}\n',
    );
  });

  it('head says on stderr that something was cut', async () => {
    folder.put('long.tfrecord', tfrecord([Buffer.alloc(100, 1)]));
    const { stdout, stderr } = await folder.run('head', 'long.tfrecord');
    expect(JSON.parse(stdout)).toEqual({ bytes: 100, hex: '01'.repeat(32), more: 68 });
    expect(stderr).toContain('--full');
  });

  it.each([
    ['head', '--full'],
    ['cat', '--kinds'],
    // Options that scripts may already use.
    ['cat', '--full'],
  ])('%s %s cuts nothing', async (...command) => {
    folder.put('long.tfrecord', tfrecord([Buffer.alloc(100, 1)]));
    const { stdout, stderr } = await folder.run(...command, 'long.tfrecord');
    expect(JSON.parse(stdout)).toEqual({ bytes: 100, hex: '01'.repeat(100) });
    expect(stderr).toBe('');
  });

  it('head takes the number as `head -3` does', async () => {
    expect(await folder.run('head', '-3', 'people.tfrecord')).toMatchObject({
      code: 0,
      stdout: text(LINES.slice(0, 3)),
    });
  });

  it('print every whole record before the damage, then fail', async () => {
    const { code, stdout, stderr } = await folder.run('cat', 'flipped.tfrecord');
    expect({ code, stdout }).toEqual({ code: 1, stdout: text(LINES.slice(0, 3)) });
    expect(stderr).toMatch(/^tfrecord: error: TFR_CORRUPT_DATA: .*flipped\.tfrecord, record 3, /);
    expect(stderr).toContain('--on-error skip');
  });

  it('accept damage when told so, and say what was lost', async () => {
    const skip = await folder.run('cat', '--on-error', 'skip', 'flipped.tfrecord');
    expect(skip).toMatchObject({ code: 0, stdout: text(LINES.filter((_, i) => i !== 3)) });
    expect(skip.stderr).toMatch(/^tfrecord: warning: TFR_CORRUPT_DATA: .*record 3, /);
    const stop = await folder.run('cat', '--on-error', 'stop', 'flipped.tfrecord');
    expect(stop).toMatchObject({ code: 0, stdout: text(LINES.slice(0, 3)) });
  });

  it('do not check data when told so', async () => {
    const { code, stdout } = await folder.run('cat', '--verify', 'length', 'flipped.tfrecord');
    expect(code).toBe(0);
    expect(stdout.split('\n')).toHaveLength(PEOPLE.length + 1);
  });

  it('end quietly when nobody reads on', async () => {
    folder.put('many.tfrecord', Buffer.concat(Array.from({ length: 20_000 }, () => frame(PEOPLE[0]!))));
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

describe('an interrupt', () => {
  it('ends the command with code 130 while it waits for more input', async () => {
    const child = startCli(['cat', '-']);
    const result = cliResult(child);
    child.stdin.on('error', () => undefined);
    child.stdout!.once('data', () => child.kill('SIGINT'));
    // More bytes than the reader collects before it hands out the first records.
    child.stdin.write(Buffer.concat(Array.from({ length: 100_000 }, () => frame(PEOPLE[0]!))));
    expect(await result).toMatchObject({ code: 130, signal: null, stderr: '' });
  });
});
