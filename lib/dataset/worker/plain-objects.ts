/** True if `value` is a plain object of any realm. */
export function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return (
    prototype === null || (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'hasOwnProperty'))
  );
}

/** Sets an own property, also for names such as `__proto__`. */
export function setOwn(holder: object, key: PropertyKey, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(holder, key, { value, configurable: true, enumerable: true, writable: true });
  } else {
    (holder as Record<PropertyKey, unknown>)[key] = value;
  }
}
