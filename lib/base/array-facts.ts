/**
 * The true extent of typed arrays, by the getters of the language: a subclass or an own property can return anything for
 * `array.length`, `array.buffer` and `array.subarray()`, and something else each time. Code that takes arrays from users
 * reads their length once, here.
 */
type TypedArray = NodeJS.TypedArray;

const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
// eslint-disable-next-line @typescript-eslint/unbound-method -- it is only ever called on its argument
const getter = (name: string | symbol): unknown => Object.getOwnPropertyDescriptor(typedArray, name)?.get;

const length = getter('length') as (this: TypedArray) => number;
const byteOffset = getter('byteOffset') as (this: TypedArray) => number;
const buffer = getter('buffer') as (this: TypedArray) => ArrayBufferLike;
const name = getter(Symbol.toStringTag) as (this: unknown) => string | undefined;

/**
 * The number of elements; 0 if the memory was transferred away. Check the type before, not by `instanceof`.
 * @throws TypeError for anything but a typed array
 */
export function lengthOf(array: TypedArray): number {
  return length.call(array);
}

export function bufferOf(array: TypedArray): ArrayBufferLike {
  return buffer.call(array);
}

/** The name of the array's type in any realm, as `'Uint8Array'`; undefined for other values. */
export function typeOf(array: unknown): string | undefined {
  return name.call(array);
}

/** Returns a view of bytes `start` to `end` of `array`, which must have them. The view is a plain Uint8Array. */
export function viewOf(array: TypedArray, start: number, end: number): Uint8Array {
  return new Uint8Array(buffer.call(array), byteOffset.call(array) + start, end - start);
}

/** Returns `array`, whose type is `Type`, as a plain array of that type over the same memory: its properties are true. */
export function plainArray<T extends TypedArray>(
  array: TypedArray,
  Type: new (buffer?: ArrayBufferLike, byteOffset?: number, length?: number) => T,
): T {
  const size = length.call(array);
  // Memory that was transferred away has no views.
  return size === 0 ? new Type() : new Type(buffer.call(array), byteOffset.call(array), size);
}
