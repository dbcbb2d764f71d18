/**
 * A Proxy that was revoked fails in every use: `Array.isArray`, `instanceof` and `in` throw an error without a code.
 * These functions do not throw, so callers refuse such a Proxy as they refuse other values. Import this file directly:
 * reading a name of a room's `index` takes longer.
 */

/** True for an array of any realm; false for a Proxy that was revoked. */
export function isList(value: unknown): value is unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** Returns `value instanceof Class`; false for a Proxy that was revoked. */
export function isInstance<T>(value: unknown, Class: { readonly prototype: T }): value is T {
  try {
    return value instanceof (Class as abstract new () => T);
  } catch {
    return false;
  }
}

/** True for a Proxy that was revoked. */
export function isRevoked(value: unknown): boolean {
  try {
    Array.isArray(value);
    return false;
  } catch {
    return true;
  }
}
