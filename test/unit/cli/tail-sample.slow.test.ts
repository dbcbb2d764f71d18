import { encodeExample, float, int64 } from '../../../lib';
import { LINES, PEOPLE, PeopleFolder } from '../../support/records/people';
import { numberedRecords } from '../../support/records/record-files';

const folder = new PeopleFolder();
afterAll(() => {
  folder.remove();
});

const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

describe('tfrecord tail', () => {
  it.each([
    [['-n', '2'], ['people.tfrecord'], LINES.slice(3)],
    [['-2'], ['people.tfrecord.gz'], LINES.slice(3)],
    [[], ['people.tfrecord'], LINES],
    [['-n', '0'], ['people.tfrecord'], []],
    [
      ['-n', '7'],
      ['people.tfrecord', 'people.tfrecord.gz'],
      [...LINES.slice(3), ...LINES],
    ],
    [['-n', '5'], ['flipped.tfrecord', 'people.tfrecord'], LINES],
    [['-n', '1', '--json'], ['people.tfrecord'], LINES.slice(4)],
  ])('%j %j prints the last records in order', async (options, files, lines) => {
    expect(await folder.here('tail', ...options, ...files)).toEqual({ code: 0, stdout: text(lines), stderr: '' });
  });

  it('prints the last ones of many batches, with their places', async () => {
    const records = numberedRecords(3000, 700);
    folder.write('many.tfrecord', records);
    const { stdout } = await folder.here('tail', '-n', '1500', '--origin', 'many.tfrecord');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ origin }) => origin.record)).toEqual(Array.from({ length: 1500 }, (_, i) => 1500 + i));
    expect(lines.at(-1)).toMatchObject({
      origin: { file: 'many.tfrecord', offset: 2999 * 716, bytes: 700 },
      hex: records[2999]!.toString('hex', 0, 32),
    });
  });

  it('prints the last Examples of many batches, also by a spec', async () => {
    const bad = 29_000;
    const records = Array.from({ length: 30_000 }, (_, i) =>
      encodeExample({ id: i === bad ? float([i]) : int64([i]), text: 'x'.repeat(100) }),
    );
    folder.write('ids.tfrecord', records);
    folder.put('id.json', JSON.stringify({ id: { type: 'fixedLen', dtype: 'int64', shape: [] } }));
    const ids = async (...options: string[]): Promise<{ code: number; ids: number[] }> => {
      const { code, stdout } = await folder.here('tail', '-n', '20000', ...options, 'ids.tfrecord');
      return { code, ids: Array.from(stdout.matchAll(/"id":\[?(\d+)/g), ([, id]) => Number(id)) };
    };
    const wanted = Array.from({ length: 20_000 }, (_, i) => 10_000 + i);
    expect(await ids()).toEqual({ code: 0, ids: wanted });
    const before = wanted.slice(0, bad - 10_000);
    const spec = ['--spec', folder.at('id.json')];
    expect(await ids(...spec)).toEqual({ code: 1, ids: before });
    expect(await ids(...spec, '--on-error', 'stop')).toEqual({ code: 0, ids: before });
    const skipped = wanted.filter((id) => id !== bad);
    expect(await ids(...spec, '--on-error', 'skip')).toEqual({ code: 0, ids: skipped });
  });

  it('prints the last records before damage, then fails', async () => {
    const { code, stdout, stderr } = await folder.here('tail', '-n', '2', 'people.tfrecord', 'flipped.tfrecord');
    expect({ code, stdout }).toEqual({ code: 1, stdout: text(LINES.slice(1, 3)) });
    expect(stderr).toMatch(/^tfrecord: error: TFR_CORRUPT_DATA: .*flipped\.tfrecord, record 3, [^\n]*\n$/);
    const skip = await folder.here('tail', '-n', '2', '--on-error', 'skip', 'flipped.tfrecord');
    expect(skip).toMatchObject({ code: 0, stdout: text([LINES[2]!, LINES[4]!]) });
  });

  it('tells which file is missing, and prints the others', async () => {
    const { code, stdout, stderr } = await folder.here('tail', '-1', 'people.tfrecord', 'none*');
    expect({ code, stdout }).toEqual({ code: 1, stdout: text(LINES.slice(4)) });
    expect(stderr).toMatch(/ENOENT.*none\*/);
  });
});

describe('tfrecord sample', () => {
  const sampled = async (...args: string[]): Promise<number[]> => {
    const { code, stdout } = await folder.here('sample', '--origin', ...args);
    expect(code).toBe(0);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).origin.record);
  };

  it('prints everything if there is no more, in order', async () => {
    const { code, stdout, stderr } = await folder.here('sample', 'people.tfrecord', 'people.tfrecord.gz');
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: text([...LINES, ...LINES]), stderr: '' });
    expect(await sampled('-n', '0', 'people.tfrecord')).toEqual([]);
  });

  it('prints records with their own places, in the order of the file, decided by the seed', async () => {
    const records = numberedRecords(2000, 100);
    folder.write('numbers.tfrecord', records);
    const args = ['sample', '-n', '50', '--seed', '7', '--origin', 'numbers.tfrecord'];
    const { stdout } = await folder.here(...args);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const numbers = lines.map(({ origin }) => origin.record as number);
    expect(new Set(numbers).size).toBe(50);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    for (const { origin, hex } of lines) {
      expect(origin).toEqual({
        file: 'numbers.tfrecord',
        record: origin.record,
        offset: origin.record * 116,
        bytes: 100,
      });
      expect(hex).toBe(records[origin.record]!.toString('hex', 0, 32));
    }
    expect((await folder.here(...args)).stdout).toBe(stdout);
    expect(await sampled('-n', '50', '--seed', '-8', 'numbers.tfrecord')).not.toEqual(numbers);
    expect(await sampled('-n', '50', 'numbers.tfrecord')).not.toEqual(await sampled('-n', '50', 'numbers.tfrecord'));
  });

  it('is fair: each record is chosen about as often', async () => {
    const counts = Array<number>(5).fill(0);
    for (let seed = 0; seed < 300; seed++) {
      for (const number of await sampled('-n', '2', '--seed', String(seed), 'people.tfrecord')) counts[number]!++;
    }
    // 120 of 300 are expected; the deviation is 8.5.
    for (const count of counts) expect(Math.abs(count - 120)).toBeLessThan(45);
  });

  it('prints no sample of a damaged file, unless told so', async () => {
    const { code, stdout, stderr } = await folder.here('sample', 'flipped.tfrecord');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/TFR_CORRUPT_DATA.*record 3/);
    const skip = await folder.here('sample', '--on-error', 'skip', 'flipped.tfrecord');
    expect(skip).toMatchObject({ code: 0, stdout: text(LINES.filter((_, i) => i !== 3)) });
  });

  it.each(['x', '1.5', '18446744073709551616', '-9223372036854775809', ''])('refuses the seed %j', async (seed) => {
    expect(await folder.here('sample', '--seed', seed, 'people.tfrecord')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('A seed is an integer'),
    });
  });
});

test('rows of a spec are printed', async () => {
  folder.put('spec.json', '{"name":{"type":"fixedLen","dtype":"bytes","shape":[]}}');
  folder.write('three.tfrecord', [PEOPLE[0]!, Buffer.alloc(0), PEOPLE[1]!]);
  for (const command of ['tail', 'sample']) {
    expect((await folder.here(command, '--spec', 'spec.json', '--on-error', 'skip', 'three.tfrecord')).stdout).toBe(
      '{"name":"Ann"}\n{"name":"Bob"}\n',
    );
    const failed = await folder.here(command, '--spec', 'spec.json', 'three.tfrecord');
    expect(failed).toMatchObject({ code: 1, stdout: '{"name":"Ann"}\n' });
    expect(failed.stderr).toMatch(/TFR_FEATURE: Record 1 of three\.tfrecord/);
  }
});
