/** Keys of an index that were forged, under right checksums: what is found holds the key, or there is an error with a code. */
import { readFileSync, writeFileSync } from 'node:fs';

import { bytes, crc32c, encodeExample, maskCrc32c, RecordIndex, TFRecordError } from '../../../../lib';
import { randoms } from '../../../support/randoms';
import { Folder } from '../../../support/records/record-files';
import { tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const FORGERIES = 1000;
const nameOf = (i: number): string => `name ${i % 150}`;
const RECORDS = Array.from({ length: 200 }, (_, i) => encodeExample({ name: bytes([nameOf(i)]) }));

test('1,000 forgeries of keys', async () => {
  const path = folder.put('keys', tfrecord(RECORDS));
  const indexPath = `${path}.tfindex`;
  const scanned = RecordIndex.scan(path, { keys: 'name' });
  await scanned.save(indexPath);
  await scanned.close();
  const saved = readFileSync(indexPath);
  const at = saved.indexOf('keys');
  const end = at + 12 + Number(saved.readBigUInt64LE(at + 4));
  expect(end + 4).toBe(saved.length);
  const random = randoms(31);
  const below = (limit: number): number => Math.floor(random() * limit);
  let [loaded, found, missing] = [0, 0, 0];
  for (let i = 0; i < FORGERIES; i++) {
    const forged = Buffer.from(saved);
    const changes = 1 + below(4);
    for (let change = 0; change < changes; change++) {
      // Mostly the number of a record, so that the sums still rise.
      const first = end - 8 * RECORDS.length;
      const place = random() < 0.8 ? first + 8 * below(RECORDS.length) : at + 12 + below(end - at - 12);
      forged[place]! ^= 1 << below(8);
    }
    forged.writeUInt32LE(maskCrc32c(crc32c(forged.subarray(at, end))), end);
    writeFileSync(indexPath, forged);
    let index: RecordIndex | undefined;
    try {
      index = await RecordIndex.load(indexPath, path);
      loaded++;
      for (let k = 0; k < 5; k++) {
        const name = nameOf(below(150));
        const records = await index.find(name);
        for (const record of records) {
          const wanted = encodeExample({ name: bytes([name]) });
          expect(Buffer.compare((await index.at(record))!, wanted)).toBe(0);
        }
        found += records.length;
        if (records.length === 0) missing++;
      }
    } catch (error) {
      if (!(error instanceof TFRecordError)) throw error;
      expect(error.code).toBe('TFR_STATE_MISMATCH');
    } finally {
      await index?.close();
    }
  }
  expect(loaded).toBeGreaterThan(FORGERIES / 10);
  expect(found).toBeGreaterThan(loaded);
  expect(missing).toBeGreaterThan(0);
}, 120_000);
