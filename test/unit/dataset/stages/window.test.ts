import { Dataset } from '../../../../lib/dataset';
import { expectResumes } from '../../../support/datasets/dataset-laws';

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
