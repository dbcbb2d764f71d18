import { countRecords, RecordIndex } from '../../../../lib';
import { SlowLink } from '../../../support/remote/slow-link';
import { tfrecord } from '../../../support/records/tfrecord';

const MIB = 2 ** 20;

/** Fetches the object in ranges of 4 MiB, eight at a time, and drops them. Resolves with the seconds that this takes. */
async function bareFetch(url: string, size: number): Promise<number> {
  const begun = performance.now();
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next; at < size; at = next) {
      next += 4 * MIB;
      const response = await fetch(url, { headers: { range: `bytes=${at}-${Math.min(size, at + 4 * MIB) - 1}` } });
      for await (const _ of response.body!);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return (performance.now() - begun) / 1000;
}

test('a sequential read over 20 ms of latency requests each byte once, and with TFRECORD_FULL=1 reaches 0.85 of 200 MB/s', async () => {
  const block = tfrecord(Array.from({ length: 16 }, (_, i) => Buffer.alloc(65_536 - 16, i)));
  const [repeats, bytesPerSecond] = [400, 200e6];
  const size = block.length * repeats;
  const link = await SlowLink.start({ block, repeats, latencyMs: 20, bytesPerSecond });
  try {
    const shares: number[] = [];
    for (let attempt = 0; attempt < 5 && !shares.some((share) => share > 0.85); attempt++) {
      // A machine that is busy otherwise may not reach the speed of the link at all.
      const bare = await bareFetch(link.url, size);
      await link.counts();
      const begun = performance.now();
      expect(await countRecords(link.url)).toBe(16 * repeats);
      const seconds = (performance.now() - begun) / 1000;
      shares.push(Math.max(bare, size / bytesPerSecond) / seconds);
      expect((await link.counts()).bytes).toBeLessThanOrEqual(1.01 * size);
    }
    // A measure, which other work on the machine changes.
    if (process.env['TFRECORD_FULL'] === '1') expect(Math.max(...shares)).toBeGreaterThan(0.85);
  } finally {
    await link.close();
  }
});

test('1,000 random records of 1 GB take at most 1,000 requests and twice their bytes', async () => {
  const block = tfrecord(Array.from({ length: 1024 }, (_, i) => Buffer.alloc(1024 - 16, i)));
  const repeats = 1024;
  const link = await SlowLink.start({ block, repeats, latencyMs: 0, bytesPerSecond: 1e12 });
  try {
    const index = RecordIndex.scan(link.url);
    await index.done;
    expect(index.records).toBe(1024 * repeats);
    await link.counts();
    let seed = 1;
    const numbers = Array.from({ length: 1000 }, () => (seed = (seed * 48_271) % 2_147_483_647) % index.records);
    const batch = await index.readBatch(numbers);
    expect(numbers.every((number, i) => batch.at(i)![0] === (number & 0xff))).toBe(true);
    const { requests, bytes } = await link.counts();
    expect(requests).toBeLessThanOrEqual(1000);
    expect(bytes).toBeLessThanOrEqual((2 * numbers.length * MIB) / 1024);
    await index.close();
  } finally {
    await link.close();
  }
});
