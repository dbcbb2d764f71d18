/**
 * Compares decodeJsonExample with tf.io.decode_json_example on random JSON, right and wrong: the same Example, errors
 * in both, or lax syntax that only TensorFlow accepts.
 */
import { decodeJsonExample, Example } from '../../../lib';
import { Choices, hex, PAIRS, unhex } from '../choices';
import { ours, theirs } from './outcomes';
import { Peer } from '../peer';

let peer: Peer;
beforeAll(() => (peer = new Peer('decode/peer.py')));
afterAll(() => peer.close());

const INT64 = [
  ...['0', '1', '-1', '2.0', '1e2', '"7"', '"-9223372036854775808"', '9223372036854775807', '9007199254740993'],
  ...['1.5', '9223372036854775808', '"9223372036854775808"', 'true', '"x"', '""', '-0', '1e30'],
];
const FLOAT = [
  ...['0', '-0', '1.5', '"2.5"', '"NaN"', '"nan"', '"Infinity"', '"-Infinity"', '1e-30', '3.4028234e38', '16777217'],
  ...['1e40', '"1e40"', 'true', '"x"', '""', '1e-60'],
];
const BYTES = ['""', '"YQ=="', '"YQ"', '"YWI="', '"_-8"', '"/+8="', '"Y!"', '"Y"', '1', 'true'];
const KINDS = [
  ['int64List', 'int64_list', INT64],
  ['floatList', 'float_list', FLOAT],
  ['bytesList', 'bytes_list', BYTES],
] as const;

function feature(choices: Choices): string {
  if (choices.chance(0.1)) return choices.one(['{}', 'null', '{"floatList":{}}', '{"int64List":null}', '[]', '1']);
  const [camel, snake, values] = choices.one(KINDS);
  // The valid values come first.
  const good = values.slice(0, values === BYTES ? 6 : 9);
  const list = choices.list(choices.below(4), () => choices.one(choices.chance(0.92) ? good : values));
  const value = choices.chance(0.95) ? `[${list.join(',')}]` : choices.one(['null', '{}', '1']);
  const name = choices.one([camel, camel, snake, choices.chance(0.1) ? 'list' : camel]);
  return `{"${name}":{"value":${value}}${choices.chance(0.03) ? ',"bytesList":{}' : ''}}`;
}

function json(seed: number): string {
  const choices = new Choices(seed);
  const names = ['a', 'b', '', 'é', '\\u00e9', '\\n', '__proto__', 'constructor'];
  const entries = choices.list(choices.below(4), (i) => {
    const name = choices.chance(0.98) ? `${i}${choices.one(names)}` : 'a';
    return `"${name}": ${feature(choices)}`;
  });
  const text = `{"features": {"feature": {${entries.join(', ')}}}}`;
  if (choices.chance(0.9)) return text;
  const at = choices.below(text.length);
  return choices.one([
    text.slice(0, at),
    text.slice(0, at) + text.slice(at + 1),
    `${text}${choices.one(['x', ' ', '}'])}`,
  ]);
}

test(`${PAIRS} random texts`, async () => {
  const texts = Array.from({ length: PAIRS }, (_, seed) => json(seed));
  const answers = await theirs<string>(
    peer,
    'decode_json_example',
    texts.map((text) => ({ input: hex(text) })),
  );
  const counts = { equal: 0, failed: 0, lax: 0 };
  for (const [seed, answer] of answers.entries()) {
    const text = texts[seed]!;
    const mine = ours(() => Example.decode(decodeJsonExample(text)));
    if ('values' in mine && 'values' in answer) {
      expect({ seed, text, example: mine.values }).toEqual({
        seed,
        text,
        example: Example.decode(unhex(answer.values)),
      });
      counts.equal++;
    } else if ('error' in mine && 'error' in answer) {
      counts.failed++;
    } else {
      // A departure: ours is strict. Whatever else TensorFlow takes must be what JSON.parse refuses, or a single value
      // where a list belongs.
      const isJson = ((): boolean => {
        try {
          JSON.parse(text);
          return true;
        } catch {
          return false;
        }
      })();
      const lax = 'error' in mine && (!isJson || /"value":[1{]/.test(text) || mine.error.includes('comes twice'));
      expect({ seed, text, mine, answer, lax }).toEqual({ seed, text, mine, answer, lax: true });
      counts.lax++;
    }
  }
  expect(counts.equal).toBeGreaterThan(PAIRS / 3);
  expect(counts.failed).toBeGreaterThan(PAIRS / 10);
  expect(counts.lax).toBeLessThan(PAIRS / 10);
});

test('subnormal floats are kept; TensorFlow flushes them to 0', async () => {
  const text = '{"features":{"feature":{"a":{"floatList":{"value":[1e-40]}}}}}';
  const [answer] = await theirs<string>(peer, 'decode_json_example', [{ input: hex(text) }]);
  const list = (bytes: Uint8Array): unknown => Example.decode(bytes).features?.feature['a']?.floatList?.value;
  expect(list(decodeJsonExample(text))).toEqual([Math.fround(1e-40)]);
  expect(answer !== undefined && 'values' in answer && list(unhex(answer.values))).toEqual([0]);
});
