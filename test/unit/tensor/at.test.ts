/** `at`: items of tensors by their indices. */
import { BytesArray, DenseTensor, RaggedTensor, SparseTensor } from '../../../lib/tensor';

describe('DenseTensor', () => {
  const tensor = new DenseTensor('float32', [2, 3], Float32Array.of(0, 1, 2, 3, 4, 5));

  test('as many indices as dimensions give a value, fewer a tensor over the same memory', () => {
    expect([tensor.at(0, 0), tensor.at(1, 0), tensor.at(-1, -1), tensor.at(0, -3)]).toEqual([0, 3, 5, 0]);
    const row = tensor.at(1)!;
    expect(row).toEqual(new DenseTensor('float32', [3], Float32Array.of(3, 4, 5)));
    expect(row.data.buffer).toBe(tensor.data.buffer);
    expect(tensor.at()).toEqual(tensor);
  });

  test('indices are those of Array.prototype.at', () => {
    for (const index of [-7, -4, -3, -1, 0, 1, 2, 3, 1.9, -1.9, NaN, Infinity]) {
      expect(tensor.at(0, index)).toBe([0, 1, 2].at(index));
    }
    expect([tensor.at(2), tensor.at(2, 0), tensor.at(-3)]).toEqual([undefined, undefined, undefined]);
  });

  test('every dtype', () => {
    expect(new DenseTensor('int64', [1], BigInt64Array.of(-1n)).at(0)).toBe(-1n);
    expect(new DenseTensor('text', [2], ['a', 'b']).at(-1)).toBe('b');
    expect(new DenseTensor('bytes', [1], BytesArray.from(['x'])).at(0)).toEqual(new Uint8Array([0x78]));
    expect(new DenseTensor('float32', [], Float32Array.of(7)).at()).toBe(7);
    expect(new DenseTensor('float32', [0, 2], new Float32Array(0)).at(0)).toBeUndefined();
  });

  test('more indices than dimensions', () => {
    expect(() => (tensor.at as (...indices: number[]) => unknown).call(tensor, 0, 0, 0)).toThrow(
      expect.objectContaining({ code: 'ERR_OUT_OF_RANGE' }),
    );
  });
});

describe('RaggedTensor', () => {
  const words = new RaggedTensor(new DenseTensor('text', [3], ['a', 'b', 'c']), [Int32Array.of(0, 2, 2, 3)]);

  test('a row, and a value of it', () => {
    expect(words.at(0)).toEqual(words.row(0));
    expect([words.at(0, 1), words.at(-1, -1), words.at(1, 0), words.at(3)]).toEqual(['b', 'c', undefined, undefined]);
  });

  test('through every level', () => {
    const values = new DenseTensor('float32', [3, 2], Float32Array.of(0, 1, 2, 3, 4, 5));
    const deep = new RaggedTensor(values, [Int32Array.of(0, 1, 3), Int32Array.of(0, 1, 1, 3)]);
    expect(deep.at(1, 1, 1, 0)).toBe(4);
    expect(deep.at(1, 1)).toEqual(new DenseTensor('float32', [2, 2], Float32Array.of(2, 3, 4, 5)));
    expect(() => deep.at(0, 0, 0, 0, 0)).toThrow(expect.objectContaining({ code: 'ERR_OUT_OF_RANGE' }));
    expect(deep.at()).toBe(deep);
  });
});

describe('SparseTensor', () => {
  const values = Float32Array.of(5, 6, 7);

  test.each([
    ['lists', { rowSplits: [Int32Array.of(0, 2, 2, 3)] }],
    ['indices', { indices: BigInt64Array.of(0n, 0n, 0n, 1n, 2n, 0n) }],
  ])('made of %s: the value at a place, undefined where there is none', (_, parts) => {
    const tensor = new SparseTensor('float32', { values, denseShape: [3, 2], ...parts });
    const dense = [0, 1, 2, 3].map((row) => [0, 1, 2].map((column) => tensor.at(row, column)));
    const none = undefined;
    expect(dense).toEqual([[5, 6, none], [none, none, none], [7, none, none], [none, none, none]]); // prettier-ignore
    expect(tensor.at(-1, -2)).toBe(7);
    expect(() => tensor.at(0)).toThrow(expect.objectContaining({ code: 'ERR_OUT_OF_RANGE' }));
  });
});

describe('memory that is gone', () => {
  const gone = {
    transferred: () => {
      const memory = new ArrayBuffer(24);
      const data = new Float32Array(memory);
      return [data, () => structuredClone(memory, { transfer: [memory] })] as const;
    },
    'resized to less': () => {
      const memory = new (ArrayBuffer as unknown as new (size: number, options: object) => Resizable)(24, {
        maxByteLength: 24,
      });
      return [new Float32Array(memory), () => memory.resize(8)] as const;
    },
  };
  type Resizable = ArrayBuffer & { resize(size: number): void };

  test.each(Object.entries(gone))('%s: an error, not undefined', (_, make) => {
    const [data, take] = make();
    const tensor = new DenseTensor('float32', [2, 3], data);
    expect(tensor.at(1, 2)).toBe(0);
    take();
    const error = expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' });
    for (const use of [() => tensor.at(1, 2), () => tensor.at(1), () => tensor.toArray(), () => [...tensor]]) {
      expect(use).toThrow(error);
    }
    expect(tensor.at(2, 0)).toBeUndefined();
  });
});
