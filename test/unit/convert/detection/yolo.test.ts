/** Data sets of YOLO to TFRecords, and back. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import { bytes, float, int64 } from '../../../../lib';
import { convert } from '../../../../lib/convert';
import { picture } from '../../../support/records/pictures';
import { Folder } from '../../../support/records/record-files';
import { converted, files, recordsFile } from './data-folders';

const folder = new Folder({ others: true });
afterAll(() => folder.remove());

const PNG = picture('png', 64, 48);

function yolo(labels: string, more: Readonly<Record<string, string | Uint8Array>> = {}): string {
  return files(folder, {
    'images/train/a.png': PNG,
    'images/train/b.png': PNG,
    'labels/train/a.txt': labels,
    'data.yaml': 'path: .\ntrain: images/train\nnames:\n  0: cat # first\n  1: "dog"\n',
    ...more,
  });
}

test('pictures become records, with the numbers of classes from 1; pictures without labels have no boxes', async () => {
  const { rows } = await converted(folder, yolo('1 0.25 0.5 0.25 0.5\r\n\n0 0.5 0.5 1 1\n'), { from: 'yolo' });
  expect(rows).toEqual([
    {
      'image/filename': ['train/a.png'],
      'image/source_id': ['train/a.png'],
      'image/format': ['png'],
      'image/width': [64],
      'image/height': [48],
      'image/object/bbox/xmin': [0.125, 0],
      'image/object/bbox/ymin': [0.25, 0],
      'image/object/bbox/xmax': [0.375, 1],
      'image/object/bbox/ymax': [0.75, 1],
      'image/object/class/text': ['dog', 'cat'],
      'image/object/class/label': [2, 1],
    },
    expect.objectContaining({ 'image/filename': ['train/b.png'], 'image/object/class/label': [] }),
  ]);
});

test('labels beside their pictures, and names by classes.txt or the caller', async () => {
  const input = files(folder, { 'a.png': PNG, 'a.txt': '1 .5 .5 1 1', 'classes.txt': 'cat\ndog\n' });
  expect((await converted(folder, input, { from: 'yolo' })).rows[0]).toMatchObject({
    'image/object/class/text': ['dog'],
  });
  const { rows } = await converted(folder, input, { from: 'yolo', classes: ['x', 'y'] });
  expect(rows[0]).toMatchObject({ 'image/object/class/text': ['y'] });
});

test.each<[string, string, Readonly<Record<string, string | Uint8Array>>]>([
  ['an unknown class', '2 0.5 0.5 1 1', {}],
  ['a class below 0', '-1 0.5 0.5 1 1', {}],
  ['four numbers', '0 0.5 0.5 1', {}],
  ['a word', '0 0.5 0.5 1 one', {}],
  ['a NaN', '0 0.5 0.5 1 nan', {}],
  ['a box outside of the picture', '0 0.9 0.5 0.5 1', {}],
  ['a box without an area', '0 0.5 0.5 0 1', {}],
  ['labels without a picture', '', { 'labels/train/c.txt': '' }],
])('%s is an error, or is left out', async (_, labels, more) => {
  const input = yolo(labels, more);
  await expect(converted(folder, input, { from: 'yolo' })).rejects.toMatchObject({ code: 'TFR_FEATURE' });
  const { rows, report } = await converted(folder, input, { from: 'yolo', onError: 'skip' });
  expect(report.skipped).toBe(1);
  expect(rows.map((row) => row['image/object/class/label'])).toEqual([[], []]);
});

test('two pictures of one file of labels are an error, and so are labels that are no text', async () => {
  const twice = yolo('', { 'images/train/a.jpeg': picture('jpeg', 8, 8) });
  await expect(converted(folder, twice, { from: 'yolo' })).rejects.toMatchObject({ expected: 'one picture' });
  const { report } = await converted(folder, twice, { from: 'yolo', onError: 'skip' });
  expect(report).toMatchObject({ records: 2, skipped: 1 });
  const binary = yolo('', { 'labels/train/b.txt': Uint8Array.of(0xff, 0xfe) });
  await expect(converted(folder, binary, { from: 'yolo' })).rejects.toMatchObject({ code: 'TFR_DECODE' });
});

test.each([
  ["names: [cat, 'do''g', \"e\\u0301\"]  # three", ['cat', "do'g", 'e\u0301']],
  ['names:\n- cat\n- dog of mine\n\nnc: 2', ['cat', 'dog of mine']],
  ['nc: 2\nnames:\n  # two\n  1: b\n  0: a\n', ['a', 'b']],
  ['names: [a,\n  b\n]', ['a', 'b']],
])('names of %j', async (yaml, names) => {
  const labelMap = `${folder.fresh()}.pbtxt`;
  await converted(folder, yolo('', { 'data.yaml': yaml }), { from: 'yolo', labelMap });
  const found = [...readFileSync(labelMap, 'utf8').matchAll(/name: ("[^\n]*")/g)].map(([, name]) => name);
  expect(found).toHaveLength(names.length);
});

test.each([
  'nc: 2',
  'names:\n',
  'names: &a [x]',
  'names: *a',
  'names: [a, [b]]',
  'names: [a',
  'names: {0: a}',
  'names:\n  0: a\n  2: b\n',
  'names:\n  0: a\n  0: b\n',
  'names:\n  - a\n  0: b\n',
  'names:\n  0: !tag a\n',
  'names:\n  999999: a\n',
  'names: [a, a]',
])('%j has no names that we read', async (yaml) => {
  await expect(converted(folder, yolo('', { 'data.yaml': yaml }), { from: 'yolo' })).rejects.toMatchObject({
    code: expect.stringMatching(/^TFR_(?:DECODE|FEATURE)$/) as unknown,
  });
});

test('without names, and without pictures, there is nothing to read', async () => {
  const noNames = files(folder, { 'a.png': PNG });
  await expect(converted(folder, noNames, { from: 'yolo' })).rejects.toMatchObject({ code: 'ENOENT' });
  const none = files(folder, { 'data.yaml': 'names: [a]' });
  await expect(converted(folder, none, { from: 'yolo' })).rejects.toMatchObject({ code: 'ENOENT' });
});

test('gaps between the numbers of classes are called unused, and a note says so', async () => {
  const input = recordsFile(folder, [
    {
      'image/encoded': bytes([PNG]),
      'image/filename': bytes(['a.png']),
      'image/object/bbox/xmin': float([0]),
      'image/object/bbox/ymin': float([0]),
      'image/object/bbox/xmax': float([1]),
      'image/object/bbox/ymax': float([1]),
      'image/object/class/text': bytes(['dog']),
      'image/object/class/label': int64([2]),
    },
  ]);
  const out = folder.fresh();
  const { notes } = await convert(input, out, { to: 'yolo' });
  expect(notes).toEqual([expect.stringContaining('1 number of classes') as unknown]);
  expect(readFileSync(join(out, 'data.yaml'), 'utf8')).toContain('nc: 2\nnames:\n  0: "unused-1"\n  1: "dog"\n');
  expect(readFileSync(join(out, 'labels/a.txt'), 'utf8')).toBe('1 0.5 0.5 1 1\n');
  expect(existsSync(join(out, 'images/a.png'))).toBe(true);
});

test('YOLO through TFRecords and back is the same, to the last decimal', async () => {
  const side = fc
    .tuple(fc.integer({ min: 0, max: 999_998 }), fc.integer({ min: 1, max: 499_999 }))
    .map(([low, half]): [number, number] => {
      const length = 2 * Math.max(1, Math.min(half, Math.floor((1_000_000 - low) / 2)));
      return [(low + length / 2) / 1e6, length / 1e6];
    });
  const boxes = fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), side, side), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(boxes, async (all) => {
      const text = all.map(([label, [x, w], [y, h]]) => `${label} ${x} ${y} ${w} ${h}\n`).join('');
      const input = files(folder, { 'images/a.png': PNG, 'labels/a.txt': text, 'data.yaml': 'names: [cat, dog]' });
      const labelMap = `${folder.fresh()}.pbtxt`;
      const { out, rows } = await converted(folder, input, { from: 'yolo', labelMap });
      const back = folder.fresh();
      await convert(out, back, { to: 'yolo', labelMap });
      const again = await converted(folder, back, { from: 'yolo' });
      expect(again.rows).toEqual(rows);
      const numbers = (lines: string): number[] => lines.trim().split(/\s+/).map(Number);
      expect(numbers(readFileSync(join(back, 'labels/a.txt'), 'utf8'))).toEqual(numbers(text));
    }),
    { numRuns: 30 },
  );
});
