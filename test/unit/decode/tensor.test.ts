/** parseTensor and serializeTensor: every dtype and layout of TensorProto, damage, and claimed sizes without data. */
import fc from 'fast-check';

import { Event, parseTensor, serializeTensor, TFRecordError, type SerializableTensor } from '../../../lib';
import { TensorProto } from '../../../lib/example';
import {
  delimited,
  doubles,
  DTYPES,
  floats,
  hex,
  integer,
  proto,
  shapeField,
  text,
  varint,
} from '../../support/examples/tensor-proto';
import { thrown } from '../../support/thrown';

describe('a message', () => {
  it.each(DTYPES)('%s: gives the tensor that its bytes give', (dtype, _, data) => {
    const bytes = serializeTensor({ dtype, shape: [2], data } as SerializableTensor);
    expect(parseTensor(TensorProto.decode(bytes))).toEqual(parseTensor(bytes));
    expect(parseTensor(TensorProto.decode(bytes), { outType: dtype })).toEqual(parseTensor(bytes));
  });

  it('of an Event, with typed values', () => {
    const tensor = { dtype: 1, tensorShape: { dim: [{ size: 3 }] }, floatVal: [0.5, 2] };
    const event = Event.decode(Event.encode({ step: 1n, summary: { value: [{ tag: 'loss', tensor }] } }));
    const message = event.summary!.value[0]!.tensor!;
    expect(parseTensor(message)).toEqual({ dtype: 'float32', shape: [3], data: Float32Array.of(0.5, 2, 2) });
    expect(thrown(() => parseTensor(message, { outType: 'int64' }))).toMatchObject({ code: 'TFR_DECODE' });
  });

  it.each([[null], [undefined], ['text'], [[]], [new Float32Array(1)], [new ArrayBuffer(1)]])('is not %p', (value) => {
    expect(thrown(() => parseTensor(value as never))).toMatchObject({
      code: 'ERR_INVALID_ARG_TYPE',
      message: expect.stringContaining('a message TensorProto') as string,
    });
  });

  it('has no unknown members', () => {
    expect(thrown(() => parseTensor({ dType: 1 } as never))).toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
  });
});

describe('content', () => {
  it.each(DTYPES)('%s', (dtype, number, data) => {
    const content = new Uint8Array(data.buffer as ArrayBuffer);
    const bytes = proto(number, shapeField(2), delimited(4, [...content]));
    const tensor = { dtype, shape: [2], data } as SerializableTensor;
    expect(serializeTensor(tensor)).toEqual(bytes);
    expect(parseTensor(bytes)).toEqual(tensor);
    expect(parseTensor(bytes, { outType: dtype })).toEqual(tensor);
  });

  it('is what the reference says, byte for byte', () => {
    const three = serializeTensor({ dtype: 'int32', shape: [3], data: Int32Array.of(1, 2, 3) });
    expect(text(three)).toBe('080312041202080322' + '0c010000000200000003000000');
    expect(text(serializeTensor({ dtype: 'bytes', shape: [], data: ['hi'] }))).toBe('08071200' + '42026869');
    expect(text(serializeTensor({ dtype: 'float32', shape: [0, 2], data: new Float32Array(0) }))).toBe(
      '0801' + '12061200' + '12020802',
    );
    expect(text(serializeTensor({ dtype: 'bytes', shape: [2], data: ['a', ''] }))).toBe(
      '0807120412020802' + '4201614200',
    );
    expect(text(serializeTensor({ dtype: 'float32', shape: [], data: Float32Array.of(0) }))).toBe(
      '08011200' + '220400000000',
    );
  });

  it('wins over typed values', () => {
    const bytes = proto(1, shapeField(1), delimited(5, floats(5, 6)), delimited(4, floats(1)));
    expect(parseTensor(bytes).data).toEqual(Float32Array.of(1));
  });

  it('must have the exact size', () => {
    for (const content of [floats(1), floats(1, 2, 3), [1]]) {
      const error = thrown(() => parseTensor(proto(1, shapeField(2), delimited(4, content))));
      expect(error).toMatchObject({
        code: 'TFR_DECODE',
        expected: '8 bytes of content for 2 values of float32',
        found: `${content.length} byte${content.length === 1 ? '' : 's'}`,
      });
    }
  });

  it('of bool is 0 and 1 only', () => {
    expect(thrown(() => parseTensor(proto(10, shapeField(2), delimited(4, [1, 2]))))).toMatchObject({
      code: 'TFR_DECODE',
      found: '2',
    });
  });

  it('of strings: all lengths, then all bytes', () => {
    const strings = (content: number[], length = 3): unknown => {
      const { data } = parseTensor(proto(7, shapeField(length), delimited(4, content)), { outType: 'bytes' });
      return [...data].map((value) => Buffer.from(value).toString());
    };
    expect(strings([1, 2, 0, 97, 98, 99])).toEqual(['a', 'bc', '']);
    expect(strings([0x81, 0, 97], 1)).toEqual(['a']);
    for (const content of [
      [1, 2, 0, 97, 98],
      [1, 2, 0, 97, 98, 99, 100],
      [1, 2],
      [1, 2, 0x80],
    ]) {
      expect(thrown(() => strings(content))).toMatchObject({ code: 'TFR_DECODE' });
    }
    expect(thrown(() => strings([255, 255, 255, 255, 255, 255, 255, 255, 127, 1], 2))).toMatchObject({
      code: 'TFR_DECODE',
    });
  });

  it('keeps the payload of NaN', () => {
    const bits = hex('010080ff');
    for (const field of [4, 5]) {
      const { data } = parseTensor(proto(1, shapeField(), delimited(field, [...bits])), { outType: 'float32' });
      expect(text(new Uint8Array(data.buffer))).toBe('010080ff');
    }
  });

  it('is copied', () => {
    const bytes = proto(4, shapeField(2), delimited(4, [1, 2]));
    const { data } = parseTensor(bytes, { outType: 'uint8' });
    bytes.fill(0);
    expect(data).toEqual(Uint8Array.of(1, 2));
    expect(data.buffer.byteLength).toBe(2);
  });
});

describe('typed values', () => {
  const packed = (...values: number[]): number[] => values.flatMap((value) => varint(BigInt(value)));
  it.each<[string, number, number[], object]>([
    ['float32: packed', 1, delimited(5, floats(1, 2, 3)), Float32Array.of(1, 2, 3)],
    ['float32: unpacked', 1, [0x2d, ...floats(1), 0x2d, ...floats(2), 0x2d, ...floats(3)], Float32Array.of(1, 2, 3)],
    ['float32: mixed', 1, [0x2d, ...floats(1), ...delimited(5, floats(2, 3))], Float32Array.of(1, 2, 3)],
    ['float64', 2, delimited(6, doubles(1, 2, 3)), Float64Array.of(1, 2, 3)],
    ['int32', 3, delimited(7, packed(-1, 2, 2 ** 31)), Int32Array.of(-1, 2, -(2 ** 31))],
    ['uint8 wraps', 4, delimited(7, packed(-1, 256, 255)), Uint8Array.of(255, 0, 255)],
    ['int16 wraps', 5, delimited(7, packed(-1, 32768, 5)), Int16Array.of(-1, -32768, 5)],
    ['int8 wraps', 6, delimited(7, packed(300, -129, 70000)), Int8Array.of(44, 127, 112)],
    ['complex64', 8, delimited(9, floats(1, 2, 3, 4, 5, 6)), Float32Array.of(1, 2, 3, 4, 5, 6)],
    ['complex64: an odd one is ignored', 8, delimited(9, floats(1, 2, 3)), Float32Array.of(1, 2, 1, 2, 1, 2)],
    [
      'int64',
      9,
      [...integer(10, -(2n ** 63n)), ...delimited(10, packed(1, -1))],
      BigInt64Array.of(-(2n ** 63n), 1n, -1n),
    ],
    ['bool', 10, [...integer(11, 1), ...integer(11, 0), ...integer(11, 2n ** 40n)], Uint8Array.of(1, 0, 1)],
    ['bfloat16', 14, delimited(13, packed(0x3f80, 0x13f80, 1)), Uint16Array.of(0x3f80, 0x3f80, 1)],
    ['uint16 wraps', 17, delimited(7, packed(70000, -1, 1)), Uint16Array.of(4464, 65535, 1)],
    ['complex128', 18, delimited(12, doubles(1, 2, 3, 4)), Float64Array.of(1, 2, 3, 4, 3, 4)],
    ['float16', 19, delimited(13, packed(0x3c00, 0, 1)), Uint16Array.of(0x3c00, 0, 1)],
    ['uint32', 22, delimited(16, packed(1, 2 ** 32 - 1, 2)), Uint32Array.of(1, 2 ** 32 - 1, 2)],
    ['uint64', 23, [...integer(17, 2n ** 64n - 1n), ...integer(17, 1)], BigUint64Array.of(2n ** 64n - 1n, 1n, 1n)],
    ['fewer: the last repeats', 3, delimited(7, packed(7, 8)), Int32Array.of(7, 8, 8)],
    ['one fills', 1, delimited(5, floats(2)), Float32Array.of(2, 2, 2)],
    ['none: zeros', 9, [], new BigInt64Array(3)],
    ['half a complex value: zeros', 8, delimited(9, floats(1)), new Float32Array(6)],
    ['more are ignored', 3, delimited(7, packed(1, 2, 3, 4, 5)), Int32Array.of(1, 2, 3)],
    ["another dtype's are ignored", 22, delimited(7, packed(1, 2, 3)), new Uint32Array(3)],
  ])('%s', (_, dtype, field, data) => {
    const tensor = parseTensor(proto(dtype, shapeField(3), field));
    expect(tensor.shape).toEqual([3]);
    expect(tensor.data).toEqual(data);
    // Values may come first.
    expect(parseTensor(Uint8Array.from([...field, ...proto(dtype, shapeField(3))])).data).toEqual(data);
  });

  it.each<[string, string[], string[]]>([
    ['all', ['a', '', 'bc'], ['a', '', 'bc']],
    ['fewer: the last repeats', ['a', 'bc'], ['a', 'bc', 'bc']],
    ['none: empty', [], ['', '', '']],
    ['more are ignored', ['a', 'b', 'c', 'd'], ['a', 'b', 'c']],
  ])('strings: %s', (_, values, expected) => {
    const fields = values.flatMap((value) => delimited(8, [...Buffer.from(value)]));
    const { data } = parseTensor(proto(7, shapeField(3), fields), { outType: 'bytes' });
    expect([...data].map((value) => Buffer.from(value).toString())).toEqual(expected);
  });

  it('long fills are right up to the end', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.array(fc.float(), { minLength: 1, maxLength: 9 }),
        (n, values) => {
          const { data } = parseTensor(proto(1, shapeField(n), delimited(5, floats(...values))));
          expect([...data]).toEqual(Array.from({ length: n }, (_, i) => values[Math.min(i, values.length - 1)]));
        },
      ),
    );
  });
});

describe('shape', () => {
  it('absent, empty, or of unknown rank: a scalar', () => {
    for (const shape of [[], delimited(2, []), delimited(2, integer(3, 1))]) {
      expect(parseTensor(proto(3, shape, integer(7, 5)))).toEqual({
        dtype: 'int32',
        shape: [],
        data: Int32Array.of(5),
      });
    }
    expect(parseTensor(proto(3, delimited(2, integer(3, 1)), integer(7, 5), integer(7, 6))).shape).toEqual([]);
  });

  it('of no values ignores any content', () => {
    const tensor = parseTensor(proto(1, shapeField(2, 0), delimited(4, [1, 2, 3]), delimited(5, floats(1))));
    expect(tensor).toEqual({ dtype: 'float32', shape: [2, 0], data: new Float32Array(0) });
    expect(parseTensor(proto(7, shapeField(0), delimited(4, [9])), { outType: 'bytes' }).data.length).toBe(0);
    expect(parseTensor(proto(1, shapeField(2 ** 40, 2 ** 20, 0))).shape).toEqual([2 ** 40, 2 ** 20, 0]);
  });

  it('parts are merged, names passed over', () => {
    const named = delimited(2, delimited(2, [...integer(1, 2), ...delimited(2, [97])]));
    expect(parseTensor(proto(3, [...named, ...shapeField(3)])).shape).toEqual([2, 3]);
  });

  it.each<[string, (bigint | number)[], string]>([
    ['negative', [-1], '-1'],
    ['negative behind 0', [0, -1], '-1'],
    ['overflow', [2 ** 32, 2 ** 31, 2], `[${2 ** 32}, ${2 ** 31}, 2]`],
    ['overflow before 0', [2 ** 32, 2 ** 32, 0], `[${2 ** 32}, ${2 ** 32}, 0]`],
    ['beyond what a number can say', [0, 2n ** 62n - 1n], String(2n ** 62n - 1n)],
    ['too many dimensions', Array.from({ length: 255 }, () => 1), 'more'],
  ])('wrong: %s', (_, sizes, found) => {
    expect(thrown(() => parseTensor(proto(1, shapeField(...sizes))))).toMatchObject({ code: 'TFR_DECODE', found });
  });

  it.each([2 ** 53, 2 ** 62])('of no values has any dimension that a number holds: %i', (size) => {
    for (const shape of [
      [0, size],
      [size, 0],
    ]) {
      const bytes = proto(1, shapeField(...shape));
      expect(parseTensor(bytes)).toEqual({ dtype: 'float32', shape, data: new Float32Array(0) });
    }
    const tensor = { dtype: 'float32', shape: [0, size], data: new Float32Array(0) } as const;
    expect(parseTensor(serializeTensor(tensor))).toEqual(tensor);
  });

  it('254 dimensions are allowed', () => {
    const shape = Array.from({ length: 254 }, () => 1);
    const bytes = serializeTensor({ dtype: 'int8', shape, data: Int8Array.of(5) });
    expect(parseTensor(bytes)).toEqual({ dtype: 'int8', shape, data: Int8Array.of(5) });
  });
});

describe('sizes that nothing stands behind', () => {
  const arrayBuffers = (): number => process.memoryUsage().arrayBuffers;

  it.each(DTYPES)('%s: content and values', (dtype, number) => {
    const before = arrayBuffers();
    for (const field of [[], delimited(4, [1]), integer(7, 1), delimited(5, floats(1))]) {
      for (const shape of [[2 ** 28], [2 ** 40], [2 ** 20, 2 ** 20], [2n ** 53n - 1n]]) {
        const error = thrown(() => parseTensor(proto(number, shapeField(...shape), field)));
        expect(error).toMatchObject({ code: 'TFR_DECODE' });
      }
    }
    expect(arrayBuffers() - before).toBeLessThan(1 << 22);
    expect(dtype).toBeDefined();
  });

  it('strings', () => {
    const before = arrayBuffers();
    const long = delimited(
      8,
      Array.from({ length: 100_000 }, () => 97),
    );
    for (const field of [[], delimited(4, [1]), delimited(8, [97]), long]) {
      const error = thrown(() => parseTensor(proto(7, shapeField(2 ** 40), field)));
      expect(error).toMatchObject({ code: 'TFR_DECODE' });
    }
    // Few strings, but long ones.
    expect(thrown(() => parseTensor(proto(7, shapeField(1000), long)))).toMatchObject({ code: 'TFR_DECODE' });
    expect(arrayBuffers() - before).toBeLessThan(1 << 22);
  });

  it('maxFillBytes is the limit of what is filled up, and of nothing else', () => {
    const bytes = proto(1, shapeField(1000), delimited(5, floats(1, 2)));
    expect(parseTensor(bytes, { maxFillBytes: 4000 }).data.length).toBe(1000);
    expect(thrown(() => parseTensor(bytes, { maxFillBytes: 3999 }))).toMatchObject({
      code: 'TFR_DECODE',
      expected: '1000 values, or at most 3999 bytes after filling',
      found: '2 values to fill 4000 bytes',
    });
    const whole = proto(1, shapeField(2), delimited(5, floats(1, 2)));
    expect(parseTensor(whole, { maxFillBytes: 0 }).data).toEqual(Float32Array.of(1, 2));
    const strings = proto(7, shapeField(10), delimited(8, [97, 97]));
    expect(parseTensor(strings, { maxFillBytes: 60 }).data.length).toBe(10);
    expect(thrown(() => parseTensor(strings, { maxFillBytes: 59 }))).toMatchObject({ code: 'TFR_DECODE' });
  });
});

describe('the message', () => {
  it('is read by protobuf: unknown fields, groups, needless bytes, the last of a single field', () => {
    const unknown = [
      ...integer(99, 1),
      ...delimited(14, integer(1, 1)),
      ...delimited(100, [1]),
      ...hex('9b06 0801 9c06'),
      ...integer(3, 7),
    ];
    const bytes = proto(3, shapeField(1), unknown, integer(7, 5), hex('08 8300').toJSON().data);
    expect(parseTensor(bytes).data).toEqual(Int32Array.of(5));
    // A known field with another wire type is unknown.
    expect(parseTensor(proto(1, [], hex('0d01000000').toJSON().data)).dtype).toBe('float32');
    // An enum has 32 bits.
    expect(parseTensor(hex('08 8180808010 2d0000803f')).data).toEqual(Float32Array.of(1));
  });

  it.each([
    ['a cut tag', '0801 12'],
    ['a cut shape', '0801 1204 1202'],
    ['a cut float', '0801 2d0000'],
    ['packed floats of 3 bytes', '0801 2a03000000'],
    ["another dtype's packed floats of 3 bytes", '0803 2a03000000 3801'],
    ['field 0', '0801 0001'],
    ['the end of a group', '0801 9c06'],
    ['the end of another group', '0801 9b06 a406'],
    ['a group without an end', '0801 9b06'],
    ['wire type 6', '0801 0e'],
    ['an integer of 11 bytes', '08ffffffffffffffffffff01'],
    ['a dimension whose name is no UTF-8', '0801 1207 1205 0801 1201ff'],
    ['groups in groups', `0801 ${'9b06'.repeat(5000)}`],
    ['a resource that is no message', '0801 7201ff'],
    ['a variant that is no message', '0801 7a01ff'],
    ['a length beyond the end', '0801 22ffffffff0f'],
    ['a length of 6 bytes', '0801 22848080808000 00000000'],
  ])('is refused: %s', (_, bytes) => {
    const error = thrown(() => parseTensor(hex(bytes)));
    expect(error).toBeInstanceOf(TFRecordError);
    expect(error).toMatchObject({ code: 'TFR_DECODE', expected: 'the bytes of a TensorProto' });
  });

  it.each<[number, string]>([
    [0, 'no dtype (0)'],
    [20, 'resource (20)'],
    [21, 'variant (21)'],
    [34, 'unknown (34)'],
    [99, 'unknown (99)'],
    [101, 'a reference (101)'],
  ])('has no form here: dtype %i', (number, found) => {
    expect(thrown(() => parseTensor(proto(number, shapeField(1))))).toMatchObject({ code: 'TFR_DECODE', found });
  });

  it('must have the dtype that is asked for', () => {
    expect(thrown(() => parseTensor(proto(4, shapeField(1)), { outType: 'uint16' }))).toMatchObject({
      code: 'TFR_DECODE',
      expected: 'uint16 (options.outType)',
      found: 'uint8',
    });
    expect(thrown(() => parseTensor(new Uint8Array(0)))).toMatchObject({ code: 'TFR_DECODE', found: 'no dtype (0)' });
  });

  it('any bytes are a tensor or TFR_DECODE', () => {
    const field = fc.oneof(
      fc.uint8Array({ maxLength: 6 }).map((bytes) => [...bytes]),
      fc.tuple(fc.integer({ min: 1, max: 20 }), fc.uint8Array({ maxLength: 12 })).map(([n, c]) => delimited(n, [...c])),
      fc.tuple(fc.integer({ min: 1, max: 20 }), fc.bigInt(-9n, 30n)).map(([n, value]) => integer(n, value)),
      fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }).map((sizes) => shapeField(...sizes)),
    );
    const parsed = { tensors: 0 };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 24 }), fc.array(field, { maxLength: 5 }), (dtype, fields) => {
        try {
          const tensor = parseTensor(proto(dtype, [], ...fields));
          const values = tensor.shape.reduce((product, size) => product * size, 1);
          expect(tensor.data.length).toBe(values * (tensor.dtype.startsWith('complex') ? 2 : 1));
          parsed.tensors++;
        } catch (error) {
          expect(error).toMatchObject({ code: 'TFR_DECODE' });
        }
      }),
      { numRuns: 2000 },
    );
    expect(parsed.tensors).toBeGreaterThan(100);
  });
});

it.each<[string, unknown, object, string]>([
  ['no bytes', [1], {}, 'ERR_INVALID_ARG_TYPE'],
  ['a text', '\x08\x01', {}, 'ERR_INVALID_ARG_TYPE'],
  ['an unknown option', new Uint8Array(0), { dtype: 'int8' }, 'ERR_INVALID_ARG_VALUE'],
  ['an unknown outType', new Uint8Array(0), { outType: 'half' }, 'ERR_INVALID_ARG_VALUE'],
  ['a limit that is none', new Uint8Array(0), { maxFillBytes: '1' }, 'ERR_INVALID_ARG_TYPE'],
])('parseTensor, wrong arguments: %s', (_, bytes, options, code) => {
  const error = thrown(() => parseTensor(bytes as Uint8Array, options as never));
  expect(error).toBeInstanceOf(TypeError);
  expect(error).toMatchObject({ code });
});
