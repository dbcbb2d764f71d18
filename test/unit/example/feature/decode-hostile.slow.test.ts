/** Records in memory that others share, change or transfer away, and unusually large records. */
import {
  BytesArray,
  bytes,
  decodeExample,
  decodeSequenceExample,
  encodeExample,
  encodeSequenceExample,
  float,
  int64,
  type TFRecordError,
} from '../../../../lib';
import { thrown } from '../../../support/thrown';
import { exampleOf, field, text, type Wire } from './wire';

const TEXT = 'text of more than thirty-two bytes, so that a copy is a call';
const FLOATS = Float32Array.from({ length: 3000 }, (_, i) => i / 2);
const features = { i: int64([1, -2, 3]), f: float([0.5]), p: float(FLOATS), b: bytes([TEXT, '', 'x']) };
const RECORD = encodeExample(features);
const SEQUENCE = encodeSequenceExample({
  context: features,
  featureLists: { l: [int64(7), bytes(TEXT), float(FLOATS)] },
});
const EXPECTED = decodeExample(RECORD);
const BROKEN = exampleOf(field(3, field(1, [0x80])));

type Resizable = ArrayBuffer & { resize(size: number): void };
const newResizable = (size: number, most: number): Resizable =>
  new (ArrayBuffer as unknown as new (size: number, options: object) => Resizable)(size, { maxByteLength: most });

function filled(array: Uint8Array, bytesOf: Uint8Array): Uint8Array {
  array.set(bytesOf);
  return array;
}

test('the expectations of this file', () => {
  expect(EXPECTED['i']?.values).toEqual(BigInt64Array.of(1n, -2n, 3n));
  expect(EXPECTED['f']?.values).toEqual(Float32Array.of(0.5));
  expect(EXPECTED['p']?.values).toEqual(FLOATS);
  expect((EXPECTED['b']?.values as BytesArray).toArray().map((value) => Buffer.from(value).toString())).toEqual([
    TEXT,
    '',
    'x',
  ]);
});

describe('memory that threads share', () => {
  type GrowableShared = SharedArrayBuffer & { grow(size: number): void };
  const newGrowable = (size: number): GrowableShared =>
    new (SharedArrayBuffer as unknown as new (size: number, options: object) => GrowableShared)(size, {
      maxByteLength: 2 * size,
    });
  const kinds: Record<string, (size: number) => SharedArrayBuffer> = {
    fixed: (size) => new SharedArrayBuffer(size),
    growable: newGrowable,
  };

  test.each(Object.entries(kinds))('%s: values are copies of their own', (_name, make) => {
    const shared = filled(new Uint8Array(make(RECORD.length + 5), 5, RECORD.length), RECORD);
    const decoded = decodeExample(shared);
    const sequence = decodeSequenceExample(filled(new Uint8Array(make(SEQUENCE.length)), SEQUENCE));
    shared.fill(0xff);
    expect(decoded).toEqual(EXPECTED);
    expect(sequence.context).toEqual(EXPECTED);
    for (const feature of [...Object.values(decoded), ...Object.values(sequence.context)]) {
      const { values } = feature!;
      const { buffer } = values instanceof BytesArray ? values.data : values;
      expect(Object.prototype.toString.call(buffer)).toBe('[object ArrayBuffer]');
    }
  });

  test('broken bytes are refused', () => {
    const shared = filled(new Uint8Array(new SharedArrayBuffer(BROKEN.length)), BROKEN);
    expect((thrown(() => decodeExample(shared)) as TFRecordError).message).toBe(
      (thrown(() => decodeExample(BROKEN)) as TFRecordError).message,
    );
  });
});

describe('memory that changes its size', () => {
  test('a record that follows its buffer', () => {
    const buffer = newResizable(RECORD.length + 100, RECORD.length + 100);
    const record = filled(new Uint8Array(buffer), RECORD);
    expect((thrown(() => decodeExample(record)) as TFRecordError).code).toBe('TFR_EXAMPLE');
    buffer.resize(RECORD.length);
    expect(decodeExample(record)).toEqual(EXPECTED);
    buffer.resize(RECORD.length - 1);
    expect((thrown(() => decodeExample(record)) as TFRecordError).code).toBe('TFR_EXAMPLE');
  });

  const gone: Record<string, () => Uint8Array> = {
    transferred: () => {
      const record = new Uint8Array(RECORD);
      structuredClone(0, { transfer: [record.buffer] });
      return record;
    },
    'beyond the end of its buffer': () => {
      const buffer = newResizable(RECORD.length + 8, RECORD.length + 8);
      const record = filled(new Uint8Array(buffer, 8, RECORD.length), RECORD);
      buffer.resize(16);
      return record;
    },
  };
  test.each(Object.entries(gone))('a record that is gone is no empty one: %s', (_name, make) => {
    const wrong = { name: 'TypeError', code: 'ERR_INVALID_ARG_VALUE' };
    expect(thrown(() => decodeExample(make()))).toMatchObject(wrong);
    expect(thrown(() => decodeSequenceExample(make()))).toMatchObject(wrong);
  });
});

describe('a subclass that takes its memory away when it is asked', () => {
  class Thief extends Uint8Array {
    static get [Symbol.species](): Uint8ArrayConstructor {
      throw new Error('species was asked');
    }
  }
  const stolen = (record: Uint8Array): Uint8Array => {
    const thief = filled(new Thief(record.length), record);
    const buffer = thief.buffer as ArrayBuffer;
    for (const name of ['length', 'byteLength', 'byteOffset', 'buffer', 'subarray', 'slice', 'set', 'at']) {
      Object.defineProperty(thief, name, {
        get: () => {
          structuredClone(0, { transfer: [buffer] });
          throw new Error(`${name} was asked`);
        },
      });
    }
    return thief;
  };

  test('is not asked', () => {
    expect(decodeExample(stolen(RECORD))).toEqual(EXPECTED);
    expect(decodeSequenceExample(stolen(SEQUENCE)).context).toEqual(EXPECTED);
    const named = encodeExample({ ['é'.repeat(40)]: int64(1) });
    expect(Object.keys(decodeExample(stolen(named)))).toEqual(['é'.repeat(40)]);
    for (const broken of [BROKEN, Uint8Array.from(field(1, field(1, field(1, [0xff]))))]) {
      expect((thrown(() => decodeExample(stolen(broken))) as TFRecordError).code).toBe('TFR_EXAMPLE');
    }
  });
});

describe('records of every size, one after the other', () => {
  const counts = [0, 1, 8, 9, 64, 65, 8000, 8200, 200_000, 3];
  const int64s = (count: number): BigInt64Array => BigInt64Array.from({ length: count }, (_, i) => BigInt(i * i) - 5n);

  test('numbers', () => {
    for (const count of counts) {
      const given = {
        i: int64(int64s(count)),
        f: float(Float32Array.from({ length: count }, (_, i) => i / 4)),
        z: int64(1),
      };
      expect(decodeExample(encodeExample(given))).toEqual(given);
    }
  });

  test('byte strings and names', () => {
    for (const count of [0, 1, 63, 64, 65, 5000, 2]) {
      const strings = Array.from({ length: count }, (_, i) => 'x'.repeat(i % 70));
      const given = { b: bytes(strings), ...Object.fromEntries(strings.map((_, i) => [`n${i}`, int64(i)])) };
      expect(decodeExample(encodeExample(given))).toEqual(given);
    }
  });

  test('steps', () => {
    for (const count of [0, 3, 3000, 70_000, 1]) {
      const l = Array.from({ length: count }, (_, i) => int64(i));
      const record = encodeSequenceExample({ context: { c: int64(9) }, featureLists: { l, m: [bytes('x')] } });
      expect(decodeSequenceExample(record)).toEqual({ context: { c: int64(9) }, featureLists: { l, m: [bytes('x')] } });
    }
  });

  test('what a record gave stays when the next are read', () => {
    const first = decodeExample(RECORD);
    const steps = decodeSequenceExample(SEQUENCE);
    for (const count of counts) decodeExample(encodeExample({ i: int64(int64s(count)) }));
    decodeSequenceExample(encodeSequenceExample({ featureLists: { l: [] } }));
    expect(first).toEqual(EXPECTED);
    expect(steps.context).toEqual(EXPECTED);
  });
});

describe('names', () => {
  const named = (...names: readonly Wire[]): Uint8Array =>
    Uint8Array.from(field(1, ...names.map((name) => field(1, field(1, name)))));
  const namesOf = (...names: readonly string[]): string[] => Object.keys(decodeExample(named(...names.map(text))));

  test('are those of the record in hand', () => {
    const lists = [
      ['a', 'b', 'cc'],
      ['b', 'a', 'cd'],
      ['a', 'bb', 'c'],
      ['é', 'a', 'ß'],
      ['__proto__', 'constructor', 'toString'],
      ['', 'a', '\0'],
      ['\ufeffa', 'a\u0301', 'k'.repeat(300)],
      Array.from({ length: 200 }, (_, i) => `x${i % 2}${i}`),
      Array.from({ length: 200 }, (_, i) => `y${i % 2}${i}`),
      ['a'],
    ];
    for (const list of [...lists, ...lists.reverse()]) expect(namesOf(...list)).toEqual(list);
  });

  test('those that are refused leave nothing behind', () => {
    expect(namesOf('aa', 'bb')).toEqual(['aa', 'bb']);
    for (const wrong of [[0xff, 0x61], [0xc3], [0xed, 0xa0, 0x80], [...text('a'.repeat(40)), 0xff]]) {
      const error = thrown(() => decodeExample(named(text('xx'), wrong, text('yy')))) as TFRecordError;
      expect(error.message).toContain('at byte 12 of');
      expect(error.message).toContain('UTF-8');
    }
    expect(namesOf('aa', 'bb', 'cc')).toEqual(['aa', 'bb', 'cc']);
  });

  test('of Examples and SequenceExamples in turns', () => {
    for (const name of ['a', 'b', 'a']) {
      const record = encodeSequenceExample({
        context: { [name]: int64(1) },
        featureLists: { [`${name}l`]: [int64(2)] },
      });
      expect(Object.keys(decodeSequenceExample(record).context)).toEqual([name]);
      expect(Object.keys(decodeSequenceExample(record).featureLists)).toEqual([`${name}l`]);
      expect(namesOf(`${name}x`)).toEqual([`${name}x`]);
    }
  });
});
