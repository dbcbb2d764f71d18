/** `Dataset.csv` can resume at every position. */
import { gzipSync } from 'node:zlib';

import { Dataset } from '../../../../lib';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { Folder } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

test('origins; states; resuming in the midst of a file reads its header again', async () => {
  const lines = (from: number, to: number): string =>
    Array.from({ length: to - from }, (_, i) => `${from + i},"n\n${from + i}"`).join('\n');
  const plain = folder.put('resume.csv', `id,name\n${lines(0, 20)}`);
  const packed = folder.put('resume.gz', gzipSync(`name,id\n"x",77\n"y",78\n`));
  const rows = Dataset.csv([plain, packed, plain], { columns: { name: '', id: 0 } });
  await expectResumes(rows);
  await expectResumes(rows.shuffle(5, { seed: 2 }));
  await expectChunkInvariant(rows);
  const elements = rows.iterate();
  await elements.next();
  await elements.next();
  expect(elements.origin).toEqual({ file: plain, record: 2, offset: 16, bytes: 7 });
  await elements.return();
});
