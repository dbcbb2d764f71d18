/** `tfrecord extract` of TensorBoard's logs: what is written where, and what is refused. */
import fc from 'fast-check';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { encodeExample } from '../../../lib';
import { doubles, fileVersion, scalar, strings, summary } from '../../support/records/event-logs';
import { PeopleFolder } from '../../support/records/people';
import { tfrecord } from '../../support/records/tfrecord';

const folder = new PeopleFolder();
afterAll(() => {
  folder.remove();
});

const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');
const WAV = Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1');
const LOSS = summary(3, {
  tag: 'weights',
  histo: { min: -1, max: 4, num: 5, sum: 6, sumSquares: 7, bucketLimit: [0, 4], bucket: [2, 3] },
});

function writeLog(name: string, records: readonly Uint8Array[]): void {
  mkdirSync(dirname(folder.at(name)), { recursive: true });
  writeFileSync(folder.at(name), tfrecord([fileVersion(), ...records]));
}

writeLog('runs/train/1.tfevents', [
  scalar('loss', 1, 0.5),
  strings('images', 'layers/first', 12, [4], ['3', '2', PNG, 'second']),
  summary(13, { tag: 'layers/first', image: { height: 2, width: 3, colorspace: 3, encodedImageString: PNG } }),
  strings('audio', 'sound', -7, [1, 2], [WAV, 'label']),
  LOSS,
  doubles('pr_curves', 'p', 8, [2], [1, 2]),
]);
writeLog('runs/2.tfevents', [
  strings('text', 'note', 1, [], ['Grüße']),
  strings('text', 'note', 1, [], ['']),
  doubles('histograms', 'h', 2, [1, 3], [0, Infinity, 0.5]),
]);

const extract = (...args: string[]) => folder.here('extract', ...args);
const tree = (path: string): string[] =>
  readdirSync(folder.at(path), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.at(path).length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();

test('a log folder becomes a folder for each run and tag', async () => {
  const { code, stdout, stderr } = await extract('runs', '-o', 'all');
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: `8 files to all (3 txt, 2 csv, 2 png, 1 wav; ${bytesIn('all')} bytes)\n`,
    stderr: '',
  });
  expect(tree('all')).toEqual([
    'h/00000002.csv',
    'note/00000001.txt',
    'note/00000001_2.txt',
    'train/layers/first/00000012-0.png',
    'train/layers/first/00000012-1.txt',
    'train/layers/first/00000013.png',
    'train/sound/-00000007.wav',
    'train/weights/00000003.csv',
  ]);
  const text = (name: string): string => readFileSync(folder.at(`all/${name}`), 'utf8');
  expect(readFileSync(folder.at('all/train/layers/first/00000012-0.png')).equals(PNG)).toBe(true);
  expect(readFileSync(folder.at('all/train/sound/-00000007.wav')).equals(WAV)).toBe(true);
  expect([text('note/00000001.txt'), text('note/00000001_2.txt')]).toEqual(['Grüße', '']);
  expect(text('train/weights/00000003.csv')).toBe('left,right,count\n-1.0,0.0,2.0\n0.0,4.0,3.0\n');
  expect(text('h/00000002.csv')).toBe('left,right,count\n0.0,Infinity,0.5\n');
  expect(folder.temporary()).toEqual([]);
});

function bytesIn(path: string): number {
  return tree(path).reduce((sum, name) => sum + readFileSync(folder.at(`${path}/${name}`)).length, 0);
}

test('kinds, tags, the number of files and the extension', async () => {
  const json = async (...args: string[]): Promise<unknown> =>
    JSON.parse((await extract('runs', '--json', ...args)).stdout);
  expect(await json('-o', 'kinds', '--kind', 'audio', '--kind', 'text', '--extension', 'data')).toEqual({
    ...{ folder: 'kinds', files: 3, bytes: WAV.length + 7, values: 3, types: { txt: 2, wav: 1 } },
  });
  expect(tree('kinds')).toEqual(['note/00000001.data', 'note/00000001_2.data', 'train/sound/-00000007.data']);
  expect(await json('-o', 'few', '--tag', 'layers/*', '-m', '1')).toMatchObject({ files: 1, values: 1 });
  expect(tree('few')).toEqual(['train/layers/first/00000012-0.png']);
  expect(await json('-o', 'zero', '-m', '0')).toMatchObject({ files: 0 });
});

test('files that exist are not replaced without --force', async () => {
  expect((await extract('runs', '-o', 'twice', '--kind', 'image')).code).toBe(0);
  expect(await extract('runs', '-o', 'twice', '--kind', 'image')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('exists'),
  });
  expect((await extract('runs', '-o', 'twice', '--kind', 'image', '--force')).code).toBe(0);
});

test('tags and runs cannot lead out of the folder', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.constantFrom('..', '.', '', '/', '\\', 'a', 'A', 'nul', '\0'), fc.string()), {
        minLength: 1,
        maxLength: 40,
      }),
      async (parts) => {
        const { path, at } = folder.place();
        const file = at('1.tfevents');
        const tags = [parts.join('/'), parts.join('/').toUpperCase()];
        writeFileSync(file, tfrecord(tags.map((tag) => strings('text', tag, 1, [], ['x']))));
        const result = await extract(file, '-o', join(path, 'out/inner'));
        expect(result).toMatchObject({ code: 0, stderr: '' });
        expect(readdirSync(path).sort()).toEqual(['1.tfevents', 'out']);
        expect(readdirSync(join(path, 'out'))).toEqual(['inner']);
        const written = readdirSync(join(path, 'out/inner'), { recursive: true, encoding: 'utf8' });
        expect(written.filter((name) => name.endsWith('.txt'))).toHaveLength(2);
      },
    ),
    { numRuns: 40 },
  );
});

test('damage is an error, after the values before it', async () => {
  writeLog('damaged.tfevents', [
    strings('text', 't', 1, [], ['one']),
    encodeExample({ a: 'b' }),
    strings('text', 't', 2, [], ['two']),
  ]);
  const failed = await extract('damaged.tfevents', '-o', 'before', '--tag', 't');
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/TFR_EXAMPLE: Record 2 of .*byte/) });
  expect(tree('before').map((name) => name.split('/').at(-1))).toEqual(['00000001.txt']);
  const skipped = await extract('damaged.tfevents', '-o', 'skipped', '--on-error', 'skip');
  expect(skipped).toMatchObject({ code: 0, stderr: expect.stringContaining('TFR_EXAMPLE') });
  expect(tree('skipped').map((name) => name.split('/').at(-1))).toEqual(['00000001.txt', '00000002.txt']);
});

test('nothing to write is an error', async () => {
  writeLog('scalars.tfevents', [scalar('a', 1, 1)]);
  expect(await extract('scalars.tfevents', '-o', 'none')).toMatchObject({
    code: 1,
    stdout: '0 files to none\n',
    stderr: expect.stringContaining('no picture, sound, text or histogram was found'),
  });
  expect(existsSync(folder.at('none'))).toBe(false);
});

test.each([
  [['--kind', 'scalar'], 'Expected one of image, audio, text, histogram'],
  [['--tag', ''], 'The pattern is empty'],
  [['--feature', 'a', '--tag', 'b'], '--feature is for records'],
  [['--by', 'label'], '--by is for features'],
  [['--name', '{id}'], '--name is for features'],
])('wrong use: %j', async (args, message) => {
  expect(await extract('runs', '-o', 'wrong', ...args)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(message),
  });
});
