/** Random pipelines over files resume anywhere. */
import { Dataset } from '../../../lib';
import { expectChunkInvariant, expectResumes } from '../../support/dataset-laws';
import { numbered } from '../../support/example-files';
import { randomPipeline, SPEEDS, type Source } from '../../support/random-pipelines';
import { randoms } from '../../support/randoms';
import { Folder, numberedRecords } from '../../support/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

const PIPELINES = 50;
const POSITIONS = 20;
const records = numberedRecords(60, 40);
const plain = [records.slice(0, 7), [], records.slice(7, 30)].map((part, i) => folder.write(`plain-${i}`, part));
const packed = [records.slice(0, 25), records.slice(25, 40)].map((part, i) => folder.write(`packed-${i}.gz`, part));
for (let i = 0; i < 4; i++) {
  const examples = Array.from({ length: 6 + 9 * i }, (_, k) => numbered(100 * i + k));
  folder.write(i === 2 ? 'train-2.gz' : `train-${i}`, examples);
}

const SOURCES: readonly Source[] = [
  () => Dataset.tfrecord(plain),
  () => Dataset.tfrecord(packed),
  () => Dataset.tfrecord([...packed, ...plain], { batchBytes: 4096 }),
  () =>
    Dataset.files([...plain, ...packed])
      .shuffle('full')
      .interleave((file) => Dataset.tfrecord(file), { cycleLength: 3 }),
  () => Dataset.range(40),
];

beforeAll(() => jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined));

test.each(Array.from({ length: PIPELINES }, (_, seed) => seed))('pipeline %# over files', async (seed) => {
  const random = randoms(1000 + seed);
  const pick = (below: number): number => Math.floor(random() * below);
  const { make } = randomPipeline(pick, SOURCES);
  const others = SPEEDS.map((speed) => make(speed));
  const most = 120;
  const positions = Array.from({ length: POSITIONS }, () => pick(most));
  await expectResumes(others[0] as Dataset<unknown, unknown>, { most, positions: [0, ...positions], others });
  await expectChunkInvariant(others[seed % 3] as Dataset<unknown, unknown>);
});
