/** Whatever is written comes back exactly once, in order within each file, whatever the way, the options and the pauses. */
import fc from 'fast-check';

import { encodeExample, int64, readRecords, RecordReader, ShardedWriter, writeRecords } from '../../../../lib';
import { Folder } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});
jest.setTimeout(120_000);

async function read(source: string | readonly string[]): Promise<Buffer[]> {
  const found: Buffer[] = [];
  for await (const record of readRecords(source)) found.push(Buffer.from(record));
  return found;
}

const row = fc.record({
  label: fc.oneof(fc.constantFrom(0, 1, 2), fc.integer({ min: -50, max: 50 })),
  size: fc.oneof(fc.nat(50), fc.nat(5000), fc.constant(1_100_000)),
  flush: fc.nat(20),
});
const ways = fc.oneof(
  fc.record({ shards: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ shards: fc.integer({ min: 1, max: 12 }), shardBy: fc.constant('label') }),
  fc.record({ maxShardBytes: fc.integer({ min: 1, max: 200_000 }) }),
  fc.record({ partitionBy: fc.constant('label') }),
);

test('records of any way come back exactly once, and in order within their file', async () => {
  await fc.assert(
    fc.asyncProperty(
      ways,
      fc.array(row, { maxLength: 120 }),
      fc.constantFrom('', '.gz'),
      fc.boolean(),
      async (options, rows, suffix, batches) => {
        const { path } = folder.place();
        const records = rows.map(({ label, size }, id) =>
          encodeExample({ id: int64(id), label: int64(label), fill: Buffer.alloc(size, id) }),
        );
        const writer = await ShardedWriter.open(`${path}/x.tfrecord${suffix}`, options);
        if (batches) {
          await writeRecords(`${path}/source`, records);
          const reader = await RecordReader.open(`${path}/source`, { batchBytes: 65_536 });
          for await (const batch of reader.batches()) await writer.writeBatch(batch);
        } else {
          for (const [i, record] of records.entries()) {
            const full = writer.write(record);
            // Some callers do not wait.
            if (rows[i]!.flush > 10) await full;
            if (rows[i]!.flush === 0) await writer.flush();
          }
        }
        const { files, records: count } = await writer.close();
        expect(count).toBe(records.length);
        const numbers = new Map(records.map((record, i) => [Buffer.from(record).toString('latin1'), i]));
        const seen = new Set<number>();
        for (const { file, records: expected } of files) {
          const found = (await read(file)).map((record) => numbers.get(record.toString('latin1'))!);
          expect(found).toHaveLength(expected);
          expect(found).toEqual([...found].sort((a, b) => a - b));
          for (const i of found) seen.add(i);
        }
        expect(seen.size).toBe(records.length);
        const all =
          'partitionBy' in options ? `${path}/label=*/x.tfrecord${suffix}` : `${path}/x-*-of-*.tfrecord${suffix}`;
        if (files.length > 0) expect(await read(all)).toHaveLength(records.length);
      },
    ),
    { numRuns: 60 },
  );
});
