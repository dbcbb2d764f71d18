/** Parts of a job, and their merging. */
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

import { convert, mergeParts, type ConvertOptions } from '../../../lib/convert';
import { partOf } from '../../../lib/convert/job/parts';
import { Folder, numberedRecords } from '../../support/records/record-files';
import { wholeRecords } from '../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const records = numberedRecords(700, 20);
const inputs = Array.from({ length: 7 }, (_, i) => folder.write(`in-${i}`, records.slice(100 * i, 100 * (i + 1))));

const numbers = (path: string): number[] => wholeRecords(readFileSync(path)).map((record) => record.readUInt32LE(0));
const all = Array.from({ length: 700 }, (_, i) => i);

describe('the part that an environment means', () => {
  test.each([
    [
      { JOB_COMPLETION_INDEX: '3', TFRECORD_SHARDS: '5' },
      { index: 3, count: 5 },
    ],
    [
      { AWS_BATCH_JOB_ARRAY_INDEX: '0', AWS_BATCH_JOB_ARRAY_SIZE: '2' },
      { index: 0, count: 2 },
    ],
    [
      { CLOUD_RUN_TASK_INDEX: '9', CLOUD_RUN_TASK_COUNT: '10' },
      { index: 9, count: 10 },
    ],
    [
      { SLURM_ARRAY_TASK_ID: '12', SLURM_ARRAY_TASK_MIN: '10', SLURM_ARRAY_TASK_COUNT: '4' },
      { index: 2, count: 4 },
    ],
  ])('%j', (env, part) => {
    expect(partOf('auto', env)).toEqual(part);
    // Never without the word.
    expect(partOf(undefined, env)).toBeUndefined();
  });

  test.each([
    [{}, /JOB_COMPLETION_INDEX/],
    [{ JOB_COMPLETION_INDEX: '1' }, /TFRECORD_SHARDS is not set/],
    [{ JOB_COMPLETION_INDEX: 'x', TFRECORD_SHARDS: '2' }, /JOB_COMPLETION_INDEX/],
    [{ CLOUD_RUN_TASK_INDEX: '2', CLOUD_RUN_TASK_COUNT: '2' }, /from 0 to 1/],
    [{ SLURM_ARRAY_TASK_ID: '1', SLURM_ARRAY_TASK_COUNT: '2' }, /SLURM_ARRAY_TASK_MIN/],
  ])('%j is refused', (env, message) => {
    expect(() => partOf('auto', env)).toThrow(message);
  });
});

test.each<ConvertOptions>([{}, { shards: 10 }, { split: { a: 0.6, b: 0.4 }, shards: 10 }])(
  'five parts, merged, have the records of one run in its order: %j',
  async (options) => {
    const { at, names } = folder.place();
    for (const index of [3, 0, 4, 1, 2]) {
      const { files } = await convert(inputs, at('out.tfrecord'), { ...options, shard: { index, count: 5 } });
      expect(files[0]).toContain(`out.tfrecord.part-${index}-of-5/out-`);
    }
    expect(names()).toEqual([0, 1, 2, 3, 4].map((i) => `out.tfrecord.part-${i}-of-5`));
    const report = await mergeParts(at('out.tfrecord'));
    const { files: one } = await convert(inputs, at('one.tfrecord'), { ...options, shards: undefined });
    const sides = options.split === undefined ? [''] : ['-a', '-b'];
    for (const [i, side] of sides.entries()) {
      const merged = report.files.filter((file) => file.includes(`out${side}-000`)).sort();
      expect(merged).toHaveLength(options.shards === undefined ? 5 : 10);
      expect(merged.flatMap(numbers)).toEqual(numbers(one[i]!));
    }
    expect(report).toMatchObject({ records: 700, skipped: 0, bytesIn: 700 * 36, bytesOut: 700 * 36 });
    expect(names().filter((name) => name.includes('part') || name.endsWith('.tmp'))).toEqual([]);
    expect(JSON.parse(readFileSync(at('out.tfrecord.manifest.json'), 'utf8'))).toMatchObject({
      complete: true,
      merged: 5,
      records: 700,
      inputs: inputs.map((file) => ({ file })),
      outputs: report.files.map((file) => ({ bytes: statSync(file).size })),
    });
    expect(await mergeParts(at('out.tfrecord'))).toMatchObject({ records: 700, upToDate: true });
  },
);

test('a part without files writes an empty manifest, and merging passes it by', async () => {
  const { at } = folder.place();
  // Compressed files without an index are not divided.
  const two = inputs.slice(0, 2).map((file) => folder.put(`${basename(file)}.gz`, gzipSync(readFileSync(file))));
  for (const index of [0, 1, 2]) await convert(two, at('out'), { shard: `${index}/3` });
  expect(readdirSync(at('out.part-2-of-3'))).toEqual(['manifest.json']);
  expect(JSON.parse(readFileSync(at('out.part-2-of-3/manifest.json'), 'utf8'))).toMatchObject({
    complete: true,
    inputs: [],
    outputs: [],
    records: 0,
  });
  const { files } = await mergeParts(at('out'));
  expect(files.flatMap(numbers)).toEqual(all.slice(0, 200));
  expect(files).toEqual([at('out-00000-of-00002'), at('out-00001-of-00002')]);
});

describe('merging refuses', () => {
  const made = folder.place();
  beforeAll(async () => {
    for (const index of [0, 1, 2]) await convert(inputs, made.at('out'), { shard: { index, count: 3 } });
  });

  /** The same parts in a new folder. */
  function parts(): ReturnType<Folder['place']> {
    const copy = folder.place();
    cpSync(made.at(''), copy.at(''), { recursive: true });
    return copy;
  }

  test('no parts, and missing ones', async () => {
    await expect(mergeParts(folder.place().at('out'))).rejects.toMatchObject({ code: 'ENOENT' });
    const { at } = parts();
    rmSync(at('out.part-1-of-3'), { recursive: true });
    await expect(mergeParts(at('out'))).rejects.toMatchObject({ code: 'ENOENT', file: at('out.part-1-of-3') });
  });

  test('parts that are not complete, of other options, of other inputs, of several jobs', async () => {
    const change = async (how: (manifest: Record<string, unknown>) => unknown, message: RegExp): Promise<void> => {
      const { at } = parts();
      const file = at('out.part-2-of-3/manifest.json');
      const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
      writeFileSync(file, JSON.stringify(how(manifest)));
      const before = readdirSync(at(''), { recursive: true });
      await expect(mergeParts(at('out'))).rejects.toMatchObject({
        code: 'TFR_STATE_MISMATCH',
        message: expect.stringMatching(message) as string,
      });
      expect(readdirSync(at(''), { recursive: true })).toEqual(before);
    };
    await change((manifest) => ({ ...manifest, complete: false }), /not complete/);
    await change((manifest) => ({ ...manifest, options: { ...(manifest['options'] as object), level: 3 } }), /"level"/);
    await change(
      (manifest) => ({ ...manifest, part: { ...(manifest['part'] as object), list: 'ffffffff' } }),
      /other input files/,
    );
    await change((manifest) => ({ ...manifest, part: { ...(manifest['part'] as object), index: 1 } }), /another part/);
    const { at } = parts();
    mkdirSync(at('out.part-0-of-2'));
    await expect(mergeParts(at('out'))).rejects.toThrow(
      /several jobs: of 2, of 3 parts|several jobs: of 3, of 2 parts/,
    );
  });

  test('a part whose output is missing or of another size, and a set that exists', async () => {
    const { at } = parts();
    writeFileSync(at('out-00000-of-00009'), 'another set');
    await expect(mergeParts(at('out'))).rejects.toMatchObject({ code: 'EEXIST' });
    const { files } = await mergeParts(at('out'), { force: true });
    expect(files.flatMap(numbers)).toEqual(all);
    const other = parts();
    const output = other.at('out.part-0-of-3/out-00000-of-00001');
    writeFileSync(output, 'cut');
    await expect(mergeParts(other.at('out'))).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
    rmSync(output);
    await expect(mergeParts(other.at('out'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('nothing: an interrupted merge goes on', async () => {
    const { at, names } = parts();
    const controller = new AbortController();
    const merging = mergeParts(at('out'), { signal: controller.signal });
    // Whenever it comes: the next call completes the set.
    setTimeout(() => controller.abort(new Error('enough')), 3);
    await merging.catch(() => undefined);
    await mergeParts(at('out'));
    expect(names()).toEqual(['out-00000-of-00003', 'out-00001-of-00003', 'out-00002-of-00003', 'out.manifest.json']);

    const halfway = parts();
    const manifest = { ...(JSON.parse(readFileSync(at('out.manifest.json'), 'utf8')) as object), complete: false };
    writeFileSync(halfway.at('out.manifest.json'), JSON.stringify(manifest));
    renameSync(halfway.at('out.part-0-of-3/out-00000-of-00001'), halfway.at('out-00000-of-00003'));
    const { files } = await mergeParts(halfway.at('out'));
    expect(files.flatMap(numbers)).toEqual(all);

    // Killed while folders were removed.
    mkdirSync(halfway.at('out.part-2-of-3'));
    expect(await mergeParts(halfway.at('out'))).toMatchObject({ upToDate: true, records: 700 });
    expect(halfway.names().filter((name) => name.includes('part'))).toEqual([]);
  });

  test('parts of a new job are not taken for leftovers', async () => {
    const { at } = parts();
    await mergeParts(at('out'));
    for (const index of [0, 1, 2]) await convert(inputs, at('out'), { shard: { index, count: 3 } });
    await expect(mergeParts(at('out'))).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await mergeParts(at('out'), { force: true })).toMatchObject({ records: 700, upToDate: false });
  });
});
