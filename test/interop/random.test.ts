/**
 * Random files in both directions, with every compression, level and flush. Sizes are skewed as in TensorFlow's own
 * tests (mostly small, up to 2^17). A failure names its seed. TFRECORD_FULL=1 runs ten times as many.
 */
import { createHash } from 'node:crypto';

import { RecordWriter } from '../../lib';
import { Peer } from './peer';
import { COMPRESSIONS, RecordDigest, noise, read, temporaryFolder, text } from './support';

const ROUNDS = process.env['TFRECORD_FULL'] === '1' ? 500 : 50;

const at = temporaryFolder();
let peer: Peer;
beforeAll(() => (peer = new Peer()));
afterAll(() => peer.close());

/** Yields integers from a seed, the same on every machine. */
function* numbers(seed: string): Generator<number, never> {
  for (let block = 0; ; block += 1) {
    const bytes = createHash('sha256').update(`${seed} ${block}`).digest();
    for (let i = 0; i < 32; i += 4) yield bytes.readUInt32LE(i);
  }
}

interface Plan {
  readonly compression: (typeof COMPRESSIONS)[number];
  readonly level: number;
  readonly flushAfter: number;
  readonly records: readonly (readonly [size: number, kind: 'noise' | 'text'])[];
}

function plan(seed: string): Plan {
  const stream = numbers(seed);
  const below = (limit: number): number => stream.next().value % limit;
  const compression = COMPRESSIONS[below(COMPRESSIONS.length)] ?? COMPRESSIONS[0]!;
  const records = Array.from({ length: below(200) }, () => {
    const size = below(2 ** below(18));
    return [size, below(2) === 0 ? 'noise' : 'text'] as const;
  });
  return { compression, level: below(10), flushAfter: 1 + below(300), records };
}

test.each(Array.from({ length: ROUNDS }, (_, i) => `theirs ${i}`))('TensorFlow writes, we read: %s', async (seed) => {
  const { compression, level, flushAfter, records } = plan(seed);
  const file = at('theirs');
  const { sha256 } = await peer.ask({
    op: 'write',
    file,
    compression: compression.theirs,
    records,
    flushAfter,
    options: compression.ours === 'none' ? {} : { compression_level: level },
  });
  const batchBytes = 4096 + 1000 * level;
  expect(await read(file, { batchBytes })).toEqual({ records: records.length, sha256, error: undefined });
});

test.each(Array.from({ length: ROUNDS }, (_, i) => `ours ${i}`))('we write, TensorFlow reads: %s', async (seed) => {
  const { compression, level, flushAfter, records } = plan(seed);
  const file = at('ours');
  const digest = new RecordDigest();
  const writer = await RecordWriter.open(file, {
    compression: compression.ours,
    level: compression.ours === 'none' ? undefined : level,
    atomic: false,
  });
  for (const [number, [size, kind]] of records.entries()) {
    const record = { noise, text }[kind](size, number);
    digest.add(record);
    await writer.write(record);
    if ((number + 1) % flushAfter === 0) await writer.flush();
  }
  await writer.close();
  const expected = { ...digest.done(), error: null, message: null };
  expect(await peer.ask({ op: 'read', file, compression: compression.theirs })).toEqual(expected);
  expect(await peer.ask({ op: 'read', file, compression: compression.theirs, via: 'dataset' })).toEqual(expected);
});
