/**
 * Random files in both directions, with every compression, level and flush. Sizes are skewed as in TensorFlow's own
 * tests (mostly small, up to 2^17). A failure names its seed. TFRECORD_FULL=1 runs ten times as many.
 */
import { RecordWriter } from '../../../lib';
import { Choices } from '../choices';
import { RecordPeer } from './peer';
import { COMPRESSIONS, RecordDigest, noise, read, temporaryFolder, text } from './support';

const ROUNDS = process.env['TFRECORD_FULL'] === '1' ? 500 : 50;

const at = temporaryFolder();
let peer: RecordPeer;
beforeAll(() => (peer = new RecordPeer()));
afterAll(() => peer.close());

interface Plan {
  readonly compression: (typeof COMPRESSIONS)[number];
  readonly level: number;
  readonly flushAfter: number;
  readonly records: readonly (readonly [size: number, kind: 'noise' | 'text'])[];
}

function plan(seed: number): Plan {
  const choices = new Choices(seed);
  const records = choices.list(choices.below(200), () => {
    const size = choices.below(2 ** choices.below(18));
    return [size, choices.one(['noise', 'text'] as const)] as const;
  });
  const compression = choices.one(COMPRESSIONS);
  return { compression, level: choices.below(10), flushAfter: 1 + choices.below(300), records };
}

const SEEDS = Array.from({ length: ROUNDS }, (_, i) => i);

test.each(SEEDS)('TensorFlow writes, we read: seed %i', async (seed) => {
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

test.each(SEEDS)('we write, TensorFlow reads: seed %i', async (seed) => {
  const { compression, level, flushAfter, records } = plan(ROUNDS + seed);
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
