/**
 * The part of `node:util/types` that the rooms use, for a page: tests of the kind of a value that no value can fake.
 */
type Getter = (this: unknown) => unknown;

function getterOf(prototype: object, name: PropertyKey): Getter {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its value
  return Object.getOwnPropertyDescriptor(prototype, name)!.get!;
}

const arrayName = getterOf(Object.getPrototypeOf(Uint8Array.prototype) as object, Symbol.toStringTag);
const bufferSize = getterOf(ArrayBuffer.prototype, 'byteLength');
// Pages that are not cross-origin isolated have no SharedArrayBuffer.
const sharedSize =
  typeof SharedArrayBuffer === 'undefined' ? undefined : getterOf(SharedArrayBuffer.prototype, 'byteLength');
const mapSize = getterOf(Map.prototype, 'size');

function accepts(getter: Getter | undefined, value: unknown): boolean {
  if (getter === undefined) return false;
  try {
    getter.call(value);
    return true;
  } catch {
    return false;
  }
}

const tagOf = (value: unknown): string => Object.prototype.toString.call(value);
const isNamed =
  (name: string) =>
  (value: unknown): boolean =>
    arrayName.call(value) === name;

export const isTypedArray = (value: unknown): boolean => arrayName.call(value) !== undefined;
export const isUint8Array = isNamed('Uint8Array');
export const isUint8ClampedArray = isNamed('Uint8ClampedArray');
export const isUint16Array = isNamed('Uint16Array');
export const isUint32Array = isNamed('Uint32Array');
export const isInt8Array = isNamed('Int8Array');
export const isInt16Array = isNamed('Int16Array');
export const isInt32Array = isNamed('Int32Array');
export const isFloat32Array = isNamed('Float32Array');
export const isFloat64Array = isNamed('Float64Array');
export const isBigInt64Array = isNamed('BigInt64Array');
export const isBigUint64Array = isNamed('BigUint64Array');
export const isArrayBuffer = (value: unknown): boolean => accepts(bufferSize, value);
export const isSharedArrayBuffer = (value: unknown): boolean => accepts(sharedSize, value);
export const isAnyArrayBuffer = (value: unknown): boolean => isArrayBuffer(value) || isSharedArrayBuffer(value);
export const isMap = (value: unknown): boolean => accepts(mapSize, value);
export const isPromise = (value: unknown): boolean => value instanceof Promise;
export const isNativeError = (value: unknown): boolean => value instanceof Error;
export const isGeneratorObject = (value: unknown): boolean => /^\[object (?:Async)?Generator\]$/.test(tagOf(value));
