/** `Dataset.text` can resume at every position. */
import { gzipSync } from 'node:zlib';

import { Dataset } from '../../../../lib';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { Folder } from '../../../support/records/record-files';
import { numberedLines } from '../../../support/records/texts';

const folder = new Folder();
afterAll(() => folder.remove());

test('resumes anywhere: plain files by a seek, compressed ones from their start', async () => {
  const plain = folder.put('resume.txt', `\ufeffhead\n${numberedLines(0, 20).join('\r\n')}`);
  const packed = folder.put('resume.gz', gzipSync(`head\n${numberedLines(20, 40).join('\n')}`));
  const lines = Dataset.text([plain, folder.put('empty.txt', ''), packed, plain], { skipHeaderLines: 1 });
  await expectResumes(lines);
  await expectChunkInvariant(lines);
  await expectResumes(lines.shuffle(8, { seed: 1 }).batch(3));
  const elements = lines.iterate();
  for (let i = 0; i < 10; i++) await elements.next();
  const state = elements.state();
  await elements.return();
  expect(JSON.stringify(state).length).toBeLessThan(400);
  folder.put('resume.txt', `\ufeffhead\n${numberedLines(0, 21).join('\r\n')}`);
  await expect(lines.iterate({ state }).next()).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
});
