/**
 * A dataset that stopped inside a compressed file goes on at the checkpoint before the next element, not at the beginning
 * of the file. TFRECORD_RESUME_MB: MiB of content (1,024 and more for the whole claim), by default 40.
 */
import { createWriteStream, utimesSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createDeflate, createGzip } from 'node:zlib';

import { Dataset, writeRecords } from '../../../../lib';
import { native, type ReaderSpec } from '../../../../lib/native';
import { randoms } from '../../../support/randoms';
import { Folder } from '../../../support/records/record-files';
import { letters } from '../../../support/records/letters';
import { tfrecord } from '../../../support/records/tfrecord';

const MIB = 2 ** 20;
const CONTENT = Number(process.env['TFRECORD_RESUME_MB'] ?? 40) * MIB;
const STOPS = 100;
const FRAME_BYTES = 16;
/** Time for content of many GiB. */
const TIMEOUT_MS = 3_600_000;

const folder = new Folder();
afterAll(() => folder.remove());

/** Records that repeat with changes: as compressible as text. */
const RECORDS = letters(2000, 2500);
const BLOCK = tfrecord(RECORDS);
const BLOCKS = Math.ceil(CONTENT / BLOCK.length);
const COUNT = BLOCKS * RECORDS.length;

const recordAt = (index: number): Buffer => RECORDS[index % RECORDS.length]!;
const STARTS = RECORDS.reduce((starts, { length }) => [...starts, starts.at(-1)! + length + FRAME_BYTES], [0]);
const offsetOf = (index: number): number =>
  Math.floor(index / RECORDS.length) * BLOCK.length + STARTS[index % RECORDS.length]!;

function* blocks(): Generator<Buffer> {
  for (let i = 0; i < BLOCKS; i++) yield BLOCK;
}

const WRITERS: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  'GZIP, one member': (path) => pipeline(Readable.from(blocks()), createGzip({ level: 1 }), createWriteStream(path)),
  ZLIB: (path) => pipeline(Readable.from(blocks()), createDeflate({ level: 1 }), createWriteStream(path)),
  'GZIP, our members': (path) =>
    writeRecords(
      path,
      (function* () {
        for (let i = 0; i < COUNT; i++) yield recordAt(i);
      })(),
      { compression: 'gzip', level: 1 },
    ),
};

/** Resumes at `record`, and returns how much content was read before it. */
async function distanceOf(dataset: Dataset<Uint8Array>, state: string, record: number): Promise<number> {
  const opened = jest.spyOn(native(), 'readerOpenFile');
  await expectSameFrom(dataset, state, record, 3);
  const [[, spec]] = opened.mock.calls as [[string, ReaderSpec]];
  opened.mockRestore();
  return offsetOf(record) - (spec.start?.offset ?? 0);
}

async function expectSameFrom(dataset: Dataset<Uint8Array>, state: string | undefined, first: number, count: number) {
  const iteration = dataset.iterate(state === undefined ? undefined : { state: JSON.parse(state) as never });
  let wrong = 0;
  let index = first;
  for await (const element of iteration) {
    if (Buffer.compare(element, recordAt(index++)) !== 0) wrong++;
    if (index - first === count) break;
  }
  expect([index, wrong]).toEqual([first + count, 0]);
  return JSON.stringify(iteration.state());
}

test.each(Object.keys(WRITERS))(
  '%s',
  async (name) => {
    const path = folder.fresh();
    await WRITERS[name]!(path);
    const dataset = Dataset.tfrecord(path);
    const random = randoms(7);
    const states = new Map<number, string>();
    let state: string | undefined;
    for (let at = 0; at < COUNT;) {
      const count = Math.min(COUNT - at, 1 + Math.floor((random() * 2 * COUNT) / STOPS));
      state = await expectSameFrom(dataset, state, at, count);
      at += count;
      if (at < COUNT) states.set(at, state);
    }
    // The distances are doubled until the checkpoints fit into their memory.
    const distances: number[] = [];
    for (const [at, saved] of states) distances.push(await distanceOf(dataset, saved, at));
    const interval = 4 * MIB * 2 ** Math.max(0, Math.ceil(Math.log2(Math.max(...distances) / 1.1 / (4 * MIB))));
    expect(interval).toBeLessThanOrEqual(Math.max(4 * MIB, CONTENT / 32));
    expect(distances.filter((distance) => distance > 1.1 * interval)).toEqual([]);
    for (const [at, saved] of states) await expectSameFrom(dataset, saved, at, 3);
  },
  TIMEOUT_MS,
);

test(
  'nothing is known of a file that changed, nor for a reader that skips damage',
  async () => {
    const path = folder.fresh();
    await WRITERS['GZIP, one member']!(path);
    const dataset = Dataset.tfrecord(path);
    const record = COUNT - 500;
    const state = await expectSameFrom(dataset, undefined, 0, record);
    expect(await distanceOf(dataset, state, record)).toBeLessThan(offsetOf(record));
    utimesSync(path, new Date(0), new Date(0));
    expect(await distanceOf(dataset, state, record)).toBe(offsetOf(record));
    const skipping = Dataset.tfrecord(path, { onError: 'skip' });
    const ofSkipping = await expectSameFrom(skipping, undefined, 0, record);
    expect(await distanceOf(skipping, ofSkipping, record)).toBe(offsetOf(record));
  },
  TIMEOUT_MS,
);
