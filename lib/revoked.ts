/**
 * A Proxy that was revoked fails in every use: `Array.isArray`, `instanceof` and `in` throw an error without a code.
 * These do not, so that callers refuse it as they refuse other values. No door exports them: reading a name of a door
 * takes longer.
 */

/**
 * True for an array, of any realm. False for a Proxy that was revoked, for which `Array.isArray` throws an error without a
 * code: callers refuse it as they refuse other values.
 */
export function isList(value: unknown): value is unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** Returns `value instanceof Class`; false for a Proxy that was revoked, for which `instanceof` throws. */
export function isInstance<T>(value: unknown, Class: { readonly prototype: T }): value is T {
  try {
    return value instanceof (Class as abstract new () => T);
  } catch {
    return false;
  }
}

/** True for a Proxy that was revoked. Every use of it throws an error without a code. */
export function isRevoked(value: unknown): boolean {
  try {
    Array.isArray(value);
    return false;
  } catch {
    return true;
  }
}
