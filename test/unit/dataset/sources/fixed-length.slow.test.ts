/** `Dataset.fixedLength` can resume at every position. */
import { gzipSync } from 'node:zlib';

import { Dataset } from '../../../../lib';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { Folder } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

test('resumes anywhere, whatever the chunks', async () => {
  const content = Buffer.from(Array.from({ length: 103 }, (_, i) => i));
  const plain = folder.put('resume.bin', content);
  const packed = folder.put('resume.gz', gzipSync(content));
  for (const options of [{}, { hopBytes: 2 }, { hopBytes: 10 }]) {
    const dataset = Dataset.fixedLength([plain, packed, plain], 5, { headerBytes: 2, footerBytes: 1, ...options });
    await expectResumes(dataset, { most: 120 });
    await expectChunkInvariant(dataset);
  }
  await expectResumes(Dataset.fixedLength(plain, 4));
});
