/** Data sets of Pascal VOC to TFRecords, and back. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import { convert } from '../../../../lib/convert';
import { picture } from '../../../support/records/pictures';
import { Folder } from '../../../support/records/record-files';
import { converted, files } from './data-folders';

const folder = new Folder({ others: true });
afterAll(() => folder.remove());

const PNG = picture('png', 64, 48);

function object(name: string, [xmin, ymin, xmax, ymax]: readonly (number | string)[], more = ''): string {
  const box = `<xmin>${xmin}</xmin><ymin>${ymin}</ymin><xmax>${xmax}</xmax><ymax>${ymax}</ymax>`;
  return `<object><name>${name}</name>${more}<bndbox>${box}</bndbox></object>`;
}

function document(
  objects: string,
  filename = 'a.png',
  size = '<size><width>64</width><height>48</height></size>',
): string {
  return `<?xml version="1.0"?>\n<annotation><filename>${filename}</filename>${size}${objects}</annotation>`;
}

function voc(xml: string, more: Readonly<Record<string, string | Uint8Array>> = {}): string {
  return files(folder, { 'Annotations/a.xml': xml, 'JPEGImages/a.png': PNG, ...more });
}

test('documents become records: pixel 1 begins at 0, and the last pixel belongs to the box', async () => {
  const more = '<pose>Left</pose><truncated>1</truncated><difficult>0</difficult>';
  const xml = document(object('dog &amp; co', [9, 13, 24, 36], more) + object('cat', [1, 1, 64, 48]));
  const { rows, report } = await converted(folder, voc(xml, { 'JPEGImages/b.png': PNG }), { from: 'voc' });
  expect(rows).toEqual([
    {
      'image/filename': ['a.png'],
      'image/source_id': ['a.png'],
      'image/format': ['png'],
      'image/width': [64],
      'image/height': [48],
      'image/object/bbox/xmin': [0.125, 0],
      'image/object/bbox/ymin': [0.25, 0],
      'image/object/bbox/xmax': [0.375, 1],
      'image/object/bbox/ymax': [0.75, 1],
      'image/object/class/text': ['dog & co', 'cat'],
      'image/object/class/label': [2, 1],
      'image/object/difficult': [0, 0],
      'image/object/truncated': [1, 0],
      'image/object/view': ['Left', ''],
    },
  ]);
  expect(report.notes).toEqual(['1 picture without annotations: it has no record.']);
});

test('pictures beside their documents', async () => {
  const input = files(folder, { 'train/a.xml': document(object('x', [1, 1, 2, 2])), 'train/a.png': PNG });
  expect((await converted(folder, input, { from: 'voc', classes: ['w', 'x'] })).rows[0]).toMatchObject({
    'image/object/class/label': [2],
  });
});

test.each<[string, string]>([
  ['an object without a name', object('', [1, 1, 2, 2])],
  ['a box without an edge', '<object><name>x</name><bndbox><xmin>1</xmin></bndbox></object>'],
  ['an object without a box', '<object><name>x</name></object>'],
  ['a word in place of a number', object('x', ['one', 1, 2, 2])],
  ['an edge twice', object('x', ['1</xmin><xmin>1', 1, 2, 2])],
  ['pixel 0', object('x', [0, 1, 2, 2])],
  ['pixels outside of the picture', object('x', [1, 1, 65, 48])],
  ['a box that ends before it begins', object('x', [5, 1, 4, 2])],
  ['difficult of 2', object('x', [1, 1, 2, 2], '<difficult>2</difficult>')],
])('%s is an error, or is left out', async (_, objects) => {
  const input = voc(document(objects + object('y', [1, 1, 64, 48])));
  await expect(converted(folder, input, { from: 'voc' })).rejects.toMatchObject({ code: 'TFR_FEATURE' });
  const { rows, report } = await converted(folder, input, { from: 'voc', onError: 'skip' });
  expect(report.skipped).toBe(1);
  expect(rows.map((row) => row['image/object/class/text'])).toEqual([['y']]);
});

const BOMB = '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]>';
test.each<[string, string, string]>([
  ['entities', `${BOMB}<annotation><filename>&c;</filename></annotation>`, 'TFR_DECODE'],
  ['an entity of a file', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><annotation/>', 'TFR_DECODE'],
  ['an unknown entity', document('&b;'), 'TFR_DECODE'],
  ['text', 'nonsense', 'TFR_DECODE'],
  ['nothing', '', 'TFR_DECODE'],
  ['a cut document', document('').slice(0, -5), 'TFR_DECODE'],
  ['deep nesting', '<a>'.repeat(100_000), 'TFR_DECODE'],
  ['another root', '<html></html>', 'TFR_FEATURE'],
  ['no name', '<annotation/>', 'TFR_FEATURE'],
  ['a path out of the folder', document('', '../JPEGImages/a.png'), 'TFR_FEATURE'],
  ['another size', document('', 'a.png', '<size><width>9</width><height>9</height></size>'), 'TFR_FEATURE'],
  ['a missing picture', document('', 'c.png'), 'ENOENT'],
])('a document of %s is an error, or is left out', async (_, xml, code) => {
  const input = voc(xml, { 'Annotations/b.xml': document('', 'b.png'), 'JPEGImages/b.png': PNG });
  await expect(converted(folder, input, { from: 'voc' })).rejects.toMatchObject({ code });
  const { rows, report } = await converted(folder, input, { from: 'voc', onError: 'skip' });
  expect(report.skipped).toBe(1);
  expect(rows.map((row) => row['image/filename'])).toEqual([['b.png']]);
});

test('a picture of two documents is an error', async () => {
  const input = voc(document(''), { 'Annotations/b.xml': document('') });
  await expect(converted(folder, input, { from: 'voc' })).rejects.toMatchObject({ expected: 'names that differ' });
  expect((await converted(folder, input, { from: 'voc', onError: 'skip' })).report).toMatchObject({
    records: 1,
    skipped: 1,
  });
});

test('Pascal VOC through TFRecords and back is the same; boxes between pixels are rounded, and a note says so', async () => {
  const side = (size: number): fc.Arbitrary<[number, number]> =>
    fc
      .tuple(fc.integer({ min: 1, max: size }), fc.integer({ min: 1, max: size }))
      .map(([a, b]) => (a < b ? [a, b] : [b, a]));
  const data = fc
    .tuple(fc.integer({ min: 1, max: 9000 }), fc.integer({ min: 1, max: 9000 }))
    .chain(([width, height]) =>
      fc.tuple(
        fc.constant({ width, height }),
        fc.array(fc.tuple(side(width), side(height)), { minLength: 1, maxLength: 5 }),
      ),
    );
  await fc.assert(
    fc.asyncProperty(data, async ([{ width, height }, boxes]) => {
      const objects = boxes.map(([[x0, x1], [y0, y1]], i) => object(`<![CDATA[c<${i}]]>`, [x0, y0, x1, y1])).join('');
      const png = picture('png', width, height);
      const input = files(folder, { 'Annotations/a.xml': document(objects, 'a.png', ''), 'JPEGImages/a.png': png });
      const { out, rows } = await converted(folder, input, { from: 'voc' });
      const back = folder.fresh();
      expect((await convert(out, back, { to: 'voc' })).notes).toEqual([]);
      const xml = readFileSync(join(back, 'Annotations/a.xml'), 'utf8');
      const edges = [...xml.matchAll(/<([xy]m(?:in|ax))>(\d+)</g)].map(([, , edge]) => Number(edge));
      expect(edges).toEqual(boxes.flatMap(([[x0, x1], [y0, y1]]) => [x0, y0, x1, y1]));
      const again = await converted(folder, back, { from: 'voc' });
      expect(again.rows).toEqual(rows.map((row) => ({ ...row, 'image/object/view': boxes.map(() => 'Unspecified') })));
    }),
    { numRuns: 30 },
  );
  const { out } = await converted(folder, voc(document(object('x', [1.25, 1, 2, 2]))), { from: 'voc' });
  const { notes } = await convert(out, folder.fresh(), { to: 'voc' });
  expect(notes).toEqual(['1 box was rounded to whole pixels, which Pascal VOC has.']);
});
