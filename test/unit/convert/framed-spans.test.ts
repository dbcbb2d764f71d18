/** Verified neighbours go to plain outputs as they lie in the slab: the bytes are those of records that are written singly. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

import { encodeRecords, openIndexed, RecordWriter } from '../../../lib';
import { convert } from '../../../lib/convert';
import { randoms } from '../../support/randoms';
import { Folder } from '../../support/records/record-files';
import {
  compress,
  flipBit,
  frame,
  offsets,
  referenceCrc32c,
  tfrecord,
  wholeRecords,
} from '../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const random = randoms(6);
const below = (limit: number): number => Math.floor(random() * limit);

/** Records of `bytes` in all: mostly short ones, some longer than a slab. */
function someRecords(bytes: number): Buffer[] {
  const records: Buffer[] = [];
  for (let left = bytes; left > 0; left -= records.at(-1)!.length + 16) {
    const kind = below(400);
    const length = kind === 0 ? below(1_500_000) : kind < 20 ? below(100_000) : below(500);
    const record = Buffer.alloc(length, records.length);
    if (length > 8) record.writeDoubleLE(random(), 0);
    records.push(record);
  }
  return records;
}

interface Damaged {
  readonly content: Buffer;
  /** Those that are whole. */
  readonly records: readonly Buffer[];
}

function damaged(records: readonly Buffer[], faults: number): Damaged {
  const places = offsets(records);
  let content: Buffer = tfrecord(records);
  const lost = new Set<number>();
  for (let i = 0; i < faults; i++) {
    const at = below(records.length);
    if (records[at]!.length === 0 || lost.has(at)) continue;
    lost.add(at);
    content = flipBit(content, places[at]! + 12 + below(records[at]!.length));
  }
  return { content, records: records.filter((_, i) => !lost.has(i)) };
}

/** The bytes that a writer makes of `records`. */
async function written(records: readonly Buffer[], path: string): Promise<Buffer> {
  const writer = await RecordWriter.open(path);
  for (const record of records) await writer.write(record);
  await writer.close();
  return readFileSync(path);
}

function same(found: Buffer, expected: Buffer): void {
  expect(found.length).toBe(expected.length);
  expect(found.equals(expected)).toBe(true);
}

test.each(['tfrecord', 'tfrecord.gz', 'tfrecord.zz'])(
  'random inputs, whole and damaged, to one %s: the bytes of a writer of single records',
  async (extension) => {
    for (let round = 0; round < 5; round++) {
      const inputs = Array.from({ length: 1 + below(3) }, () => damaged(someRecords(below(1_500_000)), below(6)));
      const paths = inputs.map(({ content }, i) => {
        const codec = (['none', 'gzip', 'zlib'] as const)[below(3)]!;
        return folder.put(`in-${i}.tfrecord`, compress(content, codec));
      });
      const expected = await written(
        inputs.flatMap(({ records }) => records),
        folder.at(`expected.${extension}`),
      );
      const output = folder.at(`out.${extension}`);
      await convert(paths, output, { force: true, onError: 'skip' });
      same(readFileSync(output), expected);
    }
  },
);

test('checksums of compressed shards', async () => {
  const input = folder.write('summed.tfrecord', someRecords(1_000_000));
  const at = folder.place();
  for (const extension of ['gz', 'zz']) {
    const { files } = await convert(input, at.at(`out.tfrecord.${extension}`), { shards: 2 });
    const manifest = JSON.parse(readFileSync(at.at(`out.tfrecord.${extension}.manifest.json`), 'utf8')) as {
      outputs: { crc32c: string }[];
    };
    expect(manifest.outputs.map(({ crc32c }) => crc32c)).toEqual(
      files.map((file) => referenceCrc32c(readFileSync(file)).toString(16).padStart(8, '0')),
    );
  }
});

test('shards by number and by size, their checksums and their indexes', async () => {
  for (const limits of [{ shards: 3 }, { maxBytes: 700_000 }]) {
    const records = someRecords(2_500_000);
    const input = folder.write('sharded.tfrecord', records);
    const at = folder.place();
    const { files } = await convert(input, at.at('out.tfrecord'), { ...limits, index: true });
    const contents = files.map((file) => readFileSync(file));
    same(Buffer.concat(contents), tfrecord(records));
    const manifest = JSON.parse(readFileSync(at.at('out.tfrecord.manifest.json'), 'utf8')) as {
      outputs: { crc32c: string; records: number }[];
    };
    for (const [i, content] of contents.entries()) {
      expect(manifest.outputs[i]!.crc32c).toBe(referenceCrc32c(content).toString(16).padStart(8, '0'));
      const whole = wholeRecords(content);
      expect(manifest.outputs[i]!.records).toBe(whole.length);
      await using index = await openIndexed(files[i]!);
      expect(index.records).toBe(whole.length);
      const [last] = await index.read(whole.length - 1, 1);
      same(Buffer.from(last!.data), whole.at(-1)!);
    }
  }
});

test('without verification, wrong checksums are not copied', async () => {
  const records = Array.from({ length: 50 }, (_, i) => Buffer.alloc(5000, i));
  const places = offsets(records);
  const wrong = flipBit(tfrecord(records), places[20]! + 100);
  const changed = records.map((record, i) => (i === 20 ? flipBit(record, 88) : record));
  const input = folder.put('unverified.tfrecord', wrong);
  for (const verify of ['length', 'none'] as const) {
    await convert(input, folder.at('unverified-out.tfrecord'), { force: true, verify });
    same(readFileSync(folder.at('unverified-out.tfrecord')), Buffer.concat(changed.map(frame)));
  }
  await expect(convert(input, folder.at('verified-out.tfrecord'))).rejects.toMatchObject({
    code: 'TFR_CORRUPT_DATA',
    record: 20,
  });
});

test('sides of a split, and shuffled shards, are those of records that are copied singly', async () => {
  const input = folder.write('sides.tfrecord', someRecords(2_000_000));
  for (const options of [{ split: { train: 0.8, test: 0.2 } }, { shuffle: true, seed: 3, shards: 2 }]) {
    const [spans, single] = [folder.place(), folder.place()];
    await convert(input, spans.at('out.tfrecord'), options);
    await convert(input, single.at('out.tfrecord'), { ...options, verify: 'length' });
    const names = spans.names().filter((name) => !name.endsWith('.json'));
    expect(names.length).toBe(2);
    for (const name of names) same(readFileSync(spans.at(name)), readFileSync(single.at(name)));
  }
});

test('a stream that is slow gets the same bytes', async () => {
  const records = someRecords(3_000_000);
  const input = folder.write('to-stream.tfrecord', records);
  const stream = new PassThrough({ highWaterMark: 16 * 1024 });
  const chunks: Buffer[] = [];
  const drained = (async () => {
    for await (const chunk of stream) {
      chunks.push(chunk as Buffer);
      if (below(4) === 0) await delay(1);
    }
  })();
  await convert(input, stream, { to: 'tfrecord' });
  await drained;
  same(Buffer.concat(chunks), tfrecord(records));
});

const testOfPipes = process.platform === 'win32' ? test.skip : test;

testOfPipes('slabs are not filled again while a slow pipe has yet to take them', async () => {
  const records = someRecords(16_000_000);
  const content = encodeRecords(records);
  const input = folder.put('to-pipe.tfrecord', content);
  const pipe = folder.at('pipe.tfrecord');
  execFileSync('mkfifo', [pipe]);
  const copy = folder.at('from-pipe.tfrecord');
  // Takes nothing at first, so that all slabs that may be under way are, and small pieces later.
  const reader = spawn('sh', ['-c', `(sleep 0.3; dd bs=7777 2>/dev/null) < '${pipe}' > '${copy}'`]);
  const ended = once(reader, 'exit');
  await convert(input, pipe, { to: 'tfrecord' });
  await ended;
  same(readFileSync(copy), Buffer.from(content));
});
