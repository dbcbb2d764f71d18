/**
 * Compares decodeCompressed with tf.io.decode_compressed on whole, joined and damaged streams: equal bytes, errors in
 * both, or one of the departures below, counted by kind.
 */
import { deflateSync, gzipSync } from 'node:zlib';

import { decodeCompressed } from '../../../lib';
import { Choices, hex, PAIRS } from '../choices';
import { ours, theirs, type PeerTensor } from './outcomes';
import { Peer } from '../peer';

let peer: Peer;
beforeAll(() => (peer = new Peer('decode/peer.py')));
afterAll(() => peer.close());

type Kind = 'gzip' | 'zlib';
/** What was done to a stream. */
type Making = 'whole' | 'joined' | 'truncated' | 'trailing' | 'damaged';

/** The cases in which TensorFlow silently loses data, and we do not. */
const DEPARTURES = {
  'gzip joined': 'TensorFlow stops at an empty member that is not the last',
  'zlib joined': 'we read all streams, TensorFlow the first',
  'zlib trailing': 'we refuse what is behind the stream, TensorFlow ignores it',
  'gzip trailing': 'we refuse what is behind the members; TensorFlow ignores what could begin another',
  'gzip truncated': 'we refuse it; TensorFlow returns what came out so far',
  'zlib truncated': 'we refuse it; TensorFlow returns what came out so far',
  'gzip damaged': 'damage that looks like truncation',
  'zlib damaged': 'damage that looks like truncation',
};

function streamCase(seed: number): { readonly kind: Kind; readonly making: Making; readonly input: Buffer } {
  const choices = new Choices(seed);
  const kind = choices.one<Kind>(['gzip', 'zlib']);
  const making = choices.one<Making>(['whole', 'joined', 'truncated', 'trailing', 'damaged']);
  const pack = (): Buffer => {
    const level = choices.below(10);
    if (choices.chance(0.1)) return kind === 'gzip' ? gzipSync('') : deflateSync('');
    const data = choices.chance(0.5) ? choices.bytes(choices.below(300)) : Buffer.alloc(choices.below(3000), 'ab c');
    return kind === 'gzip' ? gzipSync(data, { level }) : deflateSync(data, { level });
  };
  const one = pack();
  switch (making) {
    case 'whole':
      return { kind, making, input: one };
    case 'joined':
      return { kind, making, input: Buffer.concat([one, ...choices.list(1 + choices.below(3), pack)]) };
    case 'truncated':
      return { kind, making, input: one.subarray(0, choices.below(one.length)) };
    case 'trailing':
      return { kind, making, input: Buffer.concat([one, choices.bytes(1 + choices.below(20))]) };
    case 'damaged':
      one[choices.below(one.length)]! ^= 1 << choices.below(8);
      return { kind, making, input: one };
  }
}

test(`${PAIRS} random streams`, async () => {
  const cases = Array.from({ length: PAIRS }, (_, seed) => streamCase(seed));
  const requests = cases.map(({ kind, input }) => ({ type: kind.toUpperCase(), input: hex(input) }));
  const answers = await theirs<PeerTensor>(peer, 'decode_compressed', requests);
  const counts: Record<string, number> = {};
  const count = (name: string): number => (counts[name] = (counts[name] ?? 0) + 1);
  for (const [seed, answer] of answers.entries()) {
    const { kind, making, input } = cases[seed]!;
    const mine = ours(() => hex(decodeCompressed(input, { compression: kind })));
    const found = 'error' in mine ? 'error' : mine.values;
    const expected = 'error' in answer ? 'error' : answer.values.data[0];
    if (found === expected) {
      count(found === 'error' ? 'errors in both' : 'equal');
      continue;
    }
    const departure = `${kind} ${making}`;
    expect({ seed, departure, input: hex(input) }).toEqual({
      seed,
      departure: expect.stringMatching(new RegExp(`^(${Object.keys(DEPARTURES).join('|')})$`)) as unknown,
      input: hex(input),
    });
    // We return more, or throw, but never return less.
    if (found !== 'error') expect(found.startsWith(expected!)).toBe(true);
    count(departure);
  }
  expect(Object.keys(counts).sort()).toEqual([...Object.keys(DEPARTURES), 'equal', 'errors in both'].sort());
  expect(counts['equal']).toBeGreaterThan(PAIRS / 5);
});

test('without compression, and of lists', async () => {
  const input = [Buffer.from('a'), Buffer.from('')];
  const [none] = await theirs<PeerTensor>(peer, 'decode_compressed', [{ type: '', input: input.map(hex) }]);
  const packed = input.map((bytes) => gzipSync(bytes));
  const [gzip] = await theirs<PeerTensor>(peer, 'decode_compressed', [{ type: 'GZIP', input: packed.map(hex) }]);
  expect(none).toEqual({ values: { shape: [2], data: decodeCompressed(input).map(hex) } });
  expect(gzip).toEqual({ values: { shape: [2], data: decodeCompressed(packed, { compression: 'gzip' }).map(hex) } });
});
