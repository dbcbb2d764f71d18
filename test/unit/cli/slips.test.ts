/** What users of the command tripped over: names of other tools, folders, misspelt features. */
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { encodeExample } from '../../../lib';
import { Example } from '../../../lib/example';
import { PEOPLE, PeopleFolder } from '../../support/records/people';
import { flipBit, HEADER_BYTES, tfrecord } from '../../support/records/tfrecord';

const folder = new PeopleFolder();
afterAll(() => folder.remove());

const JPEG = Buffer.from('ffd8ffe000104a4649460001', 'hex');
folder.write(
  'photos.tfrecord',
  ['tom', 'rex'].map((name) => encodeExample({ 'image/encoded': JPEG, 'image/id': name })),
);
const kindless = Example.encode({ features: { feature: { k: {} } } });
folder.write('kindless.tfrecord', [kindless]);
const set = folder.place();
folder.write(`${set.path.split('/').at(-1)!}/a.tfrecord`, PEOPLE.slice(0, 2));
folder.write(`${set.path.split('/').at(-1)!}/b.tfrecord`, PEOPLE.slice(2));
folder.put(`${set.path.split('/').at(-1)!}/README.md`, 'no records');

describe('hints', () => {
  test.each([
    [['ls', 'a'], /\(tfrecord info does that\)/],
    [['list'], /\(tfrecord info does that\)/],
    [['head', '--limit', '5', 'a'], /\(-n 5 is the number of records for head/],
    [['head', '--limit=5', 'a'], /\(-n 5 is the number of records for head/],
    [['cat', '--count', 'a'], /\(tfrecord count counts records/],
    [['-v'], /\(tfrecord --version prints the version/],
    [['head', '-v', 'a'], /\(tfrecord --version prints the version/],
    [['info', '--verbose', 'a'], /\(tfrecord --version prints the version/],
    [['cat', '-n', '5', 'a'], /\(head -n 5 prints the first 5 records, .* grep -m 5/],
    [['grep', '-n', '5', 'a=1', 'a'], /\(head -n 5 prints the first 5 records, .* grep -m 5/],
    [['cat', '-m', '5', 'a'], /\(-n 5 is the number of records for head/],
    [['head', '--lines', '5', 'a'], /\(-n 5 is the number of records for head/],
    [['cat', '--features', 'a,b', 'a'], /\(--spec prints some of the features/],
    [['head', '--where', 'a = 1', 'a'], /\(tfrecord grep 'label=3' prints the records/],
  ])('%j', async (args, hint) => {
    expect(await folder.here(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(hint) });
  });

  test.each([
    [['grep', 'agee=3', 'people.tfrecord'], 1, 'no record has a feature "agee". Did you mean "age"?'],
    [['grep', 'Age=3', 'people.tfrecord'], 1, 'no record has a feature "Age". Did you mean "age"?'],
    [['extract', '--feature', 'image/encode', '-o', 'o', 'photos.tfrecord'], 1, 'Did you mean "image/encoded"?'],
    [['stats', '--features', 'nam', 'people.tfrecord'], 1, 'Did you mean "name"?'],
    [['convert', '--features', 'nmae', 'people.tfrecord', 'x.parquet'], 2, 'Did you mean "name"?'],
    [
      ['convert', '--split', 'a=0.5,b=0.5', '--split-by', 'nmae', 'people.tfrecord', 'x.tfrecord'],
      1,
      'by which to split. Did you mean "name"?',
    ],
    [['diff', '--key', 'nmae', 'people.tfrecord', 'people.tfrecord'], 1, 'Did you mean "name"?'],
  ])('a misspelt feature: %j', async (args, code, hint) => {
    const result = await folder.here(...args);
    expect(result).toMatchObject({ code, stderr: expect.stringContaining(hint) });
  });

  test('none for a name that is like no other', async () => {
    expect((await folder.here('grep', 'height=3', 'people.tfrecord')).stderr).toBe(
      'tfrecord: note: no record has a feature "height"\n',
    );
  });
});

describe('a folder is its TFRecord files', () => {
  test('count, head, tail', async () => {
    const { code, stdout, stderr } = await folder.here('count', set.path);
    expect(stderr).toMatch(/note: 1 file of .* left out.*README\.md/);
    expect([code, stdout]).toEqual([0, `2\t${set.at('a.tfrecord')}\n3\t${set.at('b.tfrecord')}\n5\ttotal\n`]);
    expect((await folder.here('head', set.path)).stdout.split('\n')).toHaveLength(6);
    expect((await folder.here('tail', '-n', '1', set.path)).stdout).toContain('"Eve"');
    expect((await folder.here('stats', '--json', set.path)).code).toBe(0);
  });

  test('one without files is an error', async () => {
    const { path } = folder.place();
    expect(await folder.here('count', path)).toMatchObject({ code: 1, stderr: expect.stringContaining('EISDIR') });
  });
});

describe('schema of some records', () => {
  test('-n: the first ones, over all files', async () => {
    expect((await folder.here('schema', '-n', '3', set.path)).stdout).toMatch(/^3 Examples\n/);
    expect((await folder.here('schema', '-n', '30', 'people.tfrecord')).stdout).toMatch(/^5 Examples\n/);
    // The damage lies behind them.
    expect((await folder.here('schema', '-n', '3', 'flipped.tfrecord')).code).toBe(0);
  });

  test('--sample: random ones, which the seed decides', async () => {
    const args = ['schema', '--json', '--sample', '2', '--seed', '7', set.path];
    const { code, stdout } = await folder.here(...args);
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ records: 2 })]);
    expect((await folder.here(...args)).stdout).toBe(stdout);
    expect((await folder.here('schema', '--sample', '2', '-n', '2', 'a')).code).toBe(2);
  });
});

describe('extract without --feature', () => {
  test('finds the pictures', async () => {
    expect(await folder.here('extract', 'photos.tfrecord', '-o', 'found')).toMatchObject({
      code: 0,
      stdout: '2 files to found (2 jpg; 24 bytes)\n',
      stderr: 'tfrecord: note: the pictures are in the feature "image/encoded"\n',
    });
  });

  test.each([[], ['--on-error', 'skip']])('of a file that is not a TFRecord says so: %j', async (...flags) => {
    folder.put('zipped.tfrecord', Buffer.from('PK\x03\x04 and so on'));
    const { code, stderr } = await folder.here('extract', 'zipped.tfrecord', '-o', 'x', ...flags);
    expect([code, stderr]).toEqual([1, expect.stringContaining('TFR_NOT_TFRECORD')]);
  });

  test('refuses to guess: none, several, and standard input', async () => {
    const none = await folder.here('extract', 'people.tfrecord', '-o', 'x');
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('no feature of the first 100 records holds')]);
    folder.write('two.tfrecord', [encodeExample({ left: JPEG, right: JPEG })]);
    const two = await folder.here('extract', 'two.tfrecord', '-o', 'x');
    expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('of "left", "right"')]);
    expect((await folder.here('extract', '-', '-o', 'x')).code).toBe(2);
    folder.put('damaged.tfrecord', flipBit(tfrecord(PEOPLE), HEADER_BYTES + 4));
    expect(await folder.here('extract', 'damaged.tfrecord', '-o', 'x')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^tfrecord: error: TFR_CORRUPT_DATA: Data checksum mismatch/) as string,
    });
    // Past the damage there are pictures.
    const photos = [PEOPLE[0]!, encodeExample({ photo: JPEG })];
    folder.put('mended.tfrecord', flipBit(tfrecord(photos), HEADER_BYTES + 4));
    expect(await folder.here('extract', 'mended.tfrecord', '-o', 'skipped', '--on-error', 'skip')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^1 file to skipped/) as string,
    });
  });
});

test('stats --json is one line', async () => {
  const { stdout } = await folder.here('stats', '--json', 'people.tfrecord');
  expect(stdout.trimEnd()).not.toContain('\n');
  expect(JSON.parse(stdout)).toHaveProperty('datasets');
});

test('notes have paths as they were given', async () => {
  for (const args of [[], ['--force'], ['--force', '--resume'].slice(0, 1)]) {
    const { stderr } = await folder.here('convert', 'people.tfrecord', './out.tfrecord', ...args);
    expect(stderr).toContain(' in ./out.tfrecord;');
  }
  symlinkSync('out.tfrecord', folder.at('link.tfrecord'));
  const { stderr } = await folder.here('convert', 'people.tfrecord', 'link.tfrecord', '--force');
  expect(stderr).toContain(' in link.tfrecord;');
});

test('Parquet to standard output is refused in words of the command', async () => {
  const { code, stderr } = await folder.here('convert', '--to', 'parquet', 'people.tfrecord', '-');
  expect(code).toBe(2);
  expect(stderr).toContain('because parquet cannot be written to a stream\n');
});

test.each(['fare>', 'fare>=', 'fare<', 'fare <= '])('grep %j is wrong use', async (condition) => {
  const { code, stderr } = await folder.here('grep', condition, 'people.tfrecord');
  expect([code, stderr]).toEqual([2, expect.stringContaining('Expected a value after')]);
});

test('grep with an empty text is a question', async () => {
  expect((await folder.here('grep', 'name=', 'people.tfrecord')).code).toBe(1);
  expect((await folder.here('grep', '-c', 'name!=', 'people.tfrecord')).stdout).toBe('5\n');
});

test('"1 byte"', async () => {
  folder.write('one.tfrecord', [encodeExample({ b: Buffer.from([255]) })]);
  expect((await folder.here('schema', 'one.tfrecord')).stdout).toMatch(/ 1 byte$/m);
});

test('a feature that is there without a kind is not missing', async () => {
  expect((await folder.here('grep', 'k=1', 'kindless.tfrecord')).stderr).toBe(
    'tfrecord: note: the feature "k" has no kind, so it has no values\n',
  );
  expect((await folder.here('diff', '--key', 'k', 'kindless.tfrecord', 'kindless.tfrecord')).stderr).toContain(
    'expected 1 value, found a feature without a kind',
  );
  folder.write('kindless-photo.tfrecord', [
    Example.encode({ features: { feature: { k: {}, p: { bytesList: { value: [JPEG] } } } } }),
  ]);
  const named = await folder.here('extract', '--feature', 'p', '--name', '{k}', '-o', 'x', 'kindless-photo.tfrecord');
  expect(named.stderr).toContain('found a feature without a kind');
});

test('names that change the direction of text reach no output raw', async () => {
  folder.write('hidden.tfrecord', [encodeExample({ 'a\u202eb': 1n, c: '\u202ex' })]);
  for (const form of ['table', 'spec', 'ts', 'python', 'pbtxt']) {
    const { code, stdout } = await folder.here('schema', '--as', form, 'hidden.tfrecord');
    expect([form, code, /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(stdout)]).toEqual([form, 0, false]);
  }
  for (const args of [['schema', '--json'], ['stats', '--json'], ['stats'], ['head'], ['cat']]) {
    expect((await folder.here(...args, 'hidden.tfrecord')).stdout).not.toContain('\u202e');
  }
  const file = join(folder.path, 'stats.json');
  await folder.here('stats', 'hidden.tfrecord', '-o', 'stats.json');
  expect(readFileSync(file, 'utf8')).toContain('\\u202e');
  expect(readFileSync(file, 'utf8')).not.toContain('\u202e');
  folder.write('other.tfrecord', [encodeExample({ 'a\u202eb': 2n, c: '\u202ex' })]);
  const differing = await folder.here('diff', '--json', 'hidden.tfrecord', 'other.tfrecord');
  expect(differing.stdout).toContain('"feature":"a\\u202eb"');
  expect(differing.stdout).not.toContain('\u202e');
});
