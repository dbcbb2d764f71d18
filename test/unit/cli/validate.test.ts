/** `tfrecord validate`, and the files that `--schema` and `--spec` take. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { exampleOf, int64s, strings } from '../../support/examples/wire';
import { PEOPLE, PeopleFolder } from '../../support/records/people';
import { tfrecord } from '../../support/records/tfrecord';

const folder = new PeopleFolder();
afterAll(() => {
  folder.remove();
});

folder.put(
  'schema.pbtxt',
  `feature { name: "name" type: BYTES presence { min_fraction: 1 } value_count { min: 1 max: 1 } }
   feature { name: "age" type: INT presence { min_fraction: 1 } value_count { min: 1 max: 1 } int_domain { max: 3 } }`,
);
folder.put('fits.pbtxt', 'feature { name: "name" type: BYTES } feature { name: "age" type: INT }');
folder.put('short.tfrecord', tfrecord([...PEOPLE.slice(0, 1), exampleOf({ age: int64s(9), 'new\n': strings('x') })]));

const validate = (...args: string[]) => folder.here('validate', ...args);

describe('tfrecord validate', () => {
  it('says that all fits', async () => {
    expect(await validate('people.tfrecord', 'people.tfrecord.gz', '--schema', 'fits.pbtxt')).toEqual({
      code: 0,
      stdout: '10 records, no anomalies\n',
      stderr: '',
    });
    const json = await validate('people.tfrecord', '--json', '--schema', 'fits.pbtxt');
    expect(json).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });

  it('prints anomalies with their records', async () => {
    expect(await validate('--schema', 'schema.pbtxt', 'people.tfrecord', 'short.tfrecord')).toEqual({
      code: 1,
      stdout: [
        'age: INT_TYPE_BIG_INT',
        '  The largest value is 9, but the schema allows none above 3.',
        '  record 4 of people.tfrecord',
        '  record 1 of short.tfrecord',
        'name: FEATURE_TYPE_LOW_FRACTION_PRESENT',
        '  It is missing from 1 of 7 records, but every record should have it.',
        '  record 1 of short.tfrecord',
        'new\\u000a: SCHEMA_NEW_COLUMN',
        '  1 record has it, but the schema does not.',
        '  record 1 of short.tfrecord',
        '7 records, 3 anomalies',
        '',
      ].join('\n'),
      stderr: '',
    });
  });

  it('prints an array with --json', async () => {
    const { code, stdout } = await validate('--schema', 'schema.pbtxt', '--json', 'people.tfrecord');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual([
      {
        feature: 'age',
        path: ['age'],
        type: 'INT_TYPE_BIG_INT',
        message: 'The largest value is 4, but the schema allows none above 3.',
        records: [{ file: 'people.tfrecord', record: 4 }],
      },
    ]);
  });

  it('looks at some features, and at an environment', async () => {
    const some = await validate('--schema', 'schema.pbtxt', '--features', 'name', 'people.tfrecord');
    expect(some).toMatchObject({ code: 0, stdout: '5 records, no anomalies\n' });
    folder.put(
      'env.pbtxt',
      'default_environment: "A" default_environment: "B" feature { name: "age" type: INT not_in_environment: "B" }',
    );
    const options = ['--schema', 'env.pbtxt', '--features', 'age', 'people.tfrecord'];
    expect(await validate(...options)).toMatchObject({ code: 0 });
    expect((await validate(...options, '--environment', 'B')).stdout).toContain('SCHEMA_NEW_COLUMN');
    expect(await validate(...options, '--environment', 'C')).toMatchObject({ code: 2, stdout: '' });
  });

  it.each([
    [['people.tfrecord'], 2, "required option '--schema <file>' not specified"],
    [['--schema', 'absent', 'people.tfrecord'], 2, 'ENOENT'],
    [['--schema', 'people.tfrecord', 'people.tfrecord'], 2, 'people.tfrecord'],
    [['--schema', 'fits.pbtxt'], 2, 'missing required argument'],
    [['--schema', 'fits.pbtxt', 'absent', 'people.tfrecord'], 1, 'ENOENT'],
    [['--schema', 'fits.pbtxt', 'flipped.tfrecord'], 1, 'TFR_CORRUPT_DATA'],
    [['--schema', 'fits.pbtxt', '--features', 'aeg', 'people.tfrecord'], 1, '"aeg"'],
  ])('%j fails with one line', async (args, code, message) => {
    const found = await validate(...args);
    expect(found).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) as string });
    expect(
      found.stderr
        .trimEnd()
        .split('\n')
        .filter((line) => line !== '(see --help)'),
    ).toHaveLength(1);
  });

  it('passes over damage if asked to, with a warning', async () => {
    const { code, stdout, stderr } = await validate('--schema', 'fits.pbtxt', '--on-error', 'skip', 'flipped.tfrecord');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '4 records, no anomalies\n' });
    expect(stderr).toContain('warning: TFR_CORRUPT_DATA');
  });
});

describe('--spec takes what others wrote', () => {
  mkdirSync(folder.at('tfds'));
  const scalar = (dtype: string): object => ({
    pythonClassName: 'tensorflow_datasets.core.features.scalar.Scalar',
    tensor: { shape: {}, dtype, encoding: 'none' },
  });
  folder.put(
    join('tfds', 'features.json'),
    JSON.stringify({
      pythonClassName: 'tensorflow_datasets.core.features.features_dict.FeaturesDict',
      featuresDict: { features: { age: scalar('int64') } },
    }),
  );
  mkdirSync(folder.at('old'));
  folder.put(join('old', 'dataset_info.json'), '{}');
  folder.put('age.pbtxt', 'feature { name: "age" type: INT presence { min_fraction: 1 } shape { } }');
  folder.put('age.json', '{"age":{"type":"fixedLen","dtype":"int64","shape":[]}}');

  it.each(['age.pbtxt', 'tfds', 'age.json'])('%s', async (file) => {
    expect(await folder.here('head', '-n', '2', '--spec', file, 'people.tfrecord')).toEqual({
      code: 0,
      stdout: '{"age":0}\n{"age":1}\n',
      stderr: '',
    });
    for (const command of ['cat', 'tail', 'sample']) {
      const count = command === 'cat' ? [] : ['-n', '1'];
      expect((await folder.here(command, ...count, '--spec', file, 'people.tfrecord')).stdout).toMatch(
        /^\{"age":\d\}\n/,
      );
    }
    expect((await folder.here('grep', 'age=3', '--spec', file, 'people.tfrecord')).stdout).toBe('{"age":3}\n');
    const output = `${file}.jsonl`;
    expect(await folder.here('convert', '--spec', file, 'people.tfrecord', output)).toMatchObject({ code: 0 });
    expect(readFileSync(folder.at(output), 'utf8')).toMatch(/^\{"age":0\}\n/);
    const query = `FROM read_tfrecord('${folder.at('people.tfrecord')}') LIMIT 1`;
    expect((await folder.here('sql', '--csv', '--spec', file, query)).stdout).toBe('age\n0\n');
  });

  it.each([
    ['old', 'features.json'],
    ['absent', 'ENOENT'],
    ['people.tfrecord', 'The bytes are not a Schema'],
    ['empty.pbtxt', 'The spec has no features'],
  ])('refuses %s', async (file, message) => {
    folder.put('empty.pbtxt', '# nothing\n');
    const used: readonly string[][] = [
      ['head', '--spec', file, 'people.tfrecord'],
      ['convert', '--spec', file, 'people.tfrecord', 'none.jsonl'],
      ['sql', '--spec', file, 'SELECT 1'],
    ];
    for (const args of used) {
      const { code, stdout, stderr } = await folder.here(...args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(`'--spec <file>' argument '${file}' is invalid`);
      expect(stderr).toContain(message);
    }
  });

  const fifo = process.platform === 'win32' ? test.skip : test;
  fifo('a pipe', async () => {
    execFileSync('mkfifo', [folder.at('pipe')]);
    const { writeFile } = await import('node:fs/promises');
    const writing = writeFile(folder.at('pipe'), '{"age":{"type":"varLen","dtype":"int64"}}');
    const { stdout } = await folder.here('head', '-n', '1', '--spec', 'pipe', 'people.tfrecord');
    await writing;
    expect(stdout).toBe('{"age":[0]}\n');
  });
});
