/** serializeTensor: parseTensor reads its results; errors. */
import fc from 'fast-check';

import { BytesArray, parseTensor, serializeTensor, type SerializableTensor } from '../../../lib';
import { DTYPES } from '../../support/examples/tensor-proto';
import { thrown } from '../../support/thrown';

describe('serializeTensor', () => {
  it('gives what parseTensor gives back', () => {
    const tensor = fc.record({ dtype: fc.constantFrom(...DTYPES), shape: fc.array(fc.nat(4), { maxLength: 4 }) });
    fc.assert(
      fc.property(
        tensor,
        fc.uint8Array({ minLength: 4096, maxLength: 4096 }),
        ({ dtype: [dtype, , sample], shape }, noise) => {
          const length = shape.reduce((product, size) => product * size, 1) * (dtype.startsWith('complex') ? 2 : 1);
          const bytes = dtype === 'bool' ? noise.map((byte) => byte & 1) : noise;
          const make = sample.constructor as new (buffer: ArrayBuffer, offset: number, length: number) => Int8Array;
          const data = new make(bytes.buffer, 8, length);
          const input = { dtype, shape, data } as SerializableTensor;
          expect(parseTensor(serializeTensor(input))).toEqual(input);
        },
      ),
    );
  });

  it('takes strings as a list or a BytesArray', () => {
    const list = serializeTensor({ dtype: 'bytes', shape: [2], data: ['a', Uint8Array.of(255)] });
    const data = BytesArray.from(['a', Uint8Array.of(255)]);
    expect(serializeTensor({ dtype: 'bytes', shape: [2], data })).toEqual(list);
    expect([...parseTensor(list, { outType: 'bytes' }).data]).toEqual([...data]);
  });

  it.each<[string, unknown, string]>([
    ['null', null, 'ERR_INVALID_ARG_TYPE'],
    ['no dtype', { shape: [], data: [] }, 'ERR_INVALID_ARG_TYPE'],
    ['an unknown dtype', { dtype: 'half', shape: [], data: [] }, 'ERR_INVALID_ARG_VALUE'],
    ['no shape', { dtype: 'int8', data: Int8Array.of(1) }, 'ERR_INVALID_ARG_TYPE'],
    ['a negative size', { dtype: 'int8', shape: [-1], data: Int8Array.of(1) }, 'ERR_INVALID_ARG_VALUE'],
    [
      'too many dimensions',
      { dtype: 'int8', shape: Array(255).fill(1), data: Int8Array.of(1) },
      'ERR_INVALID_ARG_VALUE',
    ],
    [
      'more than 2^63 - 1 values before a 0, which parseTensor refuses',
      { dtype: 'int8', shape: [2 ** 32, 2 ** 32, 0], data: new Int8Array(0) },
      'ERR_INVALID_ARG_VALUE',
    ],
    ['another length', { dtype: 'int8', shape: [2], data: Int8Array.of(1) }, 'ERR_INVALID_ARG_VALUE'],
    ['half a complex value', { dtype: 'complex64', shape: [1], data: Float32Array.of(1) }, 'ERR_INVALID_ARG_VALUE'],
    ['another array', { dtype: 'int8', shape: [1], data: Uint8Array.of(1) }, 'ERR_INVALID_ARG_TYPE'],
    ['a plain array', { dtype: 'int8', shape: [1], data: [1] }, 'ERR_INVALID_ARG_TYPE'],
    ['a bool of 2', { dtype: 'bool', shape: [1], data: Uint8Array.of(2) }, 'ERR_INVALID_ARG_VALUE'],
    ['one string as a list', { dtype: 'bytes', shape: [], data: 'a' }, 'ERR_INVALID_ARG_TYPE'],
    ['too few strings', { dtype: 'bytes', shape: [2], data: ['a'] }, 'ERR_INVALID_ARG_VALUE'],
  ])('refuses %s', (_, tensor, code) => {
    const error = thrown(() => serializeTensor(tensor as SerializableTensor));
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ code });
  });
});
