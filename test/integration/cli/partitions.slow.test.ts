/** The memory of `tfrecord convert --partition-by` with as many folders as files are open at a time, in no order. */
import { closeSync, openSync, readdirSync, writeSync } from 'node:fs';

import { bytes, encodeExample, encodeRecords, int64 } from '../../../lib';
import { onLinux } from '../../support/on-linux';
import { Folder } from '../../support/records/record-files';
import { measuredCli } from '../../support/running/peak-memory';

const FOLDERS = 1000;
/** Number of records that are written to the input at a time. */
const ROUND = 10_000;
const ROUNDS = process.env['TFRECORD_FULL'] === '1' ? 100 : 50;

const folder = new Folder();
afterAll(() => folder.remove());
const cwd = folder.path;

beforeAll(() => {
  const data = bytes([Buffer.alloc(60, 'data')]);
  const file = openSync(folder.at('random.tfrecord'), 'w');
  let seed = 1;
  for (let round = 0; round < ROUNDS; round++) {
    const records = Array.from({ length: ROUND }, (_, i) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      const label = int64([Math.floor((seed / 2 ** 32) * FOLDERS)]);
      return encodeExample({ label, id: int64([round * ROUND + i]), data });
    });
    writeSync(file, encodeRecords(records));
  }
  closeSync(file);
}, 60_000);

describe.each(['plain/a.tfrecord', 'zipped/a.tfrecord.gz'])('%s', (target) => {
  onLinux(
    '1,000 folders at random within 100 MB over bare Node',
    async () => {
      const result = await measuredCli(['convert', '--partition-by', 'label', 'random.tfrecord', target], {
        cwd,
        built: true,
      });
      expect(result.code).toBe(0);
      const made = readdirSync(folder.at(target.split('/')[0]!));
      expect(made.filter((name) => name.startsWith('label='))).toHaveLength(FOLDERS);
      expect(result.above).toBeLessThan(100);
    },
    300_000,
  );
});
