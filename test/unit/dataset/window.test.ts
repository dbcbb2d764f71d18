import { Dataset } from '../../../lib/dataset';
import { expectChunkInvariant, expectResumes } from '../../support/dataset-laws';
import { Folder, numberedRecords } from '../../support/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

const EXAMPLES = [
  { size: 3, options: {}, windows: [[0, 1, 2], [3, 4, 5], [6]] },
  { size: 3, options: { shift: 2, stride: 2 }, windows: [[0, 2, 4], [2, 4, 6], [4, 6], [6]] },
  {
    size: 3,
    options: { shift: 2, stride: 2, dropRemainder: true },
    windows: [
      [0, 2, 4],
      [2, 4, 6],
    ],
  },
  {
    size: 2,
    options: { shift: 4 },
    windows: [
      [0, 1],
      [4, 5],
    ],
  },
  { size: 1, options: { shift: 3, stride: 5 }, windows: [[0], [3], [6]] },
  { size: 9, options: { shift: 3 }, windows: [[0, 1, 2, 3, 4, 5, 6], [3, 4, 5, 6], [6]] },
  { size: 9, options: { dropRemainder: true }, windows: [] },
];

test.each(EXAMPLES)('of 0 to 6: $size, $options', async ({ size, options, windows }) => {
  const dataset = Dataset.range(7).window(size, options);
  await expect(dataset.toArray()).resolves.toEqual(windows);
  expect(dataset.size).toBe(windows.length);
  await expectResumes(dataset);
});

test('every size, shift and stride is what slicing gives', async () => {
  for (let n = 0; n <= 9; n += 3) {
    for (let size = 1; size <= 4; size++) {
      for (let shift = 1; shift <= 5; shift++) {
        for (let stride = 1; stride <= 3; stride++) {
          for (const dropRemainder of [false, true]) {
            const expected: number[][] = [];
            for (let start = 0; start < n; start += shift) {
              const window = Array.from({ length: size }, (_, i) => start + i * stride).filter((i) => i < n);
              if (window.length === size || !dropRemainder) expected.push(window);
            }
            const dataset = Dataset.range(n).window(size, { shift, stride, dropRemainder });
            const what = { n, size, shift, stride, dropRemainder };
            expect({ ...what, windows: await dataset.toArray() }).toEqual({ ...what, windows: expected });
            expect({ ...what, size: dataset.size }).toEqual({ ...what, size: expected.length });
          }
        }
      }
    }
  }
});

test.each([
  { size: 3, shift: 1 },
  { size: 5, shift: 2, stride: 3 },
  { size: 2, shift: 7 },
])('resumes anywhere, whatever the chunks: $size, $shift', async ({ size, ...options }) => {
  const file = folder.write('window.tfrecord', numberedRecords(40, 8));
  const dataset = Dataset.tfrecord(file).window(size, options);
  const [state] = (await expectResumes(dataset)).slice(-2);
  expect(JSON.stringify(state).length).toBeLessThan(400);
  await expectChunkInvariant(dataset);
});

test('what an error comes behind is given first, as at the end', async () => {
  const dataset = Dataset.range(9)
    .map((n) => {
      if (n === 5) throw new Error('five');
      return n;
    })
    .window(3, { shift: 2 });
  const windows: unknown[] = [];
  const reading = (async () => {
    for await (const window of dataset) windows.push(window);
  })();
  await expect(reading).rejects.toMatchObject({ code: 'TFR_USER' });
  expect(windows).toEqual([[0, 1, 2], [2, 3, 4], [4]]);
});

test('arguments are checked', () => {
  const dataset = Dataset.range(3);
  expect(() => dataset.window(0)).toThrow(RangeError);
  expect(() => dataset.window(2, { shift: 0 })).toThrow(RangeError);
  expect(() => dataset.window(2, { stride: 1.5 })).toThrow(RangeError);
  expect(() => dataset.window(2, { drop: true } as never)).toThrow(TypeError);
});
