const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
// eslint-disable-next-line @typescript-eslint/unbound-method -- it is only ever called on its argument
const getter = Object.getOwnPropertyDescriptor(typedArray, 'length')?.get as (this: Uint8Array) => number;

/**
 * The length that `bytes` has, whatever a subclass or an own property says; 0 when its memory was transferred away.
 * `bytes` is a Uint8Array by `types.isUint8Array`, which `instanceof` does not tell.
 */
export function lengthOf(bytes: Uint8Array): number {
  return getter.call(bytes);
}
