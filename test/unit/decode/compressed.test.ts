/** decodeCompressed returns everything or throws, and never returns more than allowed. */
import * as zlib from 'node:zlib';

import fc from 'fast-check';

import { decodeCompressed } from '../../../lib';
import { thrown } from '../../support/thrown';

const { deflateSync, gzipSync } = zlib;
const PACK = { gzip: gzipSync, zlib: deflateSync };
const KINDS = ['gzip', 'zlib'] as const;
const TEXT = Buffer.from('all work and no play; '.repeat(5000));

describe.each(KINDS)('%s', (compression) => {
  const pack = PACK[compression];
  const options = { compression } as const;

  it('inflates one input, or each of a list', () => {
    expect(decodeCompressed(pack(TEXT), options)).toEqual(new Uint8Array(TEXT));
    expect(decodeCompressed([pack('a'), pack('')], options)).toEqual([Uint8Array.of(97), new Uint8Array(0)]);
    expect(decodeCompressed([], options)).toEqual([]);
  });

  it('reads all streams that are joined, empty ones, too', () => {
    const joined = Buffer.concat([pack('a'), pack(''), pack(TEXT), pack('')]);
    expect(Buffer.from(decodeCompressed(joined, options)).equals(Buffer.concat([Buffer.from('a'), TEXT]))).toBe(true);
  });

  it('gives back what was packed, in any number of streams', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 4 }), (parts) => {
        const packed = Buffer.concat(parts.map((part) => pack(part)));
        expect(Buffer.from(decodeCompressed(packed, options)).equals(Buffer.concat(parts))).toBe(true);
      }),
    );
  });

  it('refuses input that is cut anywhere, the empty one, too', () => {
    const whole = pack('some words, some words');
    for (let size = 0; size < whole.length; size++) {
      const error = thrown(() => decodeCompressed([whole, whole.subarray(0, size)], options));
      expect(error).toMatchObject({ code: 'TFR_DECODE', record: 1, expected: `${compression} data up to its end` });
    }
    const second = Buffer.concat([whole, whole.subarray(0, -1)]);
    expect(thrown(() => decodeCompressed(second, options))).toMatchObject({ code: 'TFR_DECODE' });
  });

  it.each(['x', 'garbage', '\0', '\0\0\0\0', '\x1f', '\x1f\x8b', '\x78', '\x78\x9c'])(
    'refuses what follows the end: %j',
    (garbage) => {
      const input = Buffer.concat([pack('a'), Buffer.from(garbage, 'latin1')]);
      const error = thrown(() => decodeCompressed(input, options));
      expect(error).toMatchObject({ code: 'TFR_DECODE' });
      expect(error).not.toHaveProperty('record');
    },
  );

  it('refuses a stream behind zeros', () => {
    const input = Buffer.concat([pack('a'), Buffer.alloc(4), pack('b')]);
    expect(thrown(() => decodeCompressed(input, options))).toMatchObject({ code: 'TFR_DECODE' });
  });

  it('refuses a wrong header and a wrong checksum', () => {
    expect(thrown(() => decodeCompressed(Buffer.from('no such data'), options))).toMatchObject({
      code: 'TFR_DECODE',
      found: 'incorrect header check',
      message: `Input: expected ${compression} data up to its end, found incorrect header check.`,
    });
    const damaged = Buffer.from(pack('a'));
    damaged[damaged.length - (compression === 'gzip' ? 6 : 2)]! ^= 1;
    expect(thrown(() => decodeCompressed([damaged], options))).toMatchObject({
      code: 'TFR_DECODE',
      record: 0,
      found: 'incorrect data check',
    });
    expect(thrown(() => decodeCompressed(PACK[compression === 'gzip' ? 'zlib' : 'gzip']('a'), options))).toMatchObject({
      code: 'TFR_DECODE',
    });
  });

  it('stops at maxOutputLength, over all streams together', () => {
    const bomb = pack(Buffer.alloc(1 << 24));
    const limit = { ...options, maxOutputLength: 1 << 20 };
    const before = process.memoryUsage().arrayBuffers;
    expect(thrown(() => decodeCompressed(bomb, limit))).toMatchObject({
      code: 'TFR_DECODE',
      expected: 'at most 1048576 bytes of output',
      found: 'more',
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1 << 23);
    const two = Buffer.concat([pack('ab'), pack('cd')]);
    expect(decodeCompressed(two, { ...options, maxOutputLength: 4 }).length).toBe(4);
    expect(thrown(() => decodeCompressed(two, { ...options, maxOutputLength: 3 }))).toMatchObject({ found: 'more' });
    expect(thrown(() => decodeCompressed(two, { ...options, maxOutputLength: 2 }))).toMatchObject({ found: 'more' });
    expect(decodeCompressed(pack(''), { ...options, maxOutputLength: 0 }).length).toBe(0);
    expect(thrown(() => decodeCompressed(pack('a'), { ...options, maxOutputLength: 0 }))).toMatchObject({
      found: 'more',
    });
  });
});

describe('zstd', () => {
  const options = { compression: 'zstd' } as const;
  // "0123456789abcdef" with the size of its content; "hello" without; a frame to skip.
  const frame = Buffer.from('28b52ffd201081000030313233343536373839616263646566', 'hex');
  const sizeless = Buffer.from('28b52ffd005829000068656c6c6f', 'hex');
  const skipped = Buffer.from('502a4d180400000061626364', 'hex');
  const text = (...parts: Buffer[]): string => Buffer.from(decodeCompressed(Buffer.concat(parts), options)).toString();

  if (!('zstdDecompressSync' in zlib)) {
    it('is refused by a Node that has none, which the error says', () => {
      const error = thrown(() => decodeCompressed(frame, options));
      expect(error).toBeInstanceOf(TypeError);
      expect(error).toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
      expect((error as Error).message).toContain(
        `zstd needs Node 22.15, 23.8 or newer, and this is ${process.version}`,
      );
    });
    return;
  }

  it('is read, any number of frames', () => {
    expect(text(frame)).toBe('0123456789abcdef');
    expect(text(frame, sizeless, skipped, frame)).toBe('0123456789abcdefhello0123456789abcdef');
    expect(decodeCompressed([frame, sizeless], options).length).toBe(2);
  });

  it('is refused when it is cut, damaged, or goes on with something else', () => {
    for (let size = 0; size < frame.length; size++) {
      expect(thrown(() => text(frame.subarray(0, size)))).toMatchObject({ code: 'TFR_DECODE' });
      if (size > 0) expect(thrown(() => text(frame, frame.subarray(0, size)))).toMatchObject({ code: 'TFR_DECODE' });
    }
    for (const behind of ['ab', '\0', '(']) {
      expect(thrown(() => text(frame, Buffer.from(behind)))).toMatchObject({ code: 'TFR_DECODE' });
    }
    expect(thrown(() => text(Buffer.from('no such data')))).toMatchObject({ code: 'TFR_DECODE' });
  });

  it('stops at maxOutputLength, over all frames together', () => {
    const limit = { ...options, maxOutputLength: 31 };
    expect(thrown(() => decodeCompressed(Buffer.concat([frame, frame]), limit))).toMatchObject({ found: 'more' });
    expect(decodeCompressed(Buffer.concat([frame, frame]), { ...limit, maxOutputLength: 32 }).length).toBe(32);
  });
});

it('without compression copies', () => {
  const input = Uint8Array.of(1, 2, 3);
  const output = decodeCompressed(input);
  expect(output).toEqual(input);
  expect(output.buffer).not.toBe(input.buffer);
  expect(decodeCompressed([input], { compression: 'none' })).toEqual([input]);
  expect(thrown(() => decodeCompressed(input, { maxOutputLength: 2 }))).toMatchObject({ code: 'TFR_DECODE' });
});

it.each<[string, unknown, object, typeof TypeError | typeof RangeError, string]>([
  ['another case', '', { compression: 'GZIP' }, TypeError, 'ERR_INVALID_ARG_VALUE'],
  ['NONE', '', { compression: 'NONE' }, TypeError, 'ERR_INVALID_ARG_VALUE'],
  ['a number', '', { compression: 1 }, TypeError, 'ERR_INVALID_ARG_TYPE'],
  ['an unknown option', '', { level: 1 }, TypeError, 'ERR_INVALID_ARG_VALUE'],
  ['a limit below 0', '', { maxOutputLength: -1 }, RangeError, 'ERR_OUT_OF_RANGE'],
  ['no bytes', 5, {}, TypeError, 'ERR_INVALID_ARG_TYPE'],
  ['a list of numbers', [5], {}, TypeError, 'ERR_INVALID_ARG_TYPE'],
])('wrong arguments: %s', (_, input, options, kind, code) => {
  const error = thrown(() => decodeCompressed(input as Uint8Array, options));
  expect(error).toBeInstanceOf(kind);
  expect(error).toMatchObject({ code });
});
