/** Typed arrays of subclasses whose properties lie, in the addon and in WebAssembly: the memory alone counts. */
import * as library from '../../../lib';
import { libraryOverWasm, type Library } from '../../support/wasm-library';
import { lackOfWasm } from '../../support/wasm-module';

/** Lengths that a lying array reports, one after another; the last stays. */
const LIES = { short: [3], long: [100_000_000], 'longer each time': [1, 1_000, 1_000_000], negative: [-1] };

type Arrays = Float32Array | BigInt64Array | Uint8Array;

/** A copy of `array` whose length, offset, memory and parts are lies. */
function lying<T extends Arrays>(array: T, lengths: readonly number[]): T {
  const Base = array.constructor as unknown as new (from: Arrays) => Uint8Array;
  let asked = 0;
  const next = (): number => lengths[Math.min(asked++, lengths.length - 1)]!;
  const refuse = (): never => {
    throw new Error('a method of the subclass was called');
  };
  class Liar extends Base {
    static get [Symbol.species](): never {
      return refuse();
    }
    override get length(): number {
      return next();
    }
    override get byteLength(): number {
      return next();
    }
    override get byteOffset(): number {
      return 1;
    }
    override get buffer(): ArrayBuffer {
      return new ArrayBuffer(7);
    }
    override subarray = refuse;
    override slice = refuse;
    override set = refuse;
  }
  return new Liar(array) as unknown as T;
}

const hosts = [['the addon', (): Library => library] as const];
if (lackOfWasm === '') hosts.push(['WebAssembly', libraryOverWasm] as never);

describe.each(hosts)('%s', (_name, load) => {
  const tf = load();
  const { fixedLen, varLen } = tf;
  const spec = { id: fixedLen([], 'int64'), w: varLen('bytes') };
  const small = tf.encodeExample({ id: tf.int64(7), w: tf.bytes(['abc']) });
  const large = tf.encodeExample({ id: tf.int64(8), w: tf.bytes(['x'.repeat(500_000)]) });
  const file = tf.encodeRecords([small, large]);
  const plain = (value: unknown): string =>
    JSON.stringify(value, (_, each: unknown) => {
      if (each instanceof Uint8Array) return Buffer.from(each).toString('latin1');
      return typeof each === 'bigint' ? `${each}n` : each;
    });

  /** Functions of the library over an honest or a lying array. */
  const uses: Record<string, (given: <T extends Arrays>(array: T) => T) => unknown> = {
    crc32c: (given) => [tf.crc32c(given(small)), tf.crc32c(given(large), 5)],
    decodeExample: (given) => [tf.decodeExample(given(small)), tf.decodeExample(given(large))],
    exampleToObject: (given) => tf.exampleToObject(given(small)),
    'Example.decode': (given) => tf.Example.decode(given(small)),
    recordType: (given) => tf.recordType(given(small)),
    parseSingleExample: (given) => [tf.parseSingleExample(given(small), spec), tf.parseSingleExample(given(large), spec)],
    parseExample: (given) => tf.parseExample([given(small), given(large), given(small)], spec),
    readRecordsSync: (given) => [...tf.readRecordsSync(given(file))],
    encodeRecords: (given) => tf.encodeRecords([given(small), given(large)], { compression: 'gzip' }),
    'encodeExample, values': (given) =>
      tf.encodeExample({
        f: tf.float(given(Float32Array.of(1, 2, 3, 4))),
        i: tf.int64(given(BigInt64Array.of(1n, 2n, 3n, 4n))),
        b: tf.bytes([given(small)]),
      }),
    encodeExamples: (given) => [
      ...tf.encodeExamples(
        { i: given(BigInt64Array.of(1n, 2n, 3n, 4n)), f: given(Float32Array.of(1, 2, 3, 4)) },
        { i: fixedLen([], 'int64'), f: fixedLen([], 'float32') },
      ),
    ],
  };
  const streams: typeof uses = {
    readRecords: async (given) => {
      const found: unknown[] = [];
      for await (const record of tf.readRecords([given(file.subarray(0, 100)), given(file.subarray(100))])) {
        found.push(record);
      }
      return found;
    },
    'readExamples of bytes': async (given) => {
      const found: unknown[] = [];
      for await (const row of tf.readExamples(given(file), spec)) found.push(row);
      return found;
    },
    writeRecords: async (given) => {
      const chunks: Uint8Array[] = [];
      const target = new WritableStream<Uint8Array>({ write: (chunk) => void chunks.push(chunk) });
      await tf.writeRecords(target, [given(small), given(large)]);
      return new Uint8Array(Buffer.concat(chunks));
    },
  };
  const cases = Object.entries({ ...uses, ...streams });

  test.each(cases)('%s', async (_use, use) => {
    const honest = plain(await use((array) => array));
    for (const lengths of Object.values(LIES)) {
      expect(plain(await use((array) => lying(array, lengths))) === honest).toBe(true);
    }
    // The memory is whole: later calls work.
    expect(plain(await use((array) => array)) === honest).toBe(true);
  });
});
