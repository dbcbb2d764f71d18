import { gzipSync } from 'node:zlib';
import { writeFileSync } from 'node:fs';

import { RecordIndex } from '../../../../lib/record';
import { randoms } from '../../../support/randoms';
import { letters } from '../../../support/records/letters';
import { Folder } from '../../../support/records/record-files';
import { tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

test('places of a gzipped file take under 4 % of its content, and any record comes within 100 ms', async () => {
  // One member of 64 MiB: a checkpoint between members would take nothing.
  const part = tfrecord(letters(20_000, 650));
  const content = Buffer.concat(Array.from({ length: 10 }, () => part));
  const path = folder.at('one-member.gz');
  writeFileSync(path, gzipSync(content, { level: 1 }));
  const places = RecordIndex.scan(path);
  await places.done;
  expect(places.progress.records).toBe(200_000);
  expect(places.heldBytes).toBeLessThan(content.length * 0.04);
  const random = randoms(3);
  const times: number[] = [];
  for (let i = 0; i < 101; i++) {
    const wanted = Math.floor(random() * 200_000);
    const before = performance.now();
    const [found] = await places.read(wanted, 1);
    times.push(performance.now() - before);
    expect(Buffer.from(found!.data).readUInt32LE()).toBe(wanted % 20_000);
  }
  // The median, for the machine may be busy: it is about 2 ms.
  expect(times.sort((a, b) => a - b)[50]).toBeLessThan(100);
  await places.close();
});
