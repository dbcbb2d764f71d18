/** The names of files in a WebDataset: the key of a sample, a dot, and the name of a feature. */

/** Holds, as an Example, the features of a sample that no other file can hold. */
export const REST = 'tfexample';
/** Holds the whole SequenceExample of a sample. */
export const SEQUENCE = 'tfsequence';
/** The feature with the key of a sample. */
export const KEY = '__key__';
/** Follows the name of a feature of numbers. */
export const NPY = '.npy';
/** Features that are one integer, as text. */
const INTEGERS: ReadonlySet<string> = new Set(['cls', 'cls2', 'count', 'index']);

/** Characters that cannot be in the last part of a path, and the one that escapes them. */
const UNSAFE = /[\x00-\x1f\x7f%/\\]/g;
const ESCAPED = /%([01][0-9a-f]|7f|25|2f|5c)/gi;
/** Stands, in a decoded name, for bytes that are not UTF-8. */
const NOT_UTF8 = '\uFFFD';
const MAX_KEY = 1024;

/** The key of a file, and the name that follows it. */
export interface SplitName {
  readonly key: string;
  readonly name: string;
}

/** Splits the path of a file in a tar at the first dot of its last part. Returns the reason why it cannot, in words. */
export function splitPath(path: string): SplitName | string {
  if (path.includes(NOT_UTF8)) return 'a name that is not UTF-8';
  const plain = path.replace(/^(?:\.\/+)+/, '');
  if (plain.startsWith('/')) return 'an absolute path';
  if (plain.split('/').includes('..')) return 'a path with ".."';
  const begin = plain.lastIndexOf('/') + 1;
  const dot = plain.indexOf('.', begin);
  if (dot < 0 || dot === plain.length - 1) return 'a name without an extension';
  if (dot === begin) return 'a name that begins with a dot';
  return { key: plain.slice(0, dot), name: plain.slice(dot + 1).replace(ESCAPED, unescaped) };
}

function unescaped(_: string, hex: string): string {
  return String.fromCharCode(parseInt(hex, 16));
}

/** True if `key`, in front of a dot and a name, is read back as it is. */
export function isKey(key: string): boolean {
  if (key.length > MAX_KEY || key.includes(NOT_UTF8) || key.replace(UNSAFE, '/') !== key) return false;
  const parts = key.split('/');
  return !parts.at(-1)!.includes('.') && parts.every((part) => part !== '' && part !== '.' && part !== '..');
}

/** The name of the file of feature `name`. */
export function fileName(name: string): string {
  return name.replace(UNSAFE, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** True if a feature called `name` can have a file of its own, with numbers or not. */
export function canBeFile(name: string): boolean {
  return name !== '' && name.length <= MAX_KEY && !name.includes(NOT_UTF8);
}

/** True if a file called `name` is one integer in text. */
export function isInteger(name: string): boolean {
  return INTEGERS.has(name);
}

/** True if the bytes of a file called `name` are the value of the feature of that name. */
export function isPlain(name: string): boolean {
  return (
    canBeFile(name) && name !== REST && name !== SEQUENCE && name !== KEY && !isInteger(name) && !name.endsWith(NPY)
  );
}
