/**
 * The true extent of typed arrays, by the getters of the language: a subclass or an own property can return anything for
 * `array.length`, `array.buffer` and `array.subarray()`, and something else each time. Code that takes arrays from users
 * reads their length once, here.
 */
import { prototypeOf } from './objects';

type TypedArray = NodeJS.TypedArray;

const typedArray = prototypeOf(Uint8Array.prototype)!;
// eslint-disable-next-line @typescript-eslint/unbound-method -- it is only ever called on its argument
const getter = (name: string | symbol) => Object.getOwnPropertyDescriptor(typedArray, name)!.get!;

const length: (this: TypedArray) => number = getter('length');
const byteOffset: (this: TypedArray) => number = getter('byteOffset');
const buffer: (this: TypedArray) => ArrayBufferLike = getter('buffer');
const name: (this: unknown) => string | undefined = getter(Symbol.toStringTag);

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

/** The constructors of a class of typed arrays. */
export interface ArrayClass<T extends TypedArray> {
  new (length: number): T;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
}

/** Returns the class of a plain `array`, to make others of its type: the `constructor` of a user's array may be anything. */
export function arrayClass<T extends TypedArray>(array: T): ArrayClass<T> {
  return array.constructor as ArrayClass<T>;
}
