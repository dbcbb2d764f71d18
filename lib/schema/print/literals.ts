/** Defaults in the JSON form of specs, as literals of TypeScript and of Python. */

/** A default in JSON: see `specToJSON`. */
export type JsonDefault = number | string | { readonly base64: string };

/** `value`, a default of type `dtype`, in TypeScript. */
export function typeScriptLiteral(dtype: unknown, value: JsonDefault): string {
  if (typeof value === 'object') return `new Uint8Array([${[...Buffer.from(value.base64, 'base64')].join(', ')}])`;
  if (typeof value === 'number') return String(value);
  if (dtype === 'float32') return value;
  return dtype === 'int64' ? `${value}n` : JSON.stringify(value);
}

/** `value`, a default of type `dtype`, in Python. */
export function pythonLiteral(dtype: unknown, value: JsonDefault): string {
  if (typeof value === 'object') {
    const escaped = [...Buffer.from(value.base64, 'base64')].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`);
    return `b"${escaped.join('')}"`;
  }
  if (typeof value === 'number') return String(value);
  if (dtype === 'float32') return value === '-0' ? '-0.0' : `float("${value}")`;
  return dtype === 'int64' ? value : JSON.stringify(value);
}
