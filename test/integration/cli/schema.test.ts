/** `tfrecord schema`: all forms, of files together. */
import { planFromText } from '../../../lib/example';
import { PEOPLE, PeopleFolder } from '../../support/records/people';

const folder = new PeopleFolder();
afterAll(() => {
  folder.remove();
});

describe('tfrecord schema', () => {
  it('prints a table of all files together', async () => {
    const { code, stdout, stderr } = await folder.here('schema', 'people.tfrecord.gz', 'people.tfrecord.gz');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`${2 * PEOPLE.length} Examples`);
    expect(stdout).toMatch(/^feature +kind +spec /m);
  });

  it('prints a spec that other commands take', async () => {
    const { stdout } = await folder.here('schema', '--as', 'spec', 'people.tfrecord.gz');
    expect(planFromText(stdout).columns.length).toBeGreaterThan(0);
    folder.put('spec.json', stdout);
    expect(await folder.here('cat', '--spec', 'spec.json', 'people.tfrecord.gz')).toMatchObject({
      code: 0,
      stderr: '',
    });
  });

  it.each([
    ['ts', /^export const spec = \{$/m],
    ['python', /^features = \{$/m],
    ['pbtxt', /^feature \{$/m],
  ])('prints %s', async (form, expected) => {
    const { code, stdout } = await folder.here('schema', '--as', form, 'people.tfrecord.gz');
    expect(code).toBe(0);
    expect(stdout).toMatch(expected);
  });

  it('prints what it found as JSON', async () => {
    const { stdout } = await folder.here('schema', '--json', 'people.tfrecord.gz');
    const found = JSON.parse(stdout) as { records: number; features: { name: string; records: number }[] };
    expect(found.records).toBe(PEOPLE.length);
    expect(found.features.length).toBeGreaterThan(0);
    for (const { records } of found.features) expect(records).toBeLessThanOrEqual(PEOPLE.length);
  });

  it('prints no schema if a file is missing, and names damage', async () => {
    const missing = await folder.here('schema', 'people.tfrecord.gz', 'missing');
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain('missing');
    folder.put('cut.tfrecord.gz', Buffer.from('1f8b0800000000000003', 'hex'));
    expect(await folder.here('schema', 'cut.tfrecord.gz')).toMatchObject({ code: 1, stdout: '' });
  });

  it('looks only at some columns of other formats', async () => {
    folder.put('mixed.jsonl', '{"a":1,"b":"x"}\n{"a":2,"b":3}\n');
    for (const choice of [
      ['--features', 'a'],
      ['--exclude', 'b'],
    ]) {
      const { code, stdout, stderr } = await folder.here('schema', '--as', 'spec', ...choice, 'mixed.jsonl');
      expect([code, stderr, Object.keys(JSON.parse(stdout) as object)]).toEqual([0, '', ['a']]);
    }
    expect((await folder.here('schema', 'mixed.jsonl')).stderr).toContain('feature "b" is of several kinds');
  });

  it.each([
    ['--features', 'a'],
    ['--exclude', 'a'],
    ['--dates', 'text'],
    ['--na', 'NA'],
    ['--delimiter', ';'],
  ])('refuses %s for TFRecords, where it would change nothing', async (option, value) => {
    expect(await folder.here('schema', option, value, 'people.tfrecord.gz')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`${option} is for JSON Lines, CSV, Parquet and Arrow`) as string,
    });
  });

  it('refuses forms that do not exist, and two at once', async () => {
    expect(await folder.here('schema', '--as', 'xml', 'people.tfrecord.gz')).toMatchObject({ code: 2, stdout: '' });
    const both = await folder.here('schema', '--json', '--as', 'ts', 'people.tfrecord.gz');
    expect(both).toMatchObject({ code: 2, stdout: '' });
  });
});
