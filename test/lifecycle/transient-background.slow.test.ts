/**
 * With `transient`, the program may still read memory in the background while the next step overwrites it. It then
 * reads other values, and nothing else happens. This is a data race of the program, which ThreadSanitizer would rightly
 * report.
 */
import { encodeExample } from '../../lib';
import { writeLongRows } from '../support/examples/example-files';
import { Folder } from '../support/records/record-files';
import { CASE_TIMEOUT, endedWell, runCase } from '../support/running/run-case';

const folder = new Folder();
afterAll(() => folder.remove());
const file = writeLongRows(folder);

test(
  'memory that is still read in the background is written over, never taken away',
  async () => {
    const flags = ['--expose-gc'];
    const image = Uint8Array.from({ length: 3 << 20 }, (_, i) => (i * i) >> 5);
    const images = folder.write(
      'images.tfrecord',
      Array.from({ length: 12 }, () => encodeExample({ image })),
    );
    const result = await runCase('lifecycle/cases/memory/transient-background', { args: [file, images], flags });
    expect(result).toEqual(endedWell({ some: true, calls: 216 }));
  },
  CASE_TIMEOUT,
);
