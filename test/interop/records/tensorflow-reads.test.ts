/** TensorFlow reads our files in full, with its iterator and with its dataset. */
import { RecordWriter, writeRecords, type WriteOptions } from '../../../lib';
import { RecordPeer } from './peer';
import { COMPRESSIONS, RecordDigest, SIZES, digestOf, noise, read, temporaryFolder, text } from './support';

const at = temporaryFolder();
let peer: RecordPeer;
beforeAll(() => (peer = new RecordPeer()));
afterAll(() => peer.close());

const LEVEL_SIZES = SIZES.filter((size) => size < 300_000);
const LEVELS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

describe.each(COMPRESSIONS)('written as $ours', ({ ours: compression, theirs }) => {
  /** Writes `records`, and expects all of them from both of TensorFlow's readers and from ours. */
  async function expectWhole(records: readonly Uint8Array[], options: WriteOptions = {}): Promise<void> {
    const file = at('written');
    const report = await writeRecords(file, records, { compression, ...options });
    const digest = digestOf(records);
    expect(report.records).toBe(records.length);
    for (const via of ['iterator', 'dataset'] as const) {
      const answer = await peer.ask({ op: 'read', file, compression: theirs, via });
      expect(answer).toEqual({ ...digest, error: null, message: null });
    }
    expect(await read(file)).toEqual({ ...digest, error: undefined });
  }

  test('all sizes in one file, noise', () => expectWhole(SIZES.map(noise)));
  test('all sizes in one file, text', () => expectWhole(SIZES.map(text)));
  test.each(SIZES)('one record of %i bytes', (size) => expectWhole([noise(size, 1)]));
  test('no record', () => expectWhole([]));
  test('100,000 empty records', () => expectWhole(Array<Uint8Array>(100_000).fill(new Uint8Array(0))));
  test('records that look like gzip and zlib', () =>
    expectWhole([noise(40_056, 1), noise(559_903, 2), noise(40_056, 3)]));
  if (compression !== 'none') {
    test.each(LEVELS)('level %i', (level) =>
      expectWhole([...LEVEL_SIZES.map(text), ...LEVEL_SIZES.map(noise)], { level }),
    );
  }
  test.each([1, 2, 5])('%i threads', (threads) =>
    expectWhole(
      Array.from({ length: 60 }, (_, i) => noise(100_000 + i, i)),
      { threads },
    ),
  );

  test('small records, many members', () =>
    expectWhole(Array.from({ length: 120_000 }, (_, i) => text(20 + (i % 71), i))));

  test('flushed again and again', async () => {
    const file = at('flushed');
    const writer = await RecordWriter.open(file, { compression });
    const digest = new RecordDigest();
    for (let i = 0; i < 300; i += 1) {
      const record = i % 3 === 0 ? noise(i * 37, i) : text(i * 11, i);
      digest.add(record);
      await writer.write(record);
      if (i % 7 === 0) await writer.flush();
      // A flush without new records must not write an empty member.
      if (i % 21 === 0) await writer.flush();
    }
    await writer.flush();
    await writer.close();
    const answer = await peer.ask({ op: 'read', file, compression: theirs });
    expect(answer).toEqual({ ...digest.done(), error: null, message: null });
  });

  test('after a flush all that was written is there, also for TensorFlow', async () => {
    const file = at('growing');
    const writer = await RecordWriter.open(file, { compression, atomic: false });
    const digest: Uint8Array[] = [];
    for (let i = 0; i < 5; i += 1) {
      const record = noise(5_000 * i, i);
      digest.push(record);
      await writer.write(record);
      await writer.flush();
      expect(await peer.ask({ op: 'read', file, compression: theirs })).toMatchObject(digestOf(digest));
    }
    await writer.close();
  });
});

test('records written as strings are UTF-8', async () => {
  const file = at('strings');
  const writer = await RecordWriter.open(file, { compression: 'gzip' });
  const strings = ['', 'plain', 'grüße', '水と火', '🙂'.repeat(1000)];
  for (const string of strings) await writer.write(string);
  await writer.close();
  const answer = await peer.ask({ op: 'read', file, compression: 'GZIP' });
  expect(answer).toMatchObject({ ...digestOf(strings.map((string) => Buffer.from(string))), error: null });
});
