/** Random pipelines over files can resume at every position. */
import { Dataset } from '../../../../lib';
import { RESUMED_PIPELINES, RESUMES_EACH } from '../../../support/running/attack-counts';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { writeParts } from '../../../support/examples/example-files';
import { randomPipeline, SPEEDS, type Source } from '../../../support/datasets/random-pipelines';
import { randoms } from '../../../support/randoms';
import { Folder } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

const { plain, packed } = writeParts(folder);

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

let resumed = 0;

test.each(Array.from({ length: RESUMED_PIPELINES }, (_, seed) => seed))('pipeline %# over files', async (seed) => {
  const random = randoms(1000 + seed);
  const pick = (below: number): number => Math.floor(random() * below);
  const { make } = randomPipeline(pick, SOURCES);
  const others = SPEEDS.map((speed) => make(speed));
  const most = 120;
  const { length } = await (others[0] as Dataset<unknown, unknown>).take(most).toArray();
  const positions = Array.from({ length: RESUMES_EACH }, () => pick(length + 1));
  const states = await expectResumes(others[0] as Dataset<unknown, unknown>, {
    most,
    positions: [0, ...positions],
    others,
  });
  resumed += positions.filter((position) => position < states.length).length;
  await expectChunkInvariant(others[seed % 3] as Dataset<unknown, unknown>);
});

test('so many places were resumed at', () => {
  // Some drawn places lie behind an error.
  expect(resumed).toBeGreaterThanOrEqual(RESUMED_PIPELINES * (RESUMES_EACH - 1));
});
