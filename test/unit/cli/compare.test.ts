import { execFileSync } from 'node:child_process';
import { createReadStream, createWriteStream, writeFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';

import { exampleOf, floats, int64s, strings } from '../../support/examples/wire';
import { PeopleFolder } from '../../support/records/people';

const folder = new PeopleFolder();
afterAll(() => {
  folder.remove();
});

const compare = (...args: string[]) => folder.here('compare', ...args);

beforeAll(async () => {
  folder.write(
    'monday.tfrecord',
    [1, 2, 3, 4].map((n) => exampleOf({ n: int64s(n), word: strings(n < 4 ? 'a' : 'b') })),
  );
  folder.write(
    'tuesday.tfrecord',
    [1, 2, 3, 4].map((n) => exampleOf({ n: int64s(n), word: strings(n < 3 ? 'a' : 'b') })),
  );
  writeFileSync(
    folder.at('schema.pbtxt'),
    `feature { name: "word" type: BYTES drift_comparator { infinity_norm { threshold: 0.2 } } }
     feature { name: "n" type: INT
       drift_comparator { infinity_norm { threshold: 0.2 } jensen_shannon_divergence { threshold: 0.2 } } }`,
  );
  await folder.here('stats', 'monday.tfrecord', '--name', 'first', '-o', 'monday.pb');
});

describe('tfrecord compare', () => {
  it('reads pipes, once', async () => {
    if (process.platform === 'win32') return;
    const pipe = folder.at('pipe');
    execFileSync('mkfifo', [pipe]);
    const written = pipeline(createReadStream(folder.at('monday.tfrecord')), createWriteStream(pipe));
    const { stdout } = await compare('pipe', 'tuesday.tfrecord');
    await written;
    expect(stdout).toMatch(/^pipe: 4 records; tuesday.tfrecord: 4 records\n/);
  });

  it('prints the distances', async () => {
    expect(await compare('monday.tfrecord', 'tuesday.tfrecord')).toEqual({
      code: 0,
      stdout: `monday.tfrecord: 4 records; tuesday.tfrecord: 4 records

feature  values   Jensen-Shannon  L-infinity  most different
word     texts         0.0487949        0.25  b
n        numbers               0
`,
      stderr: '',
    });
  });

  it('holds them against a schema, and notes what it cannot check', async () => {
    const { code, stdout, stderr } = await compare('--schema', 'schema.pbtxt', 'monday.tfrecord', 'tuesday.tfrecord');
    expect(code).toBe(1);
    expect(stdout.split('\n').slice(-3)).toEqual([
      'word: COMPARATOR_L_INFTY_HIGH',
      '  The Linfty distance between current and previous is 0.25 (up to six significant digits), above the threshold 0.2. The feature value with maximum difference is: b',
      '',
    ]);
    expect(stderr).toBe(
      'tfrecord: note: n: infinity_norm is not checked: it compares texts, and the values are numbers: jensen_shannon_divergence compares numbers\n',
    );
    expect(await compare('--schema', 'schema.pbtxt', 'monday.tfrecord', 'monday.pb')).toMatchObject({ code: 0 });
    const skew = await compare('--schema', 'schema.pbtxt', '--skew', 'monday.tfrecord', 'tuesday.tfrecord');
    expect(skew).toMatchObject({
      code: 0,
      stderr:
        'tfrecord: note: the schema has no skew_comparator with a threshold for these features; those of drift_comparator apply without --skew\n',
    });
  });

  it('reads saved statistics, by name or by content', async () => {
    await folder.here('stats', 'monday.tfrecord', '-o', 'monday.json');
    const { readFileSync } = await import('node:fs');
    folder.write('stats_tfrecord', [readFileSync(folder.at('monday.pb'))]);
    for (const saved of ['monday.pb', 'monday.json', 'stats_tfrecord']) {
      const { code, stdout } = await compare('--json', saved, 'tuesday.tfrecord');
      expect({ saved, code }).toEqual({ saved, code: 0 });
      const found = JSON.parse(stdout) as object;
      expect(found).toMatchObject({
        base: { name: saved === 'monday.json' ? '' : 'first', records: 4 },
        current: { name: 'tuesday.tfrecord', records: 4 },
        features: [
          { feature: 'n', path: ['n'], base: 'numbers', current: 'numbers', jensenShannon: 0 },
          { feature: 'word', lInfinity: 0.25, mostDifferent: 'b' },
        ],
        anomalies: [],
        unchecked: [],
        comparators: 0,
      });
      expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    }
  });

  it('compares chosen features, and empty sets', async () => {
    folder.write('empty.tfrecord', []);
    expect((await compare('--features', 'n', 'monday.tfrecord', 'tuesday.tfrecord')).stdout).not.toContain('word');
    expect(await compare('empty.tfrecord', 'empty.tfrecord')).toEqual({
      code: 0,
      stdout: 'empty.tfrecord: 0 records; empty.tfrecord: 0 records\n',
      stderr: '',
    });
  });

  it.each([
    [['monday.tfrecord'], 2, "missing required argument 'b'"],
    [['-', '-'], 2, 'Standard input can be read only once.'],
    [['--skew', 'monday.tfrecord', 'tuesday.tfrecord'], 2, '--schema'],
    [['--schema', 'absent.pbtxt', 'monday.tfrecord', 'tuesday.tfrecord'], 2, 'ENOENT'],
    [['absent.tfrecord', 'tuesday.tfrecord'], 1, 'ENOENT'],
    [['monday.tfrecord', 'flipped.tfrecord'], 1, 'TFR_CORRUPT_DATA'],
    [['monday.tfrecord', 'broken.pb'], 1, 'TFR_DECODE'],
    [['mixed.tfrecord', 'tuesday.tfrecord'], 1, 'several kinds'],
    [['--features', 'wrod', 'monday.tfrecord', 'tuesday.tfrecord'], 1, 'Did you mean'],
  ])('%j fails', async (args, code, message) => {
    writeFileSync(folder.at('broken.pb'), Uint8Array.of(0x0a, 0x50, 1));
    folder.write('mixed.tfrecord', [exampleOf({ a: int64s(1) }), exampleOf({ a: floats(1) })]);
    expect(await compare(...args)).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringContaining(message) as string,
    });
  });

  it('names tfrecord diff in its help, and is named there', async () => {
    expect((await compare('--help')).stdout).toContain('"tfrecord diff" compares records');
    expect((await folder.here('diff', '--help')).stdout).toContain('"tfrecord compare" compares the distributions');
  });
});
