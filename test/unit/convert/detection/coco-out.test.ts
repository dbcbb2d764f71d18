/** TFRecords to data sets of COCO, and to rows of boxes. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import { bytes, float, int64, type FeatureLike } from '../../../../lib';
import { convert, type ConvertOptions } from '../../../../lib/convert';
import { picture } from '../../../support/records/pictures';
import { Folder } from '../../../support/records/record-files';
import { converted, files, recordsFile } from './data-folders';

const folder = new Folder({ others: true });
afterAll(() => folder.remove());

const PNG = picture('png', 64, 48);
const FEATURES: Record<string, FeatureLike> = {
  'image/encoded': bytes([PNG]),
  'image/filename': bytes(['sub/a.png']),
  'image/source_id': bytes(['12']),
  'image/object/bbox/xmin': float([0.125, 0]),
  'image/object/bbox/ymin': float([0.25, 0]),
  'image/object/bbox/xmax': float([0.375, 1]),
  'image/object/bbox/ymax': float([0.75, 1]),
  'image/object/class/text': bytes(['dog', 'cat']),
  'image/object/class/label': int64([3, 1]),
};

interface Coco {
  readonly images: { readonly id: number; readonly file_name: string }[];
  readonly annotations: { readonly bbox: number[] }[];
  readonly categories: object[];
}

async function cocoOf(
  input: string,
  options: ConvertOptions = {},
): Promise<{ out: string; json: Coco; report: object }> {
  const out = folder.fresh();
  const report = await convert(input, out, { to: 'coco', ...options });
  return { out, report, json: JSON.parse(readFileSync(join(out, 'annotations/instances.json'), 'utf8')) as Coco };
}

test('records become a folder of COCO', async () => {
  const { out, json, report } = await cocoOf(recordsFile(folder, [FEATURES]));
  expect(json).toEqual({
    info: {},
    licenses: [],
    images: [{ id: 12, file_name: 'sub/a.png', width: 64, height: 48 }],
    annotations: [
      { id: 1, image_id: 12, category_id: 3, bbox: [8, 12, 16, 24], area: 384, segmentation: [], iscrowd: 0 },
      { id: 2, image_id: 12, category_id: 1, bbox: [0, 0, 64, 48], area: 3072, segmentation: [], iscrowd: 0 },
    ],
    categories: [
      { id: 1, name: 'cat' },
      { id: 3, name: 'dog' },
    ],
  });
  expect(readFileSync(join(out, 'images/sub/a.png'))).toEqual(PNG);
  expect(readdirSync(join(out, 'annotations'))).toEqual(['instances.json']);
  expect(report).toMatchObject({ files: [out], records: 1 });
});

test.each<[string, Record<string, FeatureLike | undefined>, string]>([
  ['no picture', { 'image/encoded': undefined }, 'image/encoded'],
  ['bytes that are no picture', { 'image/encoded': bytes(['text']) }, 'image/encoded'],
  ['another width', { 'image/width': int64([65]) }, 'image/width'],
  ['a path out of the folder', { 'image/filename': bytes(['../a.png']) }, 'image/filename'],
  ['a path of Windows', { 'image/filename': bytes(['a\\..\\..\\b.png']) }, 'image/filename'],
  ['a name that Windows has for a device', { 'image/filename': bytes(['con.png']) }, 'image/filename'],
  ['an absolute path', { 'image/filename': bytes(['/a.png']) }, 'image/filename'],
  ['a name that is not UTF-8', { 'image/filename': bytes([Uint8Array.of(0xff)]) }, 'image/filename'],
  ['fewer edges', { 'image/object/bbox/xmax': float([1]) }, 'image/object/bbox/xmax'],
  ['fewer labels', { 'image/object/class/label': int64([1]) }, 'image/object/class/label'],
  ['edges of another kind', { 'image/object/bbox/xmin': int64([0, 0]) }, 'image/object/bbox/xmin'],
])('a record with %s is an error, or is left out', async (_, change, feature) => {
  const good = { ...FEATURES, 'image/filename': bytes(['z.png']) };
  const input = recordsFile(folder, [{ ...FEATURES, ...change }, good]);
  const out = folder.fresh();
  await expect(convert(input, out, { to: 'coco' })).rejects.toMatchObject({ code: 'TFR_FEATURE', feature, record: 0 });
  expect(existsSync(out)).toBe(false);
  const { json, report } = await cocoOf(input, { onError: 'skip' });
  expect(report).toMatchObject({ records: 1, skipped: 1 });
  expect(json.images).toHaveLength(1);
});

test.each<[string, Record<string, FeatureLike | undefined>]>([
  ['outside of the picture', { 'image/object/bbox/xmax': float([1.5, 1]) }],
  ['of a NaN', { 'image/object/bbox/xmax': float([NaN, 1]) }],
  ['without an area', { 'image/object/bbox/xmax': float([0.125, 1]) }],
  ['of class 0', { 'image/object/class/label': int64([0, 1]) }],
  ['of a class far away', { 'image/object/class/label': int64([1e6, 1]) }],
  ['without a name', { 'image/object/class/text': bytes(['', 'cat']) }],
])('a box %s is an error, or is left out', async (_, change) => {
  const input = recordsFile(folder, [{ ...FEATURES, ...change }]);
  await expect(cocoOf(input)).rejects.toMatchObject({ code: 'TFR_FEATURE', record: 0 });
  const { json, report } = await cocoOf(input, { onError: 'skip' });
  expect(report).toMatchObject({ records: 1, skipped: 1 });
  expect(json.annotations.map(({ bbox }) => bbox)).toEqual([[0, 0, 64, 48]]);
});

test('names of files and classes that contradict one another are errors', async () => {
  const again = recordsFile(folder, [FEATURES, FEATURES]);
  await expect(cocoOf(again)).rejects.toMatchObject({ code: 'TFR_FEATURE', feature: 'image/filename', record: 1 });
  expect((await cocoOf(again, { onError: 'skip' })).report).toMatchObject({ records: 1, skipped: 1 });
  const other = { ...FEATURES, 'image/filename': bytes(['b']), 'image/object/class/label': int64([1, 3]) };
  const swapped = recordsFile(folder, [FEATURES, other]);
  await expect(cocoOf(swapped)).rejects.toMatchObject({ feature: 'image/object/class/label' });
});

test('labels without names need a label map, and names without labels get free numbers', async () => {
  const input = recordsFile(folder, [{ ...FEATURES, 'image/object/class/text': undefined }]);
  await expect(cocoOf(input)).rejects.toMatchObject({ code: 'TFR_FEATURE', feature: 'image/object/class/label' });
  const text = 'item { id: 3 name: "dog" } item { id: 1 name: "cat" } item { id: 2 name: "eel" }';
  const labelMap = join(files(folder, { 'm.pbtxt': text }), 'm.pbtxt');
  const { json } = await cocoOf(input, { labelMap });
  expect(json.categories).toEqual([
    { id: 1, name: 'cat' },
    { id: 2, name: 'eel' },
    { id: 3, name: 'dog' },
  ]);
  const named = recordsFile(folder, [{ ...FEATURES, 'image/object/class/label': undefined }]);
  expect((await cocoOf(named)).json.categories).toEqual([
    { id: 1, name: 'dog' },
    { id: 2, name: 'cat' },
  ]);
  await expect(cocoOf(named, { labelMap: '/no/map' })).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a record without a name gets one, and names get the extension of their picture', async () => {
  const { out } = await cocoOf(
    recordsFile(folder, [
      { 'image/encoded': bytes([PNG]) },
      { 'image/encoded': bytes([PNG]), 'image/filename': bytes(['x']) },
    ]),
  );
  expect(readdirSync(join(out, 'images')).sort()).toEqual(['image-00000000.png', 'x.png']);
});

test('only new and empty folders are written', async () => {
  const input = recordsFile(folder, [FEATURES]);
  const full = files(folder, { a: 'a' });
  await expect(convert(input, full, { to: 'coco' })).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(convert(input, join(full, 'a'), { to: 'coco' })).rejects.toMatchObject({ code: 'EEXIST' });
  const empty = files(folder, {});
  await convert(input, `${empty}/`, { to: 'coco' });
  expect(readdirSync(empty).sort()).toEqual(['annotations', 'images']);
  await expect(convert(input, folder.fresh(), { to: 'coco', shards: 2 })).rejects.toMatchObject({
    code: 'ERR_INVALID_ARG_VALUE',
  });
  await expect(convert(empty, join(empty, 'x'), { from: 'coco', to: 'coco' })).rejects.toMatchObject({
    code: 'ERR_INVALID_ARG_VALUE',
  });
});

test('an abort and a failure leave nothing', async () => {
  const input = recordsFile(folder, [FEATURES, FEATURES]);
  const above = files(folder, {});
  await expect(convert(input, join(above, 'out'), { to: 'coco' })).rejects.toThrow();
  const signal = AbortSignal.abort(new Error('no'));
  await expect(convert(input, join(above, 'out'), { to: 'coco', signal })).rejects.toThrow('no');
  expect(readdirSync(above)).toEqual([]);
});

test('boxes become rows of CSV, in pixels', async () => {
  const out = folder.fresh();
  const small = { ...FEATURES, 'image/encoded': undefined, 'image/width': int64([3]), 'image/height': int64([100]) };
  const report = await convert(recordsFile(folder, [FEATURES, small]), out, { to: 'boxes' });
  expect(readFileSync(out, 'utf8').split('\n')).toEqual([
    'filename,width,height,class,xmin,ymin,xmax,ymax',
    'sub/a.png,64,48,dog,8,12,24,36',
    'sub/a.png,64,48,cat,0,0,64,48',
    'sub/a.png,3,100,dog,0.375,25,1.125,75',
    'sub/a.png,3,100,cat,0,0,3,100',
    '',
  ]);
  expect(report.records).toBe(2);
  await convert(recordsFile(folder, []), out, { to: 'boxes', force: true });
  expect(readFileSync(out, 'utf8')).toBe('filename,width,height,class,xmin,ymin,xmax,ymax\n');
});

test('what the output has no place for is noted', async () => {
  const input = recordsFile(folder, [
    { ...FEATURES, 'image/object/difficult': int64([1, 0]), 'image/object/area': float([2, 3]) },
  ]);
  const { report } = await cocoOf(input);
  expect(report).toMatchObject({ notes: ['The output has no place for image/object/difficult: 1 box lost it.'] });
});

test('COCO through TFRecords and back is the same, to the last decimal', async () => {
  const side = (size: number): fc.Arbitrary<[number, number]> =>
    fc
      .tuple(fc.integer({ min: 0, max: size * 100 - 1 }), fc.integer({ min: 1, max: size * 100 }))
      .map(([at, length]) => {
        const width = Math.min(length, size * 100 - at);
        return [at / 100, width / 100];
      });
  const data = fc.tuple(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 5000 })).chain(([width, height]) =>
    fc.record({
      size: fc.constant({ width, height }),
      boxes: fc.array(fc.tuple(side(width), side(height), fc.integer({ min: 1, max: 9 }), fc.boolean()), {
        maxLength: 6,
      }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(data, async ({ size, boxes }) => {
      const json = {
        images: [{ id: 3, file_name: 'a.png', ...size }],
        annotations: boxes.map(([[x, w], [y, h], category, crowd], i) => ({
          ...{ id: i + 1, image_id: 3, category_id: category, bbox: [x, y, w, h], area: Math.fround(w * h) },
          ...{ iscrowd: crowd ? 1 : 0, segmentation: [] },
        })),
        categories: Array.from({ length: 9 }, (_, i) => ({ id: i + 1, name: `c${i}` })),
      };
      const input = files(folder, { 'a.png': picture('png', size.width, size.height), 'a.json': JSON.stringify(json) });
      const labelMap = `${folder.fresh()}.pbtxt`;
      const { out } = await converted(folder, input, { from: 'coco', labelMap });
      const back = (await cocoOf(out, { labelMap })).json;
      const rounded = back.annotations.map((each) => ({
        ...each,
        area: Math.fround((each as unknown as { area: number }).area),
      }));
      expect({ ...back, annotations: rounded }).toEqual({ info: {}, licenses: [], ...json });
      writeFileSync(`${out}.done`, '');
    }),
    { numRuns: 30 },
  );
});
