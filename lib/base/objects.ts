/** Objects that JavaScript itself types as `any`. */

/** Returns an object without a prototype, for names that callers choose: `__proto__` is a name like others. */
export function newRecord<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

/** Returns the prototype of `value`. */
export function prototypeOf(value: object): object | null {
  return Object.getPrototypeOf(value) as object | null;
}
