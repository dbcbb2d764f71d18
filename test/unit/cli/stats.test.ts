import { existsSync, readFileSync, symlinkSync } from 'node:fs';

import { DatasetFeatureStatisticsList } from '../../../lib/schema';
import { exampleOf, floats, int64s } from '../../support/examples/wire';
import { PeopleFolder } from '../../support/records/people';
import { runHere, Screen } from '../../support/running/run-here';

const folder = new PeopleFolder();
afterAll(() => {
  folder.remove();
});

const stats = (...args: string[]) => folder.here('stats', ...args);

describe('tfrecord stats', () => {
  it('prints a table that fits the window', async () => {
    const { code, stdout, stderr } = await stats('people.tfrecord', 'people.tfrecord.gz');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^10 records\n\nfeature +present +values/);
    expect(stdout).toMatch(/^age .* int +/m);
    const narrow = new Screen(true, 40);
    await runHere(['stats', 'people.tfrecord'], { cwd: folder.path, stdout: narrow });
    for (const line of narrow.text.split('\n')) expect([...line].length).toBeLessThanOrEqual(40);
    expect(narrow.text).toContain('…');
  });

  it('describes slices, too, and keeps them in parts', async () => {
    const slices = ['people.tfrecord', '--as', 'json', '--slice', 'name', '--slice', 'age,name=Ann,name=Bob'];
    const { code, stdout } = await stats(...slices);
    const { datasets } = DatasetFeatureStatisticsList.fromJSON(stdout);
    expect({ code, names: datasets.map(({ name }) => name) }).toEqual({
      code: 0,
      names: [
        'All Examples',
        'age_0_name_Ann',
        'age_1_name_Bob',
        'name_Ann',
        'name_Bob',
        'name_Cid',
        'name_Dan',
        'name_Eve',
      ],
    });
    for (const shard of ['0/2', '1/2'])
      expect(await stats(...slices, '--shard', shard, '-o', 'sliced.json')).toMatchObject({ code: 0 });
    expect(await folder.here('merge', 'sliced.json')).toMatchObject({ code: 0 });
    const merged = DatasetFeatureStatisticsList.fromJSON(readFileSync(folder.at('sliced.json'), 'utf8'));
    expect(merged.datasets.map(({ name, numExamples }) => [name, numExamples])).toEqual(
      datasets.map(({ name, numExamples }) => [name, numExamples]),
    );
  });

  it.each([
    ['=3', 'Expected names of features'],
    ['age,age', 'It names age twice'],
    ['age,age=3', 'It names age twice'],
    ['', 'Expected names of features'],
  ])('refuses --slice %j', async (slice, message) => {
    expect(await stats('people.tfrecord', '--slice', slice)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message) as string,
    });
  });

  it('prints JSON, and writes the message', async () => {
    const { stdout } = await stats('people.tfrecord', '--as', 'json', '--name', 'people', '--features', 'age,name');
    const message = DatasetFeatureStatisticsList.fromJSON(stdout);
    expect(message.datasets).toMatchObject([{ name: 'people', numExamples: 5n }]);
    expect(message.datasets[0]!.features.map(({ path }) => path!.step)).toEqual([['age'], ['name']]);
    const args = ['people.tfrecord', '--as', 'pb', '--name', 'people', '--features', 'age,name', '-o', 'stats.pb'];
    expect(await stats(...args)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(DatasetFeatureStatisticsList.decode(readFileSync(folder.at('stats.pb')))).toEqual(message);
    expect(await stats(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') as string });
    expect((await stats(...args, '--force')).code).toBe(0);
    expect(folder.temporary()).toEqual([]);
  });

  it.each([
    [['--as', 'xml', 'people.tfrecord'], 2, "argument 'xml' is invalid"],
    [['absent.tfrecord', 'people.tfrecord'], 1, 'ENOENT'],
    [['flipped.tfrecord'], 1, 'TFR_CORRUPT_DATA'],
    [['people.tfrecord', '--features', 'aeg'], 1, 'TFR_FEATURE: No record has a feature "aeg"'],
    [['people.tfrecord', '-o', 'no/where.json', '--as', 'json'], 1, 'ENOENT'],
    [['flipped.tfrecord', '-o', 'none.pb', '--as', 'pb'], 1, 'TFR_CORRUPT_DATA'],
    [['mixed.tfrecord'], 1, 'name the other features (--features)'],
  ])('%j fails with one line', async (args, code, message) => {
    folder.write('mixed.tfrecord', [exampleOf({ a: int64s(1) }), exampleOf({ a: floats(1) })]);
    const found = await stats(...args);
    expect(found).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) as string });
    expect(found.stderr.trimEnd().split('\n')).toHaveLength(code === 2 ? 2 : 1);
    expect(existsSync(folder.at('none.pb'))).toBe(false);
    expect(folder.temporary()).toEqual([]);
  });

  it('names its file, not the temporary one, in errors', async () => {
    expect(await stats('people.tfrecord', '-o', 'no/stats.pb')).toEqual({
      code: 1,
      stdout: '',
      stderr: "tfrecord: error: ENOENT: no such file or directory, open 'no/stats.pb'\n",
    });
  });

  it('refuses the name of another format, unless told which to write', async () => {
    expect(await stats('people.tfrecord', '-o', 'stats.csv')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'tfrecord: error: stats.csv has the extension of another format: --as must say which to write, of table, json, pb\n',
    });
    expect((await stats('people.tfrecord', '-o', 'stats.csv', '--as', 'json')).code).toBe(0);
  });

  it('refuses to replace an input, also by a link', async () => {
    const before = readFileSync(folder.at('people.tfrecord'));
    symlinkSync('people.tfrecord', folder.at('people-link'));
    for (const output of ['people.tfrecord', './people.tfrecord', 'people-link']) {
      const { code, stderr } = await folder.here('stats', 'people.tfrecord', '-o', output, '--force');
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `tfrecord: error: ${output} is an input: write to another name\n`,
      });
    }
    expect(readFileSync(folder.at('people.tfrecord')).equals(before)).toBe(true);
  });

  it('skips damage if asked to, with a warning', async () => {
    const { code, stdout, stderr } = await stats('flipped.tfrecord', '--on-error', 'skip');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^4 records\n/);
    expect(stderr).toMatch(/^tfrecord: warning: TFR_CORRUPT_DATA: .*\n$/);
  });
});
