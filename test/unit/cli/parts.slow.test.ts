/** Parts of commands that describe records, joined, give what one run gives. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { DatasetFeatureStatisticsList, type DatasetFeatureStatisticsListMessage } from '../../../lib/schema';
import { exampleOf, floats, int64s, KINDLESS, sequenceOf, strings } from '../../support/examples/wire';
import { Folder } from '../../support/records/record-files';
import { flipBit, tfrecord } from '../../support/records/tfrecord';
import { runHere, type HereResult } from '../../support/running/run-here';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const here = (...args: string[]): Promise<HereResult> => runHere(args, { cwd: folder.path });

/** Records with features of all kinds, some of which only a few records have. */
function recordsOf(begin: number, count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, i) => {
    const n = begin + i;
    const context = {
      n: int64s(n, -n),
      big: int64s(2n ** 62n + BigInt(n % 150)),
      f: floats(n / 7, n % 5 === 0 ? NaN : -0, ...(n % 40 === 0 ? [Infinity] : [])),
      word: strings(`word ${n % 30}`, ...(n % 3 === 0 ? ['common'] : [])),
      key: strings(`unique ${n}`, n % 50 === 0 ? 'x'.repeat(2000) : 'y'),
      raw: strings(Uint8Array.of(0xff, n & 255, (n >> 8) & 255)),
      // Its words are not counted: a value is too long.
      blob: strings(n === 700 ? Buffer.alloc(300, 0xff) : 'short'),
      ...(n % 2 === 0 ? { half: int64s() } : {}),
      ...(n > 500 ? { late: floats(n) } : { early: KINDLESS }),
    };
    return n % 11 === 0 ? sequenceOf(context, { list: [strings('s'), strings(`t${n % 4}`, 'u')] }) : exampleOf(context);
  });
}

const FILES = 8;
const PER_FILE = 90;
beforeAll(() => {
  for (let i = 0; i < FILES; i++) {
    folder.write(`data-${i}.tfrecord${i % 3 === 1 ? '.gz' : ''}`, recordsOf(i * PER_FILE, PER_FILE));
  }
});

async function inParts(count: number, command: readonly string[], output: string): Promise<HereResult> {
  for (let i = 0; i < count; i++) {
    const part = await here(...command, '--shard', `${i}/${count}`, '-o', output);
    expect(part).toMatchObject({ code: 0, stdout: '' });
  }
  expect(readdirSync(folder.path).filter((name) => name.startsWith(`${output}.part-`))).toHaveLength(count);
  const merged = await here('merge', output);
  expect(readdirSync(folder.path).filter((name) => name.startsWith(`${output}.part-`))).toEqual([]);
  return merged;
}

test('parts of empty files', async () => {
  folder.write('none.tfrecord', []);
  folder.write('three.tfrecord', recordsOf(0, 3));
  expect(await inParts(2, ['count', 'none.tfrecord'], 'no-records')).toMatchObject({ code: 0 });
  expect(readFileSync(folder.at('no-records'), 'utf8')).toBe('0\n');
  const several = ['none.tfrecord', 'three.tfrecord', 'none.tfrecord'];
  for (const count of [2, 3, 5]) {
    expect(await inParts(count, ['count', ...several], `some-${count}`)).toMatchObject({ code: 0 });
    expect(readFileSync(folder.at(`some-${count}`), 'utf8')).toBe((await here('count', ...several)).stdout);
  }
});

/** Statistics, with means and deviations rounded to ten digits. */
function rounded(bytes: Uint8Array): DatasetFeatureStatisticsListMessage {
  const message = DatasetFeatureStatisticsList.decode(bytes);
  for (const { features } of message.datasets) {
    for (const { numStats } of features) {
      if (numStats === undefined) continue;
      numStats.mean = Number(numStats.mean.toPrecision(10));
      numStats.stdDev = Number(numStats.stdDev.toPrecision(10));
    }
  }
  return message;
}

describe('parts of count', () => {
  it.each([1, 3, 8, 64])('%p parts', async (count) => {
    const whole = await here('count', 'data-*');
    const output = `count-${count}.txt`;
    const merged = await inParts(count, ['count', 'data-*'], output);
    expect(merged).toMatchObject({ code: 0, stderr: expect.stringContaining('720 records') as string });
    expect(readFileSync(folder.at(output), 'utf8')).toBe(whole.stdout);
  });

  it('as JSON, of one file, of none', async () => {
    for (const [name, ...command] of [
      ['a', 'count', '--json', 'data-*'],
      ['b', 'count', 'data-0.tfrecord'],
      ['c', 'count', '--json', 'data-0.tfrecord', 'data-0.tfrecord'],
    ] as const) {
      const { stdout } = await here(...command);
      await inParts(4, command, name);
      expect(readFileSync(folder.at(name), 'utf8')).toBe(stdout);
    }
  });

  it('counts what damage takes in the file that has it', async () => {
    const whole = tfrecord(recordsOf(0, 40));
    folder.put('damaged-0.tfrecord', whole);
    folder.put('damaged-1.tfrecord', flipBit(whole, whole.length - 10));
    folder.put('damaged-2.tfrecord', flipBit(whole, 4));
    const command = ['count', '--json', '--on-error', 'skip', '--allow-loss', 'damaged-*'] as const;
    const { stdout } = await here(...command);
    for (const i of [0, 1, 2]) {
      expect(await here(...command, '--shard', `${i}/3`, '-o', 'damaged.json')).toMatchObject({ code: 0 });
    }
    await here('merge', 'damaged.json');
    expect(readFileSync(folder.at('damaged.json'), 'utf8')).toBe(stdout);
    expect(stdout).toContain('"skipped":1');
    expect(await here('count', 'damaged-*', '--shard', '1/3', '-o', 'failed')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('TFR_CORRUPT_DATA') as string,
    });
    expect(existsSync(folder.at('failed.part-1-of-3'))).toBe(false);
    expect(await here('stats', 'damaged-*', '--shard', '1/3', '-o', 'failed.pb')).toMatchObject({ code: 1 });
    expect(existsSync(folder.at('failed.pb.part-1-of-3'))).toBe(false);
  });
});

describe('parts of stats', () => {
  let whole: Uint8Array;
  beforeAll(async () => {
    await here('stats', 'data-*', '--name', 'all', '-o', 'whole.pb');
    whole = readFileSync(folder.at('whole.pb'));
  });

  it.each([1, 2, 5, 8, 64])('%p parts', async (count) => {
    const output = `stats-${count}.pb`;
    const merged = await inParts(count, ['stats', 'data-*', '--name', 'all'], output);
    expect(merged).toMatchObject({ code: 0, stdout: '' });
    const found = rounded(readFileSync(folder.at(output)));
    expect(found.datasets[0]!.features.length).toBeGreaterThan(9);
    expect(found).toEqual(rounded(whole));
  });

  it('of one file, divided at its records, or by its index', async () => {
    folder.write('one.tfrecord', recordsOf(0, 400));
    folder.write('one.tfrecord.gz', recordsOf(0, 400));
    await here('index', 'one.tfrecord.gz');
    await here('stats', 'one.tfrecord', '-o', 'one.pb');
    for (const name of ['one.tfrecord', 'one.tfrecord.gz']) {
      const merged = await inParts(7, ['stats', name], `${name}.pb`);
      expect(merged.stderr).toContain('400 records of 7 parts');
      expect(rounded(readFileSync(folder.at(`${name}.pb`)))).toEqual(rounded(readFileSync(folder.at('one.pb'))));
    }
  });

  it('in the form that the parts name, of chosen features', async () => {
    const command = ['stats', 'data-*', '--features', 'n,word', '--as', 'table'] as const;
    await here(...command, '-o', 'whole.txt');
    await inParts(3, command, 'parts.txt');
    expect(readFileSync(folder.at('parts.txt'), 'utf8')).toBe(readFileSync(folder.at('whole.txt'), 'utf8'));
  });

  it('refuses a feature of other kinds in other parts', async () => {
    folder.write('mixed-0.tfrecord', [exampleOf({ a: int64s(1), b: int64s(1) })]);
    folder.write('mixed-1.tfrecord', [exampleOf({ a: floats(1), b: int64s(1) })]);
    for (const i of [0, 1]) await here('stats', 'mixed-*', '--shard', `${i}/2`, '-o', 'mixed.pb');
    const { code, stderr } = await here('merge', 'mixed.pb');
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('several kinds: float32, int64') as string,
    });
    expect(existsSync(folder.at('mixed.pb'))).toBe(false);
    expect(existsSync(folder.at('mixed.pb.part-1-of-2'))).toBe(true);
    await inParts(2, ['stats', 'mixed-*', '--features', 'b'], 'unmixed.pb');
  });

  it('refuses what is not the file of a part', async () => {
    for (const i of [0, 1]) await here('stats', 'data-0*', '--shard', `${i}/2`, '-o', 'bad.pb');
    const file = join(folder.at('bad.pb.part-1-of-2'), 'part.tfrecord');
    const good = readFileSync(file);
    for (const [content, reason] of [
      [good.subarray(0, -1), 'do not fit together'],
      [flipBit(Buffer.from(good), good.length - 20), 'TFR_CORRUPT_DATA'],
    ] as const) {
      writeFileSync(file, content);
      const { code, stderr } = await here('merge', 'bad.pb');
      expect([1, 2]).toContain(code);
      expect(stderr).toContain(reason);
    }
    const example = tfrecord([exampleOf({ a: int64s(1) })]);
    const manifest = join(folder.at('bad.pb.part-1-of-2'), 'manifest.json');
    const text = readFileSync(manifest, 'utf8').replace(
      /"bytes": \d+,\n "seconds"/,
      `"bytes": ${example.length},\n "seconds"`,
    );
    writeFileSync(manifest, text);
    writeFileSync(file, example);
    expect(await here('merge', 'bad.pb')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not the file of a part') as string,
    });
    expect(existsSync(folder.at('bad.pb'))).toBe(false);
  });
});

describe('parts of schema', () => {
  it.each([1, 3])('%p parts, in each form', async (count) => {
    for (const form of [['--as', 'table'], ['--as', 'spec'], ['--as', 'pbtxt'], ['--json']]) {
      const command = ['schema', 'data-*', ...form];
      const { stdout } = await here(...command);
      const output = `schema-${count}-${form.join('')}`;
      await inParts(count, command, output);
      expect(readFileSync(folder.at(output), 'utf8')).toBe(stdout);
      expect(stdout.length).toBeGreaterThan(400);
    }
  });

  it('of pictures, and of features of several kinds', async () => {
    const png = Buffer.concat([
      Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
      Buffer.from([0, 0, 0, 30, 0, 0, 0, 20, 8, 2, 0, 0, 0]),
      Buffer.alloc(30),
    ]);
    const broken = png.subarray(0, 10);
    for (const i of [0, 1]) {
      folder.write(`pictures-${i}`, [
        exampleOf({ p: strings(i === 0 ? png : broken), a: i === 0 ? int64s(1) : floats(1) }),
      ]);
    }
    const { stdout } = await here('schema', '--json', 'pictures-*');
    expect(stdout).toContain('"pictures":{"formats":{"PNG":2},"looked":2,"width":{"min":30,"max":30}');
    await inParts(2, ['schema', '--json', 'pictures-*'], 'pictures.json');
    expect(readFileSync(folder.at('pictures.json'), 'utf8')).toBe(stdout);
  });
});

describe('parts of index', () => {
  it.each([1, 3])('%p parts', async (count) => {
    for (const form of [[], ['--json'], ['--key', 'n']]) {
      const command = ['index', 'data-*', ...form];
      const { stdout } = await here(...command);
      const indexes = Array.from({ length: FILES }, (_, i) =>
        folder.names().find((name) => name.startsWith(`data-${i}`) && name.endsWith('.tfindex'))!,
      );
      const before = indexes.map((name) => readFileSync(folder.at(name)));
      for (const name of indexes) rmSync(folder.at(name));
      await inParts(count, command, `index-${count}${form.join('')}`);
      expect(readFileSync(folder.at(`index-${count}${form.join('')}`), 'utf8')).toBe(stdout);
      expect(indexes.map((name) => readFileSync(folder.at(name)))).toEqual(before);
      for (const name of indexes) rmSync(folder.at(name));
    }
  });

  it('fail if a file cannot be indexed', async () => {
    folder.put('text-0', 'text');
    const part = await here('index', 'text-0', 'data-0.tfrecord', '--shard', '0/2', '-o', 'texts');
    expect(part).toMatchObject({ code: 1, stderr: expect.stringContaining('TFR_NOT_TFRECORD') as string });
    expect(existsSync(folder.at('texts.part-0-of-2'))).toBe(false);
  });
});

describe('parts of validate', () => {
  const SCHEMA = `
    feature { name: "n" type: INT value_count { min: 2 max: 2 } int_domain { min: 0 max: 650 } }
    feature { name: "f" type: FLOAT float_domain { min: 1 max: 100 disallow_nan: true disallow_inf: true } }
    feature { name: "word" type: BYTES string_domain { value: "common" value: "word 1" } value_count { min: 1 max: 1 } }
    feature { name: "key" type: BYTES unique_constraints { min: 900 max: 5000 } int_domain { min: 3 } }
    feature { name: "raw" type: BYTES string_domain { value: "a" } unique_constraints { min: 900 } }
    feature { name: "half" type: INT presence { min_fraction: 1 } }
    feature { name: "late" type: BYTES }
    feature { name: "gone" type: BYTES presence { min_count: 1 } }
    feature { name: "big" type: INT bool_domain {} }
    sparse_feature { name: "pair" index_feature { name: "n" } value_feature { name: "word" } }
    dataset_constraints { max_examples_count: 700 }`;

  it.each([1, 3, 8])('%p parts', async (count) => {
    folder.put('parts.pbtxt', SCHEMA);
    for (const form of [[], ['--json'], ['--features', 'word,early']]) {
      const command = ['validate', '--schema', 'parts.pbtxt', 'data-*', ...form];
      const { code, stdout } = await here(...command);
      expect(code).toBe(1);
      expect(stdout).toContain('ENUM_TYPE_UNEXPECTED_STRING_VALUES');
      expect(stdout).toContain('SCHEMA_NEW_COLUMN');
      const output = `anomalies-${count}${form.join('')}`;
      const merged = await inParts(count, command, output);
      expect(merged.code).toBe(1);
      expect(readFileSync(folder.at(output), 'utf8')).toBe(stdout);
    }
  });

  it('with too many different values in all parts together, whose records no part knows', async () => {
    folder.put('unique.pbtxt', 'feature { name: "key" type: BYTES unique_constraints { max: 400 } }');
    const command = ['validate', '--schema', 'unique.pbtxt', '--features', 'key', 'data-*'] as const;
    const { stdout } = await here(...command);
    await inParts(8, command, 'unique');
    expect(stdout).toContain('more than 400 different values');
    expect(readFileSync(folder.at('unique'), 'utf8')).toBe(stdout.replace(/^ {2}records .*\n/gm, ''));
  });

  it('without anomalies', async () => {
    await here('schema', '--as', 'pbtxt', 'data-*', '--shard', '0/1', '-o', 'own.pbtxt');
    await here('merge', 'own.pbtxt');
    const merged = await inParts(3, ['validate', '--schema', 'own.pbtxt', 'data-*'], 'clean');
    expect(merged.code).toBe(0);
    expect(readFileSync(folder.at('clean'), 'utf8')).toBe('720 records, no anomalies\n');
  });
});

describe('parts', () => {
  it('are made once, and made anew with --force', async () => {
    const part = ['count', 'data-*', '--shard', '0/2', '-o', 'once'] as const;
    expect(await here(...part)).toMatchObject({ code: 0, stderr: 'tfrecord: note: 360 records in once.part-0-of-2\n' });
    expect(await here(...part)).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') as string });
    expect(await here(...part, '--resume')).toMatchObject({
      code: 0,
      stderr: 'tfrecord: note: up to date, nothing to do: 360 records in once.part-0-of-2\n',
    });
    expect(await here(...part, '--resume', '--on-error', 'skip')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('another option "onError"') as string,
    });
    expect(await here('stats', ...part.slice(1), '--resume')).toMatchObject({ code: 2 });
    expect(await here(...part, '--force')).toMatchObject({ code: 0 });
  });

  it('are made anew with --resume if their file is missing, cut short or a folder', async () => {
    const part = ['stats', 'data-*', '--shard', '0/1', '-o', 'again.pb'] as const;
    expect(await here(...part)).toMatchObject({ code: 0 });
    const file = folder.at('again.pb.part-0-of-1/part.tfrecord');
    const whole = readFileSync(file);
    for (const spoil of [() => undefined, () => writeFileSync(file, whole.subarray(0, 100))]) {
      rmSync(file);
      spoil();
      expect(await here(...part, '--resume')).toMatchObject({
        code: 0,
        stderr: 'tfrecord: note: 720 records in again.pb.part-0-of-1\n',
      });
      expect(readFileSync(file)).toEqual(whole);
    }
    expect((await here(...part, '--resume')).stderr).toContain('up to date');
    rmSync(file);
    mkdirSync(file);
    const refused = await here(...part, '--resume');
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/^tfrecord: error: E(ISDIR|PERM): .*again\.pb\.part-0-of-1[/\\]part\.tfrecord/);
  });

  it('take their number from the scheduler', async () => {
    const env = { SLURM_ARRAY_TASK_ID: '5', SLURM_ARRAY_TASK_MIN: '4', SLURM_ARRAY_TASK_COUNT: '2' };
    const before = { ...process.env };
    Object.assign(process.env, env);
    try {
      await here('count', 'data-*', '--shard', 'auto', '-o', 'slurm');
    } finally {
      for (const name of Object.keys(env)) Reflect.deleteProperty(process.env, name);
      Object.assign(process.env, before);
    }
    expect(existsSync(folder.at('slurm.part-1-of-2/manifest.json'))).toBe(true);
  });

  it('are refused if one is missing, or is of another job', async () => {
    await here('count', 'data-*', '--shard', '0/2', '-o', 'fit');
    expect(await here('merge', 'fit')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('1 of 2 parts are missing: 1') as string,
    });
    await here('count', 'data-*', '--json', '--shard', '1/2', '-o', 'fit');
    expect(await here('merge', 'fit')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('option "json" is true') as string,
    });
    rmSync(folder.at('fit.part-1-of-2'), { recursive: true });
    await here('stats', 'data-*', '--shard', '1/2', '-o', 'fit', '--as', 'pb');
    expect(await here('merge', 'fit')).toMatchObject({ code: 2 });
    rmSync(folder.at('fit.part-1-of-2'), { recursive: true });
    await here('count', 'data-[0-6]*', '--shard', '1/2', '-o', 'fit');
    expect(await here('merge', 'fit')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('other input files') as string,
    });
    rmSync(folder.at('fit.part-1-of-2'), { recursive: true });
    await here('count', 'data-*', '--shard', '1/2', '-o', 'fit');
    folder.put('fit', 'before');
    expect(await here('merge', 'fit')).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') as string });
    expect(await here('merge', 'fit', '--force', '--json')).toEqual({
      code: 0,
      stdout: '{"command":"count","output":"fit","parts":2,"records":720}\n',
      stderr: '',
    });
  });

  it.each([
    ['{', 'not a JSON object'],
    ['{"format":"tfrecord-native description","version":9}', 'version is 9'],
    ['{"format":"tfrecord-native description","version":1,"complete":true}', 'a member is missing'],
  ])('with the manifest %p are refused', async (text, reason) => {
    await here('count', 'data-*', '--shard', '0/2', '-o', 'odd', '--force');
    await here('count', 'data-*', '--shard', '1/2', '-o', 'odd', '--force');
    writeFileSync(folder.at('odd.part-1-of-2/manifest.json'), text);
    expect(await here('merge', 'odd')).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) as string });
  });

  it.each([
    [['count', 'data-*', '--shard', '0/2'], '--output'],
    [['count', 'data-*', '-o', 'x'], '--shard'],
    [['count', 'data-*', '--resume'], '--shard'],
    [['count', 'data-*', '--by-index', '--shard', '0/2', '-o', 'x'], '--by-index'],
    [['count', 'data-*', '--shard', '2/2', '-o', 'x'], '--shard'],
    [['count', 'data-*', '--shard', 'half', '-o', 'x'], '--shard'],
    [['count', '-', '--shard', '0/2', '-o', 'x'], 'files'],
    [['schema', 'data-*', '-n', '3', '--shard', '0/2', '-o', 'x'], '-n'],
    [['schema', 'rows.jsonl', '--shard', '0/2', '-o', 'x'], 'TFRecords'],
    [['schema', 'data-*', '--force'], '--shard'],
    [['stats', 'data-*', '--shard', '0/2', '-o', '-'], '--output'],
    [['stats', 'data-*', '--shard', '0/2', '-o', 'x.csv'], '--as'],
  ])('%j is wrong use', async (args, option) => {
    folder.put('rows.jsonl', '{"a":1}\n');
    expect(await here(...args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(option) as string,
    });
    expect(readdirSync(folder.path).filter((name) => name.startsWith('x'))).toEqual([]);
  });
});
