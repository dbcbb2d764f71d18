import { existsSync, linkSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import { LINES, PEOPLE, PeopleFolder } from '../../support/records/people';
import { tfrecord } from '../../support/records/tfrecord';

const folder = new PeopleFolder();
afterAll(() => {
  folder.remove();
});

const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
const grep = (...args: string[]) => folder.here('grep', ...args);

describe('tfrecord grep', () => {
  it.each([
    [['name=Cid'], [LINES[2]!]],
    [['age>2', '--and', 'name~^[A-D]'], [LINES[3]!]],
    [
      ['age>0', '--and', 'age<4', '--and', 'name!=Cid'],
      [LINES[1]!, LINES[3]!],
    ],
    [['-v', 'age>2', '--and', 'name~^[A-D]'], LINES.filter((_, i) => i !== 3)],
    [['age', '-m', '2'], LINES.slice(0, 2)],
    [['--max-count=1', '!label'], LINES.slice(0, 1)],
  ])('%j prints what it finds', async (args, lines) => {
    expect(await grep(...args, 'people.tfrecord')).toEqual({ code: 0, stdout: text(lines), stderr: '' });
  });

  it('exits with 1, and says what may be wrong, if it finds nothing', async () => {
    expect(await grep('age=7', 'people.tfrecord')).toEqual({ code: 1, stdout: '', stderr: '' });
    expect(await grep('aeg=7', 'people.tfrecord')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'tfrecord: note: no record has a feature "aeg". Did you mean "age"?\n',
    });
    expect((await grep('age=old', 'people.tfrecord')).stderr).toBe(
      'tfrecord: note: age=old: the values of "age" are int64\n',
    );
    expect((await grep('-m', '0', 'age', 'people.tfrecord')).code).toBe(1);
  });

  it('prints with the options of head', async () => {
    const { stdout } = await grep('age=1', '--kinds', '--origin', 'people.tfrecord');
    expect(JSON.parse(stdout)).toMatchObject({
      origin: { file: 'people.tfrecord', record: 1 },
      features: { age: { int64: [1] } },
    });
    folder.put('spec.json', '{"name":{"type":"fixedLen","dtype":"bytes","shape":[]}}');
    expect((await grep('age=1', '--spec', 'spec.json', 'people.tfrecord')).stdout).toBe('{"name":"Bob"}\n');
  });

  it('counts, for each file', async () => {
    expect(await grep('-c', 'age>2', 'people.tfrecord')).toMatchObject({ code: 0, stdout: '2\n' });
    expect((await grep('-c', 'age>2', 'people.tfrecord', 'people.tfrecord.gz')).stdout).toBe(
      '2\tpeople.tfrecord\n2\tpeople.tfrecord.gz\n4\ttotal\n',
    );
    expect(await grep('-c', '--json', 'age>9', 'people.tfrecord')).toMatchObject({
      code: 1,
      stdout: '{"file":"people.tfrecord","records":0}\n',
    });
    const damaged = await grep('-c', 'age>1', 'flipped.tfrecord', 'people.tfrecord');
    expect(damaged).toMatchObject({ code: 1, stdout: '3\tpeople.tfrecord\n3\ttotal\n' });
    expect(damaged.stderr).toMatch(/^tfrecord: error: TFR_CORRUPT_DATA/);
  });

  it('tells by its exit code alone, and reads no further than it must', async () => {
    expect(await grep('-q', 'age=2', 'flipped.tfrecord')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await grep('-q', 'age=7', 'people.tfrecord')).toEqual({ code: 1, stdout: '', stderr: '' });
  });

  it('prints what it finds before damage, then fails', async () => {
    const { code, stdout, stderr } = await grep('age', 'flipped.tfrecord');
    expect({ code, stdout }).toEqual({ code: 1, stdout: text(LINES.slice(0, 3)) });
    expect(stderr).toMatch(/^tfrecord: error: TFR_CORRUPT_DATA: .*record 3, /);
    const skip = await grep('--on-error', 'skip', 'age', 'flipped.tfrecord');
    expect(skip).toMatchObject({ code: 0, stdout: text(LINES.filter((_, i) => i !== 3)) });
  });

  it('treats a record that is no Example like a damaged one', async () => {
    folder.put('raw.tfrecord', tfrecord([PEOPLE[0]!, 'text', PEOPLE[1]!]));
    const { code, stdout, stderr } = await grep('age', 'raw.tfrecord');
    expect({ code, stdout }).toEqual({ code: 1, stdout: text(LINES.slice(0, 1)) });
    expect(stderr).toMatch(/^tfrecord: error: TFR_EXAMPLE: Record 1 of raw\.tfrecord: /);
    expect((await grep('--on-error', 'skip', 'age', 'raw.tfrecord')).stdout).toBe(text(LINES.slice(0, 2)));
    expect((await grep('--on-error', 'stop', 'age', 'raw.tfrecord', 'people.tfrecord')).stdout).toBe(
      text([LINES[0]!, ...LINES]),
    );
  });

  it.each([
    [['grep']],
    [['grep', 'age=1']],
    [['grep', 'age~(', 'people.tfrecord']],
    [['grep', 'age', '--and', '=1', 'people.tfrecord']],
    [['grep', '-m', 'x', 'age', 'people.tfrecord']],
    [['grep', 'age', '-c', '-o', '-', 'people.tfrecord']],
    [['grep', 'age', '-o', 'x*', 'people.tfrecord']],
  ])('refuses %j with one line and code 2', async (args) => {
    const { code, stdout, stderr } = await folder.here(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^tfrecord: error: [^\n]*\n(\(see --help\)\n)?$/);
  });
});

describe('tfrecord grep --output', () => {
  it('copies the records as they are', async () => {
    const { code, stdout, stderr } = await grep('age!=2', 'people.tfrecord', '-o', 'some.tfrecord.gz');
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '',
      stderr: 'tfrecord: note: wrote 4 records to some.tfrecord.gz\n',
    });
    const wanted = tfrecord(PEOPLE.filter((_, i) => i !== 2));
    expect(gunzipSync(readFileSync(folder.at('some.tfrecord.gz'))).equals(wanted)).toBe(true);
  });

  it('replaces no file unless told so', async () => {
    folder.put('there', 'mine');
    const { code, stderr } = await grep('age=1', 'people.tfrecord', '-o', 'there');
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'tfrecord: error: there exists: --force replaces it\n' });
    expect(readFileSync(folder.at('there'), 'utf8')).toBe('mine');
    expect((await grep('age=1', 'people.tfrecord', '-o', 'there', '--force')).code).toBe(0);
    expect(readFileSync(folder.at('there')).equals(tfrecord([PEOPLE[1]!]))).toBe(true);
  });

  it('refuses an input, also by another name: a condition that finds little would empty it', async () => {
    folder.write('one-name', PEOPLE);
    linkSync(folder.at('one-name'), folder.at('other-name'));
    symlinkSync('one-name', folder.at('link-name'));
    for (const output of ['one-name', 'other-name', 'link-name']) {
      expect(await grep('age>2', 'one-name', '-o', output, '--force')).toEqual({
        code: 2,
        stdout: '',
        stderr: `tfrecord: error: ${output} is an input: write to another name\n`,
      });
    }
    expect(readFileSync(folder.at('one-name')).equals(tfrecord(PEOPLE))).toBe(true);
  });

  it('replaces what a link leads to, and only at the end', async () => {
    folder.write('target', PEOPLE);
    symlinkSync('target', folder.at('link'));
    expect((await grep('age', 'flipped.tfrecord', '-o', 'link', '--force')).code).toBe(1);
    expect(readFileSync(folder.at('target')).equals(tfrecord(PEOPLE))).toBe(true);
    expect((await grep('age>2', 'people.tfrecord', '-o', 'link', '--force')).code).toBe(0);
    expect(readFileSync(folder.at('target')).equals(tfrecord(PEOPLE.slice(3)))).toBe(true);
    expect(lstatSync(folder.at('link')).isSymbolicLink()).toBe(true);
  });

  it.each(['g.parquet', 'g.csv', 'g.JSONL', 'g.ndjson.gz', 'g.arrow', 'g.pq'])('refuses %s', async (name) => {
    expect(await grep('age=1', 'people.tfrecord', '-o', name)).toEqual({
      code: 2,
      stdout: '',
      stderr: `tfrecord: error: ${name} is the name of another format, and grep writes TFRecords: tfrecord convert --where 'SQL' IN... ${name}\n`,
    });
    expect(existsSync(folder.at(name))).toBe(false);
  });

  it('leaves nothing after damage, and an empty file if it finds nothing', async () => {
    expect((await grep('age', 'flipped.tfrecord', '-o', 'half')).code).toBe(1);
    expect((await grep('age', 'people.tfrecord', '-o', 'no/folder')).stderr).toMatch(/^tfrecord: error: ENOENT/);
    expect((await grep('age=9', 'people.tfrecord', '-o', 'nothing')).code).toBe(1);
    expect(readFileSync(folder.at('nothing'))).toHaveLength(0);
    expect(existsSync(folder.at('half'))).toBe(false);
    expect(folder.temporary()).toEqual([]);
  });

  it('writes to standard output', async () => {
    const { code, stdout, stderr } = await grep('age=1', 'people.tfrecord', '-o', '-');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(tfrecord([PEOPLE[1]!]).toString());
  });
});
