/** decodeRaw and decodePaddedRaw: shapes, sizes, byte order, every dtype, and errors. */
import fc from 'fast-check';

import {
  BytesArray,
  decodePaddedRaw,
  decodeRaw,
  TFRecordError,
  type PaddedRawDType,
  type RawDType,
} from '../../../lib';
import { thrown } from '../../support/thrown';

const SIZES: Record<RawDType, number> = {
  float16: 2,
  bfloat16: 2,
  float32: 4,
  float64: 8,
  int8: 1,
  int16: 2,
  int32: 4,
  int64: 8,
  uint8: 1,
  uint16: 2,
  bool: 1,
  complex64: 8,
  complex128: 16,
};
const DTYPES = Object.keys(SIZES) as RawDType[];
const PADDED = DTYPES.filter((dtype) => !['float16', 'bool', 'complex64', 'complex128'].includes(dtype));

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('decodeRaw', () => {
  it('gives [strings, bytes / size] for a list, [bytes / size] for one string', () => {
    const list = decodeRaw([hex('0100 0200'), hex('ffff 0080')], { outType: 'int16' });
    expect(list).toEqual({ dtype: 'int16', shape: [2, 2], data: Int16Array.of(1, 2, -1, -32768) });
    expect(decodeRaw(hex('0100 0200'), { outType: 'uint16' })).toEqual({
      dtype: 'uint16',
      shape: [2],
      data: Uint16Array.of(1, 2),
    });
    expect(decodeRaw('abc', { outType: 'uint8' }).data).toEqual(Uint8Array.of(97, 98, 99));
  });

  it('has a last dimension of 0 for empty strings, and for none', () => {
    expect(decodeRaw(['', ''], { outType: 'float64' }).shape).toEqual([2, 0]);
    expect(decodeRaw([], { outType: 'float64' })).toEqual({
      dtype: 'float64',
      shape: [0, 0],
      data: new Float64Array(0),
    });
    expect(decodeRaw('', { outType: 'float64' }).shape).toEqual([0]);
  });

  it.each<[RawDType, string, object]>([
    ['float16', '003c', Uint16Array.of(0x3c00)],
    ['bfloat16', '803f', Uint16Array.of(0x3f80)],
    ['float32', '0000c03f', Float32Array.of(1.5)],
    ['float64', '000000000000f8bf', Float64Array.of(-1.5)],
    ['int8', '80', Int8Array.of(-128)],
    ['int16', 'feff', Int16Array.of(-2)],
    ['int32', 'feffffff', Int32Array.of(-2)],
    ['int64', 'feffffffffffffff', BigInt64Array.of(-2n)],
    ['uint8', 'ff', Uint8Array.of(255)],
    ['uint16', 'feff', Uint16Array.of(65534)],
    ['bool', '000102ff', Uint8Array.of(0, 1, 1, 1)],
    ['complex64', '0000803f00000040', Float32Array.of(1, 2)],
    ['complex128', '000000000000f03f0000000000000040', Float64Array.of(1, 2)],
  ])('%s', (outType, bytes, data) => {
    expect(decodeRaw(hex(bytes), { outType }).data).toEqual(data);
  });

  it('swaps each number of big-endian input, both parts of a complex number on their own', () => {
    expect(decodeRaw(hex('0001 0002'), { outType: 'int16', littleEndian: false }).data).toEqual(Int16Array.of(1, 2));
    const parts = decodeRaw(hex('3f800000 40000000'), { outType: 'complex64', littleEndian: false });
    expect(parts).toEqual({ dtype: 'complex64', shape: [1], data: Float32Array.of(1, 2) });
    expect(decodeRaw(hex('0002'), { outType: 'bool', littleEndian: false }).data).toEqual(Uint8Array.of(0, 1));
  });

  it('reads what DataView reads, in either order, wherever the string lies', () => {
    const reading = fc.record({
      strings: fc.array(fc.uint8Array({ minLength: 24, maxLength: 24 }), { minLength: 1, maxLength: 5 }),
      littleEndian: fc.boolean(),
      offset: fc.nat(7),
    });
    fc.assert(
      fc.property(reading, ({ strings, littleEndian, offset }) => {
        const moved = strings.map((string) => Buffer.concat([Buffer.alloc(offset), string]).subarray(offset));
        const views = strings.map((string) => new DataView(string.buffer, string.byteOffset, 24));
        const every = <T>(size: number, get: (view: DataView, at: number) => T): T[] =>
          views.flatMap((view) => Array.from({ length: 24 / size }, (_, i) => get(view, i * size)));
        const read = (outType: RawDType): unknown[] => [...decodeRaw(moved, { outType, littleEndian }).data];
        expect(read('int16')).toEqual(every(2, (view, at) => view.getInt16(at, littleEndian)));
        expect(read('int32')).toEqual(every(4, (view, at) => view.getInt32(at, littleEndian)));
        expect(read('int64')).toEqual(every(8, (view, at) => view.getBigInt64(at, littleEndian)));
        expect(read('float32')).toEqual(every(4, (view, at) => view.getFloat32(at, littleEndian)));
        expect(read('complex64')).toEqual(every(4, (view, at) => view.getFloat32(at, littleEndian)));
        expect(read('float64')).toEqual(every(8, (view, at) => view.getFloat64(at, littleEndian)));
      }),
    );
  });

  it('copies: the input may change later', () => {
    const input = hex('01020304');
    const { data } = decodeRaw(input, { outType: 'uint8' });
    input.fill(0);
    expect([...data]).toEqual([1, 2, 3, 4]);
    expect(data.buffer.byteLength).toBe(4);
  });

  it('takes a BytesArray, and any iterable of bytes', () => {
    const strings = new BytesArray(Uint8Array.of(1, 0, 2, 0), Int32Array.of(0, 2, 4));
    expect(decodeRaw(strings, { outType: 'int16' }).data).toEqual(Int16Array.of(1, 2));
    expect(decodeRaw(new Set([Uint8Array.of(1, 0)]).values(), { outType: 'int16' }).shape).toEqual([1, 1]);
  });

  it('refuses strings of different sizes, naming the element', () => {
    const error = thrown(() => decodeRaw(['123456', '12345'], { outType: 'int16' }));
    expect(error).toBeInstanceOf(TFRecordError);
    expect(error).toMatchObject({
      code: 'TFR_DECODE',
      record: 1,
      expected: '6 bytes, as in element 0',
      found: '5 bytes',
      message: 'Element 1: expected 6 bytes, as in element 0, found 5 bytes.',
    });
    expect(thrown(() => decodeRaw(['', 'ab'], { outType: 'int16' }))).toMatchObject({ code: 'TFR_DECODE', record: 1 });
  });

  it('refuses sizes that are no multiple of the dtype', () => {
    const expected = 'a multiple of 2 bytes (the size of int16)';
    const fault = { code: 'TFR_DECODE', expected, found: '3 bytes' };
    expect(thrown(() => decodeRaw(['abc', 'abc'], { outType: 'int16' }))).toMatchObject({ ...fault, record: 0 });
    const single = thrown(() => decodeRaw('abc', { outType: 'int16' }));
    expect(single).toMatchObject({ ...fault, message: `Input: expected ${expected}, found 3 bytes.` });
    expect(single).not.toHaveProperty('record');
  });

  it.each<[string, () => unknown, string]>([
    ['no options', () => decodeRaw('', undefined as never), 'ERR_INVALID_ARG_TYPE'],
    ['no outType', () => decodeRaw('', {} as never), 'ERR_INVALID_ARG_TYPE'],
    ['uint32', () => decodeRaw('', { outType: 'uint32' as never }), 'ERR_INVALID_ARG_VALUE'],
    ['uint64', () => decodeRaw('', { outType: 'uint64' as never }), 'ERR_INVALID_ARG_VALUE'],
    ['bytes', () => decodeRaw('', { outType: 'bytes' as never }), 'ERR_INVALID_ARG_VALUE'],
    ['an unknown option', () => decodeRaw('', { outType: 'int8', endian: 1 } as never), 'ERR_INVALID_ARG_VALUE'],
    ['littleEndian', () => decodeRaw('', { outType: 'int8', littleEndian: 1 as never }), 'ERR_INVALID_ARG_TYPE'],
    ['a number', () => decodeRaw(5 as never, { outType: 'int8' }), 'ERR_INVALID_ARG_TYPE'],
    ['null', () => decodeRaw(null as never, { outType: 'int8' }), 'ERR_INVALID_ARG_TYPE'],
    ['a list of numbers', () => decodeRaw([1] as never, { outType: 'int8' }), 'ERR_INVALID_ARG_TYPE'],
    ['half a character', () => decodeRaw('a\ud800', { outType: 'int8' }), 'ERR_INVALID_ARG_VALUE'],
    ['other arrays', () => decodeRaw(Int16Array.of(1) as never, { outType: 'int8' }), 'ERR_INVALID_ARG_TYPE'],
  ])('wrong arguments: %s', (_, run, code) => {
    const error = thrown(run);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ code });
  });
});

describe('decodePaddedRaw', () => {
  it('cuts, or fills with zeros at the end', () => {
    const strings = ['', 'abcdef', hex('0100 0200')];
    expect(decodePaddedRaw(strings, { outType: 'int16', fixedLength: 4 })).toEqual({
      dtype: 'int16',
      shape: [3, 2],
      data: Int16Array.of(0, 0, 25185, 25699, 1, 2),
    });
    expect(decodePaddedRaw('abc', { outType: 'uint8', fixedLength: 2 })).toEqual({
      dtype: 'uint8',
      shape: [2],
      data: Uint8Array.of(97, 98),
    });
    expect(decodePaddedRaw([], { outType: 'int16', fixedLength: 4 }).shape).toEqual([0, 2]);
  });

  it('pads before it swaps', () => {
    const { data } = decodePaddedRaw('abc', { outType: 'int16', fixedLength: 4, littleEndian: false });
    expect([...data]).toEqual([0x6162, 0x6300]);
  });

  it('is decodeRaw of the padded strings, for every dtype that it reads', () => {
    const input = fc.record({
      strings: fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 5 }),
      outType: fc.constantFrom(...PADDED),
      values: fc.integer({ min: 1, max: 5 }),
      littleEndian: fc.boolean(),
    });
    fc.assert(
      fc.property(input, ({ strings, outType, values, littleEndian }) => {
        const fixedLength = values * SIZES[outType];
        const padded = strings.map((string) => Buffer.concat([string, Buffer.alloc(fixedLength)], fixedLength));
        const expected = decodeRaw(padded, { outType, littleEndian });
        const found = decodePaddedRaw(strings, { outType: outType as PaddedRawDType, fixedLength, littleEndian });
        expect(found).toEqual({ ...expected, shape: [strings.length, values] });
      }),
    );
  });

  it.each<[string, object, typeof TypeError | typeof RangeError, string]>([
    ['no fixedLength', { outType: 'int16' }, TypeError, 'ERR_INVALID_ARG_TYPE'],
    ['no multiple', { outType: 'int16', fixedLength: 3 }, TypeError, 'ERR_INVALID_ARG_VALUE'],
    ['zero', { outType: 'int16', fixedLength: 0 }, RangeError, 'ERR_OUT_OF_RANGE'],
    ['negative', { outType: 'int16', fixedLength: -2 }, RangeError, 'ERR_OUT_OF_RANGE'],
    ['a fraction', { outType: 'int8', fixedLength: 1.5 }, RangeError, 'ERR_OUT_OF_RANGE'],
    ['more than memory holds', { outType: 'int8', fixedLength: 2 ** 50 }, RangeError, 'ERR_OUT_OF_RANGE'],
    ['a text', { outType: 'int8', fixedLength: '1' }, TypeError, 'ERR_INVALID_ARG_TYPE'],
    ['an unknown option', { outType: 'int8', fixedLength: 1, length: 1 }, TypeError, 'ERR_INVALID_ARG_VALUE'],
    ...DTYPES.filter((dtype) => !PADDED.includes(dtype)).map(
      (dtype) =>
        [dtype, { outType: dtype, fixedLength: 16 }, TypeError, 'ERR_INVALID_ARG_VALUE'] as [
          string,
          object,
          typeof TypeError,
          string,
        ],
    ),
  ])('wrong arguments: %s', (_, options, kind, code) => {
    const error = thrown(() => decodePaddedRaw(['a'], options as never));
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ code });
  });
});
