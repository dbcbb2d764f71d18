/** A conversion that is killed again and again, and goes on each time, gives what an undisturbed one gives. */
import { convert } from '../../../lib/convert';
import { jobFiles } from '../../support/records/job-files';
import { Folder, numberedRecords } from '../../support/records/record-files';
import { randoms } from '../../support/randoms';
import { tfrecord } from '../../support/records/tfrecord';
import { runCase } from '../../support/running/run-case';

const folder = new Folder();
afterAll(() => folder.remove());

const KILLS = 100;

test.each([{ compression: 'gzip' as const }, { seed: 5 }])(
  '%j: 100 kills',
  async (more) => {
    const random = randoms(1);
    const input = folder.put('in', tfrecord(numberedRecords(8000, 2000)));
    const options = { shards: 40, ...more };
    const undisturbed = folder.place();
    const begun = performance.now();
    await convert(input, undisturbed.at('out'), options);
    const shardTime = (performance.now() - begun) / 40;
    const killed = folder.place();
    const args = [input, killed.at('out'), JSON.stringify(options)];
    let kills = 0;
    for (let run = 0; run < KILLS; run++) {
      // Behind the start of Node, about.
      const delay = Math.round(random() * 1.5 * (shardTime + 20));
      const { signal } = await runCase('unit/convert/cases/convert', { args: [...args, String(delay)] });
      if (signal === 'SIGKILL') kills++;
    }
    expect(kills).toBeGreaterThan(10);
    const { said } = await runCase('unit/convert/cases/convert', { args });
    expect(said[0]).toMatchObject({ records: 8000 });
    expect(jobFiles(killed.path)).toEqual(jobFiles(undisturbed.path));
  },
  600_000,
);
