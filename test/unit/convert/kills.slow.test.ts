/** A conversion that is killed again and again, and goes on each time, gives what an undisturbed one gives. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { convert } from '../../../lib/convert';
import { Folder, numberedRecords } from '../../support/records/record-files';
import { randoms } from '../../support/randoms';
import { tfrecord } from '../../support/records/tfrecord';
import { runCase } from '../../support/running/run-case';

const folder = new Folder();
afterAll(() => folder.remove());

const KILLS = 100;

function stateOf(path: string): unknown {
  return readdirSync(path)
    .sort()
    .map((name) => {
      const content = readFileSync(join(path, name));
      if (!name.endsWith('manifest.json')) return [name, content.toString('base64')];
      const {
        seconds: _seconds,
        finished: _finished,
        ...rest
      } = JSON.parse(String(content)) as Record<string, unknown>;
      return [name, rest];
    });
}

test.each([{ compression: 'gzip' as const }, { seed: 5 }])(
  '%j: 100 kills',
  async (more) => {
    const random = randoms(1);
    const input = folder.put('in', tfrecord(numberedRecords(8000, 2000)));
    const options = { shards: 40, ...more };
    const undisturbed = folder.fresh();
    mkdirSync(undisturbed);
    const begun = performance.now();
    await convert(input, join(undisturbed, 'out'), options);
    const shardTime = (performance.now() - begun) / 40;
    const path = folder.fresh();
    mkdirSync(path);
    const args = [input, join(path, 'out'), JSON.stringify(options)];
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
    expect(stateOf(path)).toEqual(stateOf(undisturbed));
  },
  600_000,
);
