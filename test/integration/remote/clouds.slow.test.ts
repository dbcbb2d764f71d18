/** Records of objects in clouds: the same as those of a file, however they are stored, written, found and read. */
import { createHash, randomBytes } from 'node:crypto';

import { convert } from '../../../lib/convert';
import {
  countRecords,
  Dataset,
  encodeExample,
  int64,
  openIndexed,
  readRecords,
  RecordIndex,
  RecordWriter,
  writeRecords,
  type RecordSource,
} from '../../../lib';
import { objectSource, objectTarget, setStore, type ObjectStore } from '../../../lib/io';
import { s3Package } from '../../support/servers/clients';
import { describeWith } from '../../support/servers/servers';
import {
  bodyOf,
  CLOUDS,
  serveStore,
  uploadObject,
  type CloudName,
  type ServedStore,
} from '../../support/servers/stores';

jest.mock('@aws-sdk/client-s3', () => s3Package(), { virtual: true });

const NAMES: readonly CloudName[] = ['s3rver', 'swift', 'azurite', 'firebase'];
const COMPRESSIONS = [
  ['none', '.tfrecord'],
  ['gzip', '.tfrecord.gz'],
  ['zlib', '.tfrecord.zz'],
] as const;

/** 3,000 records of 0 to 2,000 random bytes: about 3 MB, however they are compressed. */
const RECORDS = Array.from({ length: 3_000 }, (_, i) => randomBytes((i * 7) % 2_000));

/** Jest compares texts a thousand times as fast as bytes. */
function sumsOf(records: readonly Uint8Array[]): string[] {
  return records.map((record) => createHash('sha1').update(record).digest('hex'));
}

async function recordsOf(source: RecordSource): Promise<Buffer[]> {
  const records: Buffer[] = [];
  for await (const record of readRecords(source)) records.push(Buffer.from(record));
  return records;
}

for (const name of NAMES) {
  describeWith('clients', name)(`records in ${name}`, () => {
    let served: ServedStore;
    let before: ObjectStore | undefined;

    beforeAll(async () => {
      served = await serveStore(name);
      before = setStore(CLOUDS[name], served.store);
    });
    afterAll(async () => {
      if (before !== undefined) setStore(CLOUDS[name], before);
      await served.server.stop();
    });

    for (const [compression, suffix] of COMPRESSIONS) {
      test(`${compression}: written, read in order and by number`, async () => {
        const url = served.url(`records${suffix}`);
        const { records } = await writeRecords(url, RECORDS, { compression });
        expect(records).toBe(RECORDS.length);
        expect(sumsOf(await recordsOf(url))).toEqual(sumsOf(RECORDS));

        const index = RecordIndex.scan(url);
        await index.done;
        expect(index.records).toBe(RECORDS.length);
        expect(sumsOf([(await index.at(2_345))!])).toEqual(sumsOf([RECORDS[2_345]!]));
        const numbers = [2_999, 5, 1_400, 1_401, 0];
        const batch = await index.readBatch(numbers);
        expect(sumsOf(Array.from(batch))).toEqual(sumsOf(numbers.map((i) => RECORDS[i]!)));
        await index.close();
      });
    }

    test('the name of an object says how it is compressed', async () => {
      await writeRecords(served.url('named.tfrecord.gz'), ['one']);
      const stream = objectTarget(served.url('stream.tfrecord.gz'), served.store);
      await writeRecords(stream, ['one']);
      for (const key of ['named.tfrecord.gz', 'stream.tfrecord.gz']) {
        const source = objectSource(served.url(key), served.store);
        expect(await recordsOf(source)).toEqual([Buffer.from('one')]);
        await expect(readRecords(served.url(key), { compression: 'none' }).next()).rejects.toMatchObject({
          code: 'TFR_COMPRESSION',
        });
      }
    });

    test('an index is saved beside an object, and used', async () => {
      const url = served.url('indexed.tfrecord');
      await writeRecords(url, RECORDS);
      for (const save of [true, false]) {
        await using index = await openIndexed(url, { save, onStale: 'throw' });
        expect(sumsOf([(await index.at(2_345))!])).toEqual(sumsOf([RECORDS[2_345]!]));
      }
      expect((await RecordIndex.load(`${url}.tfindex`, url)).records).toBe(RECORDS.length);
      // Patterns leave it out.
      expect(await countRecords(served.url('index*'))).toBe(RECORDS.length);
    });

    test('a pattern means the objects that match, in byte order', async () => {
      for (const i of [2, 0, 1]) await writeRecords(served.url(`set/train-${i}`), [`train ${i}`]);
      await writeRecords(served.url('set/valid-0'), ['valid']);
      await writeRecords(served.url('set/train-0/deeper'), ['deeper']);
      expect((await recordsOf(served.url('set/train-*'))).map(String)).toEqual(['train 0', 'train 1', 'train 2']);
      const dataset = Dataset.tfrecord(served.url('set/*-0')).map((record) => Buffer.from(record).toString());
      expect(await dataset.toArray()).toEqual(['train 0', 'valid']);
      await expect(recordsOf(served.url('set/none-*'))).rejects.toMatchObject({ code: 'ENOENT' });
    });

    test('an object that changes while it is read is noticed', async () => {
      const url = served.url('changes.tfrecord');
      const long = Array.from({ length: 40 }, () => randomBytes(100_000));
      await writeRecords(url, long);
      const reader = readRecords(url);
      expect(sumsOf([(await reader.next()).value!])).toEqual(sumsOf([long[0]!]));
      await writeRecords(
        url,
        long.map((record) => Buffer.from(record).reverse()),
      );
      const rest = (async () => {
        for await (const record of reader) expect(long.some((one) => one.equals(record))).toBe(true);
      })();
      await expect(rest).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH', file: url });
    });

    test('a writer that is not closed leaves no object, and an earlier one stays', async () => {
      const url = served.url('kept.tfrecord');
      await writeRecords(url, ['earlier']);
      const writer = await RecordWriter.open(url);
      await writer.write(randomBytes(3_000_000));
      await writer.abort();
      expect((await recordsOf(url)).map(String)).toEqual(['earlier']);
      await expect(
        writeRecords(
          served.url('never.tfrecord'),
          (function* () {
            yield 'one';
            throw new Error('no more');
          })(),
        ),
      ).rejects.toThrow('no more');
      await expect(recordsOf(served.url('never.tfrecord'))).rejects.toMatchObject({ code: 'ENOENT' });
    });

    test('convert reads and writes objects, and replaces none without force', async () => {
      const url = served.url('examples.tfrecord');
      await writeRecords(
        url,
        [1, 2].map((n) => encodeExample({ n: int64(n) })),
      );
      const lines = served.url('out/lines.jsonl');
      expect((await convert(url, lines)).records).toBe(2);
      const back = served.url('out/back.tfrecord.gz');
      await convert(lines, back);
      expect(await recordsOf(back)).toEqual(await recordsOf(url));
      await expect(convert(lines, back)).rejects.toMatchObject({ code: 'EEXIST' });
      expect((await convert(lines, back, { force: true })).records).toBe(2);
    });

    test('a set is written, listed, and read by its pattern and by its manifest', async () => {
      const input = served.url('in/examples.tfrecord');
      await writeRecords(
        input,
        Array.from({ length: 100 }, (_, n) => encodeExample({ n: int64(n) })),
      );
      const expected = sumsOf(await recordsOf(input));
      const report = await convert(input, served.url('sets/x.tfrecord.gz'), { shards: 3 });
      const files = [0, 1, 2].map((i) => served.url(`sets/x-0000${i}-of-00003.tfrecord.gz`));
      expect(report).toMatchObject({ records: 100, files });
      const names: string[] = [];
      for await (const page of served.store.list!(served.url('sets/'), new AbortController().signal)) {
        names.push(...page.map(({ url }) => url));
      }
      const manifestUrl = served.url('sets/x.tfrecord.gz.manifest.json');
      expect(names.sort()).toEqual([...files, manifestUrl].sort());
      for (const pattern of ['sets/x-*-of-00003.tfrecord.gz', 'sets/x.tfrecord.gz@3']) {
        expect(sumsOf(await recordsOf(served.url(pattern)))).toEqual(expected);
      }

      const range = { start: 0, end: 2 ** 20 };
      const text = await bodyOf(await served.store.read(manifestUrl, range, new AbortController().signal));
      const manifest = JSON.parse(text.toString()) as {
        readonly complete: boolean;
        readonly outputs: readonly { readonly file: string; readonly records: number }[];
      };
      expect(manifest.complete).toBe(true);
      const parts: Buffer[] = [];
      for (const { file, records } of manifest.outputs) {
        const part = await recordsOf(served.url(`sets/${file}`));
        expect(part).toHaveLength(records);
        parts.push(...part);
      }
      expect(sumsOf(parts)).toEqual(expected);
      // Another number of shards would leave old ones among the new.
      const again = convert(input, served.url('sets/x.tfrecord.gz'), { shards: 2, force: true });
      await expect(again).rejects.toMatchObject({ code: 'EEXIST' });

      const { files: written } = await Dataset.tfrecord(input).writeTo(served.url('sets/y@2'));
      expect(written).toEqual([served.url('sets/y-00000-of-00002'), served.url('sets/y-00001-of-00002')]);
      expect(await countRecords(served.url('sets/y-*'))).toBe(100);
    });

    test('errors name the object', async () => {
      const url = served.url('none.tfrecord');
      // The message says how often the server was asked, and its last answer.
      const message = expect.stringMatching(/^ENOENT: .* HTTP 404\b/);
      await expect(recordsOf(url)).rejects.toMatchObject({ code: 'ENOENT', file: url, message });
      await expect(uploadObject(served.store, served.url('none/'), Buffer.alloc(1))).resolves.toBeUndefined();
    });
  });
}
