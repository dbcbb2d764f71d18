import { inspect, types } from 'node:util';

/** Maximum number of nested causes that are packed. */
const DEPTH = 4;

/** A thrown value, packed for another thread. */
export type PackedThrown = { readonly error: PackedError } | { readonly value: unknown };

interface PackedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** Own properties that can be cloned, such as `code`. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly cause: PackedThrown | undefined;
}

/** Packs any thrown value so that it can be cloned. Never throws, even if getters of `thrown` do. */
export function packThrown(thrown: unknown): PackedThrown {
  try {
    return packed(thrown, DEPTH);
  } catch {
    const message = 'What was thrown cannot be looked at';
    return { error: { name: 'Error', message, stack: undefined, properties: {}, cause: undefined } };
  }
}

function packed(thrown: unknown, depth: number): PackedThrown {
  if (!types.isNativeError(thrown) && !(thrown instanceof Error)) {
    if (isCloneable(thrown)) return { value: thrown };
    return { error: { name: 'Error', message: inspect(thrown), stack: undefined, properties: {}, cause: undefined } };
  }
  const properties: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(thrown)) if (isCloneable(value)) properties[name] = value;
  const cause = thrown.cause === undefined || depth === 0 ? undefined : packed(thrown.cause, depth - 1);
  // Typed as unknown, because the user can set them to anything.
  const { name, message, stack } = thrown as Readonly<Record<'name' | 'message' | 'stack', unknown>>;
  return {
    error: {
      name: String(name),
      message: String(message),
      stack: typeof stack === 'string' ? stack : undefined,
      properties,
      cause,
    },
  };
}

const CLASSES: ReadonlyMap<string, new (message: string) => Error> = new Map(
  [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError].map((type) => [type.name, type]),
);

/** Returns an error of the same name, message, stack, properties and cause; other values unchanged. */
export function unpackThrown(packed: PackedThrown): unknown {
  if ('value' in packed) return packed.value;
  const { name, message, stack, properties, cause } = packed.error;
  const error = new (CLASSES.get(name) ?? Error)(message);
  const hidden = (key: string, value: unknown): void => {
    Object.defineProperty(error, key, { value, configurable: true, writable: true });
  };
  if (error.name !== name) hidden('name', name);
  if (stack !== undefined) hidden('stack', stack);
  if (cause !== undefined) hidden('cause', unpackThrown(cause));
  return Object.assign(error, properties);
}

export function isCloneable(value: unknown): boolean {
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}
