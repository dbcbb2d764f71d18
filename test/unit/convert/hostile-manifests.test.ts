/** Manifests and folders of parts that somebody has made to mislead `mergeParts` and `convert`. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';

import { convert, mergeParts } from '../../../lib/convert';
import type { Manifest, ManifestOutput } from '../../../lib/convert/job/manifest';
import { Folder, numberedRecords } from '../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

const inputs = ['a', 'b'].map((name) => folder.write(name, numberedRecords(3, 20)));

type Place = ReturnType<Folder['place']>;
type Changed = { -readonly [K in keyof Manifest]: Manifest[K] };

const made = folder.place();
const set = folder.place();
beforeAll(async () => {
  for (const index of [0, 1]) await convert(inputs, made.at('out'), { shard: { index, count: 2 }, split: { x: 1 } });
  await convert(inputs, set.at('out'), { shards: 2 });
});

function copyOf(place: Place): Place {
  const copy = folder.place();
  cpSync(place.path, copy.path, { recursive: true });
  return copy;
}

function changeManifest(path: string, change: (manifest: Changed) => void): void {
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Changed;
  change(manifest);
  writeFileSync(path, JSON.stringify(manifest));
}

/** Changes the first output of a manifest. */
function changeOutput(path: string, members: Partial<ManifestOutput>): void {
  changeManifest(path, (manifest) => {
    const [first, ...rest] = manifest.outputs;
    manifest.outputs = [{ ...first!, ...members }, ...rest];
  });
}

const tree = (place: Place): string[] => (readdirSync(place.path, { recursive: true }) as string[]).sort();

describe('merging refuses, and moves nothing', () => {
  test.each<Partial<ManifestOutput>>([
    { side: '/../../victim/evil' },
    { side: '..' },
    { side: 'a/b' },
    { side: 'a\\b' },
    { side: '' },
    { file: '../out-x-00000-of-00001' },
    { file: 'manifest.json' },
    { file: 'notes.txt' },
    { file: 'C:out-x-00000-of-00001' },
    // The name of an output of another side.
    { file: 'out-00000-of-00001' },
  ])('an output %j', async (members) => {
    const place = copyOf(made);
    mkdirSync(place.at('out-'));
    changeOutput(place.at('out.part-0-of-2/manifest.json'), members);
    const before = tree(place);
    await expect(mergeParts(place.at('out'), { force: true })).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
    expect(tree(place)).toEqual(before);
  });

  test('an output that is listed twice, of which one file would be missing', async () => {
    const place = copyOf(made);
    changeManifest(place.at('out.part-0-of-2/manifest.json'), (manifest) => {
      manifest.outputs = [...manifest.outputs, ...manifest.outputs];
    });
    const before = tree(place);
    await expect(mergeParts(place.at('out'))).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
    expect(tree(place)).toEqual(before);
  });

  const onPosix = process.platform === 'win32' ? test.skip : test;

  onPosix('an output that is a link or a folder', async () => {
    const place = copyOf(made);
    const output = place.at('out.part-0-of-2/out-x-00000-of-00001');
    renameSync(output, place.at('elsewhere'));
    symlinkSync('../elsewhere', output);
    await expect(mergeParts(place.at('out'))).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
    rmSync(output);
    mkdirSync(output);
    await expect(mergeParts(place.at('out'))).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
  });

  test.each([{ merged: 999_999_999 }, { merged: -1 }, { merged: '9' as unknown as number }])(
    'a set that claims %j merged parts',
    async (members) => {
      const place = copyOf(set);
      changeManifest(place.at('out.manifest.json'), (manifest) => Object.assign(manifest, members));
      await expect(mergeParts(place.at('out'))).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
    },
  );

  onPosix('a manifest that is a pipe, at which reading would wait for ever', async () => {
    const place = copyOf(made);
    rmSync(place.at('out.part-0-of-2/manifest.json'));
    execFileSync('mkfifo', [place.at('out.part-0-of-2/manifest.json')]);
    await expect(mergeParts(place.at('out'))).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
  });

  test('options that differ, in a message of one line', async () => {
    const place = copyOf(made);
    changeManifest(place.at('out.part-1-of-2/manifest.json'), (manifest) => {
      manifest.options = { ...manifest.options, spec: 'x'.repeat(1_000_000) };
    });
    const error = await mergeParts(place.at('out')).catch((reason: unknown) => reason as Error);
    expect((error as Error).message).toMatch(/option "spec" is "xxx/);
    expect((error as Error).message.length).toBeLessThan(1000);
  });
});

describe('folders that claim many parts', () => {
  test.each([
    ['out.part-0-of-999999999', /there are no parts/],
    ['out.part-100000-of-100001', /there are no parts/],
    ['out.part-5-of-5', /there are no parts/],
    ['out.part-7-of-99999', /99999 of 99999 parts are missing: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, …/],
  ])('%s', async (name, message) => {
    const place = folder.place();
    mkdirSync(place.at(name));
    const begun = performance.now();
    await expect(mergeParts(place.at('out'))).rejects.toMatchObject({
      code: 'ENOENT',
      message: expect.stringMatching(message) as string,
    });
    expect(performance.now() - begun).toBeLessThan(1000);
  });

  test('the signal ends the search for manifests, and the checks of outputs', async () => {
    const place = copyOf(made);
    const controller = new AbortController();
    const reason = new Error('enough');
    const merging = mergeParts(place.at('out'), { signal: controller.signal });
    queueMicrotask(() => controller.abort(reason));
    await expect(merging).rejects.toBe(reason);
    // It ended before anything was moved.
    expect(tree(place)).toEqual(tree(made));
  });
});

test('force removes the outputs that a manifest lists, and no file of another name', async () => {
  const place = copyOf(set);
  writeFileSync(place.at('precious.txt'), 'precious');
  changeManifest(place.at('out.manifest.json'), (manifest) => {
    manifest.outputs = [...manifest.outputs, { ...manifest.outputs[0]!, file: 'precious.txt' }];
  });
  await convert(inputs, place.at('out'), { shards: 3, force: true });
  expect(place.names()).toEqual([
    'out-00000-of-00003',
    'out-00001-of-00003',
    'out-00002-of-00003',
    'out.manifest.json',
    'precious.txt',
  ]);
});
