/** `Dataset.text` resumes anywhere, and in damaged files. */
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { Dataset } from '../../../lib';
import { expectChunkInvariant, expectResumes } from '../../support/dataset-laws';
import { descriptorsIn } from '../../support/descriptors';
import { onLinux } from '../../support/on-linux';
import { Folder } from '../../support/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

function write(name: string, content: string | Uint8Array): string {
  writeFileSync(folder.at(name), content);
  return folder.at(name);
}

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, i) => `line ${from + i} ${'é'.repeat((from + i) % 7)}`);

test('resumes anywhere: plain files by a seek, compressed ones from their start', async () => {
  const plain = write('resume.txt', `\ufeffhead\n${numbered(0, 20).join('\r\n')}`);
  const packed = write('resume.gz', gzipSync(`head\n${numbered(20, 40).join('\n')}`));
  const lines = Dataset.text([plain, write('empty.txt', ''), packed, plain], { skipHeaderLines: 1 });
  await expectResumes(lines);
  await expectChunkInvariant(lines);
  await expectResumes(lines.shuffle(8, { seed: 1 }).batch(3));
  const elements = lines.iterate();
  for (let i = 0; i < 10; i++) await elements.next();
  const state = elements.state();
  await elements.return();
  expect(JSON.stringify(state).length).toBeLessThan(400);
  write('resume.txt', `\ufeffhead\n${numbered(0, 21).join('\r\n')}`);
  await expect(lines.iterate({ state }).next()).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
});

onLinux('nothing stays open', async () => {
  const file = write('open.txt', numbered(0, 100_000).join('\n'));
  for (const lines of [
    Dataset.text([file, file]),
    Dataset.text(write('open.gz', gzipSync(numbered(0, 100_000).join('\n')))),
  ]) {
    for await (const line of lines) if (line.startsWith('line 3 ')) break;
    expect(descriptorsIn(folder.path)).toBe(0);
    expect(await lines.take(5).count()).toBe(5);
    expect(descriptorsIn(folder.path)).toBe(0);
  }
});
