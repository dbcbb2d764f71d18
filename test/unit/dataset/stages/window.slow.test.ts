/** `window` of every size, shift and stride; it can resume at every position. */
import { Dataset } from '../../../../lib/dataset';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { Folder, numberedRecords } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

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
