/** Data sets of COCO to TFRecords. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { convert, mergeParts } from '../../../../lib/convert';
import { picture } from '../../../support/records/pictures';
import { Folder } from '../../../support/records/record-files';
import { converted, files, rowsIn } from './data-folders';

const folder = new Folder({ others: true });
afterAll(() => folder.remove());

const PNG = picture('png', 64, 48);
const BOX = { id: 7, image_id: 12, category_id: 3, bbox: [8, 12, 16, 24], area: 200.5, iscrowd: 0 };
const DATA = {
  images: [
    { id: 12, file_name: 'b.png', width: 64, height: 48 },
    { id: 5, file_name: 'a.png', width: 64, height: 48 },
  ],
  annotations: [BOX, { ...BOX, id: 8, category_id: 1, bbox: [0, 0, 64, 48], iscrowd: 1, area: undefined }],
  categories: [
    { id: 1, name: 'cat' },
    { id: 3, name: 'dog' },
  ],
};

function coco(data: object | string, more: Readonly<Record<string, string | Uint8Array>> = {}): string {
  return files(folder, {
    'annotations/instances_val.json': typeof data === 'string' ? data : JSON.stringify(data),
    'annotations/captions_val.json': '{}',
    'val/a.png': PNG,
    'val/b.png': PNG,
    ...more,
  });
}

test('images become records with the keys of the Object Detection API, in the order of the file', async () => {
  const { rows } = await converted(folder, coco(DATA), { from: 'coco' });
  expect(rows).toEqual([
    {
      'image/filename': ['b.png'],
      'image/source_id': ['12'],
      'image/format': ['png'],
      'image/width': [64],
      'image/height': [48],
      'image/object/bbox/xmin': [0.125, 0],
      'image/object/bbox/ymin': [0.25, 0],
      'image/object/bbox/xmax': [0.375, 1],
      'image/object/bbox/ymax': [0.75, 1],
      'image/object/class/text': ['dog', 'cat'],
      'image/object/class/label': [3, 1],
      'image/object/is_crowd': [0, 1],
      'image/object/area': [200.5, 3072],
    },
    expect.objectContaining({ 'image/filename': ['a.png'], 'image/object/class/label': [] }),
  ]);
});

test('an annotation of a category 0 that does not exist moves no number of a class', async () => {
  const input = coco({ ...DATA, annotations: [BOX, { ...BOX, id: 9, category_id: 0 }] });
  const { rows } = await converted(folder, input, { from: 'coco', onError: 'skip' });
  expect(rows[0]).toMatchObject({ 'image/object/class/text': ['dog'], 'image/object/class/label': [3] });
});

const [image, other] = DATA.images;
test.each<[string, object | string, object]>([
  ['a box outside of its image', { annotations: [{ ...BOX, bbox: [60, 0, 5, 5] }] }, { found: '60, 0 to 65, 5' }],
  ['a box without an area', { annotations: [{ ...BOX, bbox: [1, 1, 0, 5] }] }, { found: '1, 1 to 1, 6' }],
  ['a box of three numbers', { annotations: [{ ...BOX, bbox: [1, 1, 5] }] }, { found: '[1,1,5]' }],
  ['a box that is no number', { annotations: [{ ...BOX, bbox: [1, 1, null, 5] }] }, { found: '[1,1,null,5]' }],
  ['an unknown category', { annotations: [{ ...BOX, category_id: 2 }] }, { expected: 'the id of a category' }],
  ['an unknown image', { annotations: [{ ...BOX, image_id: 9 }] }, { code: 'TFR_FEATURE', found: /the image 9/ }],
  ['an id that lost digits', { annotations: [{ ...BOX, image_id: 2 ** 60 }] }, { expected: 'an integer or a text' }],
  ['iscrowd of 2', { annotations: [{ ...BOX, iscrowd: 2 }] }, { found: '2' }],
  ['an area beyond float32', { annotations: [{ ...BOX, area: 1e39 }] }, { found: '1e+39' }],
  ['another size', { images: [{ ...image, width: 65 }, other] }, { expected: '64 x 48 pixels, as in the picture' }],
  ['the same name twice', { images: [image, { ...image, id: 13 }] }, { found: '"b.png" again' }],
  ['the same id twice', { images: [image, { ...other, id: 12 }] }, { found: '12 again' }],
  ['a missing picture', { images: [image, { id: 1, file_name: 'c.png' }] }, { code: 'ENOENT' }],
  ['a path out of the folder', { images: [{ ...image, file_name: '../val/b.png' }, other] }, { code: 'TFR_FEATURE' }],
  ['an absolute path', { images: [{ ...image, file_name: '/etc/passwd' }, other] }, { code: 'TFR_FEATURE' }],
  ['a path of Windows', { images: [{ ...image, file_name: '..\\b.png' }, other] }, { code: 'TFR_FEATURE' }],
])('%s is an error, or is left out', async (_, change, details) => {
  const input = coco({ ...DATA, annotations: [], ...(change as object) });
  const expected = Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      value instanceof RegExp ? (expect.stringMatching(value) as unknown) : (value as unknown),
    ]),
  );
  await expect(converted(folder, input, { from: 'coco' })).rejects.toMatchObject(expected);
  const { rows, report } = await converted(folder, input, { from: 'coco', onError: 'skip' });
  expect(report.skipped).toBe(1);
  const isOfPicture = 'images' in (change as object);
  expect(rows).toHaveLength(isOfPicture ? 1 : 2);
  expect(rows.flatMap((row) => row['image/object/class/label'])).toEqual([]);
});

test('only the box at fault is left out, and the records around it are whole', async () => {
  const annotations = [{ ...BOX, bbox: [60, 0, 5, 5] }, BOX, { ...BOX, image_id: 5, bbox: [0, 0, 0, 0] }];
  const { rows, report } = await converted(folder, coco({ ...DATA, annotations }), { from: 'coco', onError: 'skip' });
  expect(report).toMatchObject({ records: 2, skipped: 2 });
  expect(rows.map((row) => row['image/object/bbox/xmin'])).toEqual([[0.125], []]);
});

test('a job that stops at a box has the records before it', async () => {
  const annotations = [BOX, { ...BOX, image_id: 5, bbox: [0, 0, 0, 0] }];
  const { rows } = await converted(folder, coco({ ...DATA, annotations }), { from: 'coco', onError: 'stop' });
  expect(rows.map((row) => row['image/source_id'])).toEqual([['12']]);
});

test.each<[string, string, string]>([
  ['text', 'nonsense', 'TFR_DECODE'],
  ['a cut file', JSON.stringify(DATA).slice(0, -3), 'TFR_TRUNCATED'],
  ['a list', '[]', 'TFR_DECODE'],
  ['a member without a value', '{"images":}', 'TFR_DECODE'],
  ['a comma too many', '{"images":[],}', 'TFR_DECODE'],
  ['two values without a comma', '{"images":[{} {}]}', 'TFR_DECODE'],
  ['bytes after the end', '{"images":[]} {}', 'TFR_DECODE'],
  ['a member twice', '{"images":[],"images":[]}', 'TFR_DECODE'],
  ['deep nesting', `{"info":${'['.repeat(200_000)}`, 'TFR_DECODE'],
  ['deep elements', `{"images":[{"a":${'['.repeat(5000)}${']'.repeat(5000)}}]}`, 'TFR_DECODE'],
  ['images that are no list', '{"images":{}}', 'TFR_FEATURE'],
  ['an image that is no object', '{"images":[1]}', 'TFR_FEATURE'],
  ['a category below 0', '{"images":[],"categories":[{"id":-1,"name":"a"}]}', 'TFR_FEATURE'],
  [
    'categories of one name',
    '{"images":[{"id":1,"file_name":"a.png"}],"categories":[{"id":1,"name":"a"},{"id":2,"name":"a"}]}',
    'TFR_FEATURE',
  ],
  ['no images', '{}', 'ENOENT'],
])('%s in place of instances is an error', async (_, text, code) => {
  await expect(converted(folder, coco(text), { from: 'coco', onError: 'skip' })).rejects.toMatchObject({ code });
});

test('JSON is read in pieces of any size', async () => {
  const padding = Array.from({ length: 3000 }, (_, i) => ({ id: i, text: '\\"[{é,'.repeat(i % 60) }));
  const data = { info: { a: [1, { b: '}]' }] }, more: 1.5, nothing: null, licenses: padding, ...DATA };
  const [plain, padded] = [coco(DATA), coco(`\ufeff${JSON.stringify(data, null, 1)}\n`)];
  const { rows } = await converted(folder, padded, { from: 'coco' });
  expect(rows).toEqual((await converted(folder, plain, { from: 'coco' })).rows);
});

test('ids from 0 move up by one, because label maps begin with 1', async () => {
  const categories = [
    { id: 0, name: 'cat' },
    { id: 3, name: 'dog' },
  ];
  const { rows } = await converted(folder, coco({ ...DATA, annotations: [BOX], categories }), { from: 'coco' });
  expect(rows[0]).toMatchObject({ 'image/object/class/label': [4] });
});

test('a label map is written if there is none, and else says the numbers', async () => {
  const input = coco(DATA);
  const labelMap = join(folder.fresh(), 'map.pbtxt');
  await expect(converted(folder, input, { from: 'coco', labelMap })).rejects.toMatchObject({ code: 'ENOENT' });
  const map = `${folder.fresh()}.pbtxt`;
  await converted(folder, input, { from: 'coco', labelMap: map });
  expect(readFileSync(map, 'utf8').replace(/\s+/g, ' ')).toBe('item { name: "cat" id: 1 } item { name: "dog" id: 3 }');
  const own = join(files(folder, { 'm.pbtxt': "item: { id: 9 name: 'dog' display_name: 'Dog' }\n# end" }), 'm.pbtxt');
  const { rows, report } = await converted(folder, input, { from: 'coco', labelMap: own, onError: 'skip' });
  expect(report.skipped).toBe(1);
  expect(rows[0]).toMatchObject({ 'image/object/class/label': [9], 'image/object/class/text': ['dog'] });
});

test.each(['item { id: 0 name: "a" }', 'item { id: 1 }', 'item { id: 1 name: "a" } item { id: 1 name: "b" }', 'x', ''])(
  '%j is not a label map',
  async (text) => {
    const labelMap = join(files(folder, { 'm.pbtxt': text }), 'm.pbtxt');
    await expect(converted(folder, coco(DATA), { from: 'coco', labelMap })).rejects.toMatchObject({ file: labelMap });
  },
);

test('parts, shards and resumed jobs have the records of one job', async () => {
  const input = coco(DATA);
  const { rows } = await converted(folder, input, { from: 'coco' });
  const out = folder.fresh();
  for (const index of [0, 1]) await convert(input, out, { from: 'coco', shard: { index, count: 2 } });
  const { files: outputs } = await mergeParts(out);
  expect(outputs.flatMap(rowsIn)).toEqual(rows);
  const resumed = { from: 'coco', shards: 2, resume: true, labelMap: `${out}.pbtxt` } as const;
  const first = await convert(input, `${out}.again`, resumed);
  expect(first.files.flatMap(rowsIn)).toEqual(rows);
  expect(await convert(input, `${out}.again`, resumed)).toMatchObject({ upToDate: true });
});
