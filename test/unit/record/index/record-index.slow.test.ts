import { readFileSync, writeFileSync } from 'node:fs';
import { deflateSync, gzipSync } from 'node:zlib';

import { readRecords } from '../../../../lib';
import { RecordIndex } from '../../../../lib/record';
import { randoms } from '../../../support/randoms';
import { CASE_TIMEOUT, runCase } from '../../../support/running/run-case';
import { letters } from '../../../support/records/letters';
import { Folder } from '../../../support/records/record-files';
import { cut, flipBit, tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

test('random damage gives what readRecords gives', async () => {
  const random = randoms(11);
  const content = tfrecord(letters(400, 300));
  const members = [0, 20_000, 40_000].map((at) =>
    gzipSync(content.subarray(at, at === 40_000 ? undefined : at + 20_000)),
  );
  const files = [content, gzipSync(content), deflateSync(content), Buffer.concat(members)];
  for (let i = 0; i < 200; i++) {
    let bytes = files[i % files.length]!;
    for (let flips = Math.floor(random() * 3); flips > 0; flips--) {
      bytes = flipBit(bytes, Math.floor(random() * bytes.length), Math.floor(random() * 8));
    }
    if (i % 5 === 0) bytes = cut(bytes, Math.floor(random() * bytes.length));
    const path = folder.fresh();
    writeFileSync(path, bytes);
    const faults: string[] = [];
    const wanted: string[] = [];
    const reading = readRecords(path, {
      onError: (error) => {
        faults.push(`${error.code} ${error.record} ${error.offset} ${error.lostBytes} ${error.message}`);
        return 'skip';
      },
    });
    for await (const record of reading) wanted.push(Buffer.from(record).toString('latin1'));
    const places = RecordIndex.scan(path);
    await places.done;
    expect(
      places.faults.map((error) => `${error.code} ${error.record} ${error.offset} ${error.lostBytes} ${error.message}`),
    ).toEqual(faults);
    const found = await places.read(0, 10_000);
    const right = found.filter(({ error }) => error === undefined);
    expect(right.map(({ data }) => Buffer.from(data).toString('latin1'))).toEqual(wanted);
    expect(found.map(({ record }) => record)).toEqual(found.map((_, at) => at));
    await places.close();
  }
});

test('a scan reads no data of records over 64 MiB, which a read checks', async () => {
  const long = Buffer.alloc(65 * 2 ** 20, 'x');
  const content = tfrecord(['first', long, 'last']);
  const right = folder.put('right', content);
  content[100] = content[100]! ^ 1;
  const damaged = folder.put('damaged', content);
  for (const path of [right, damaged]) {
    const index = RecordIndex.scan(path);
    await index.done;
    expect(index.faults).toEqual([]);
    expect(index.records).toBe(3);
    const found = await index.read(0, 3);
    expect(found.map(({ record, data }) => [record, data.length])).toEqual([
      [0, 5],
      [1, long.length],
      [2, 4],
    ]);
    expect(found[1]!.error?.code).toBe(path === right ? undefined : 'TFR_CORRUPT_DATA');
    await index.close();
  }
});

test.each([1, 6, 9])(
  'windows take at most 1 percent of a GZIP file at the default distance: level %d',
  async (level) => {
    // Records that resemble each other, as those of a data set do: some text, and some bytes.
    const random = randoms(level);
    const records = Array.from({ length: 60_000 }, (_, i) => {
      const noise = Buffer.from(Array.from({ length: 120 }, () => random() * 256));
      return Buffer.concat([
        Buffer.from(`image/${i}.png label ${i % 10} split train source camera ${i % 7}`.repeat(4)),
        noise,
      ]);
    });
    const path = folder.put(`windows-${level}`, gzipSync(tfrecord(records), { level }));
    const index = RecordIndex.scan(path);
    await index.save(`${path}.tfindex`);
    await index.close();
    const saved = readFileSync(`${path}.tfindex`);
    const windows = Number(saved.readBigUInt64LE(saved.indexOf('PNTS') + 4));
    expect(windows).toBeGreaterThan(10_000);
    expect(windows).toBeLessThan(readFileSync(path).length / 100);
    // And two bytes at most for each record.
    expect(saved.length - windows).toBeLessThan(2 * records.length);
  },
);

test(
  'the event loop turns while millions of numbers are planned',
  async () => {
    const records = Array.from({ length: 200_000 }, (_, i) => Buffer.from(new Uint32Array([i]).buffer));
    const path = folder.put('many', tfrecord(records));
    const { said, stderr } = await runCase('unit/record/index/cases/many-numbers', { args: [path] });
    expect(stderr).toBe('');
    const [{ taken, longest, ...read }] = said as [{ readonly taken: number; readonly longest: number }, unknown];
    expect(read).toEqual({ records: 3_000_000, wrong: -1 });
    // A share and no time: planning takes more than half.
    expect(longest).toBeLessThan(taken / 3);
  },
  CASE_TIMEOUT,
);
