/** Checks of arguments and options. Each check throws one of Node's argument errors. */
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { types } from 'node:util';

import { invalidArgType, invalidArgValue, outOfRange, unknownOption } from './errors';
import { objectScheme } from './object-url';
import { prototypeOf } from './objects';
import { isRevoked } from './revoked';

/**
 * Returns a copy of `options`, and throws for a name that is not in `known`. Undefined counts as `{}`. `option` names the
 * option whose value `options` is, for messages. Options may be inherited, except from Object.prototype: values there
 * come from other code, not from the caller.
 */
export function checkOptions<T extends object>(
  options: T | undefined,
  known: readonly (keyof T & string)[],
  option?: string,
): T {
  const given = Object.create(null) as T;
  if (options === undefined) return given;
  if (!isObject(options) || Array.isArray(options)) {
    const expected = `an object: { ${known.join(', ')} }`;
    throw invalidArgType(option === undefined ? 'options' : `options.${option}`, expected, options);
  }
  for (const name of Object.keys(options)) {
    if (isOneOf(known, name)) continue;
    throw unknownOption(option === undefined ? name : `${option}.${name}`, known);
  }
  for (const name of known) if (isGiven(options, name)) given[name] = options[name];
  return given;
}

function isGiven(options: object, name: string): boolean {
  for (let at: object | null = options; at !== null; at = prototypeOf(at)) {
    if (Object.hasOwn(at, name)) return !isObjectPrototype(at);
  }
  return false;
}

/** True for the Object.prototype of any realm. */
function isObjectPrototype(value: object): boolean {
  return Object.getPrototypeOf(value) === null && Object.hasOwn(value, 'isPrototypeOf');
}

/** True for objects of all classes: also arrays and typed arrays. False for a Proxy that was revoked. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !isRevoked(value);
}

/** True for a Proxy of a typed array and whatever else only inherits from one: it looks iterable, and iterating over it throws. */
export function isFalseArray(value: unknown): boolean {
  if (!isObject(value) || types.isTypedArray(value)) return false;
  try {
    return 'BYTES_PER_ELEMENT' in value;
  } catch {
    return false;
  }
}

/** True for an integer from `min` to `max`. */
export function isInteger(value: unknown, min: number, max = Number.MAX_SAFE_INTEGER): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}

/** Returns `value`, an integer from `min` to `max`, or `fallback` for undefined. */
export function checkInteger<F extends number | undefined>(
  name: string,
  value: unknown,
  min: number,
  max: number,
  fallback: F,
): number | F {
  if (value === undefined) return fallback;
  if (typeof value !== 'number') throw invalidArgType(name, 'a number', value);
  if (!isInteger(value, min, max)) {
    throw outOfRange(name, `an integer from ${min} to ${max}`, value);
  }
  return value;
}

/** Returns `value`, a required integer from `min` to `max`. */
export function neededInteger(name: string, value: unknown, min: number, max: number): number {
  const given = checkInteger(name, value, min, max, undefined);
  if (given === undefined) throw invalidArgType(name, 'a number', value);
  return given;
}

/** Returns `value`, one of `choices`, or `fallback` for undefined. */
export function checkChoice<T extends string>(name: string, value: unknown, choices: readonly T[], fallback: T): T {
  if (value === undefined) return fallback;
  if (typeof value !== 'string') throw invalidArgType(name, 'a string', value);
  if (isOneOf(choices, value)) return value;
  throw invalidArgValue(name, `one of ${choices.map((choice) => `"${choice}"`).join(', ')}`, value);
}

/** True if `value` is among `choices`. */
export function isOneOf<T extends string>(choices: readonly T[], value: unknown): value is T {
  return choices.some((choice) => choice === value);
}

/** Returns `value`, a boolean, or `fallback` for undefined. */
export function checkBoolean(name: string, value: unknown, fallback: boolean): boolean {
  if (value === undefined) return fallback;
  if (typeof value !== 'boolean') throw invalidArgType(name, 'a boolean', value);
  return value;
}

/** True if `for` or `for await` can iterate over `value`. False for a Proxy of a typed array, over which they throw. */
export function isIterable(value: object): value is Iterable<unknown> | AsyncIterable<unknown> {
  if (isRevoked(value) || isFalseArray(value)) return false;
  return isAsyncIterable(value) || hasIterator(value);
}

/** True if `for await` iterates over `value` by its own method. */
export function isAsyncIterable(value: object): value is AsyncIterable<unknown> {
  return Symbol.asyncIterator in value && typeof value[Symbol.asyncIterator] === 'function';
}

/** True if `for` iterates over `value` by its own method. */
export function hasIterator(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value && typeof value[Symbol.iterator] === 'function';
}

/** Returns `value`, a function, or undefined. @throws TypeError ERR_INVALID_ARG_TYPE */
export function checkCallback<T>(name: string, value: T): T {
  if (value !== undefined && typeof value !== 'function') throw invalidArgType(name, 'a function', value);
  return value;
}

/** Returns `value`, an AbortSignal of any realm, or undefined. */
export function checkSignal(name: string, value: unknown): AbortSignal | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || !('aborted' in value) || !('addEventListener' in value)) {
    throw invalidArgType(name, 'an AbortSignal', value);
  }
  return value as AbortSignal;
}

/**
 * Checks that `text` has no lone surrogates. UTF-8 cannot express these, and encoders silently replace them with U+FFFD.
 * @throws TypeError ERR_INVALID_ARG_VALUE
 */
export function checkWellFormed(name: string, text: string): void {
  if (text.isWellFormed()) return;
  throw invalidArgValue(name, 'text without lone surrogates, which UTF-8 cannot express', text);
}

/** Longest absolute path, in bytes. Linux opens up to 4,095; the rest is for the files in a disk cache's folder. */
const MAX_FULL_PATH = 4000;

/** True for a URL. Duck typing, so that URLs of other realms and of polyfills count. */
export function isUrl(value: unknown): value is URL {
  return isObject(value) && 'href' in value && 'protocol' in value && 'searchParams' in value;
}

/** Returns the path that argument `name` means. @throws TypeError ERR_INVALID_ARG_VALUE if it cannot be a path. */
export function pathOf(value: string | URL, name: string): string {
  const path = typeof value === 'string' ? value : pathOfUrl(value, name);
  if (path === '') throw invalidArgValue(name, 'the name of a file, not empty', path);
  if (path.includes('\0')) throw invalidArgValue(name, 'a path without null bytes', path);
  // Node would replace lone surrogates with U+FFFD, and so open another file.
  checkWellFormed(name, path);
  return path;
}

function pathOfUrl(url: URL, name: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw invalidArgValue(name, 'a URL that names a file (file:///…)', url.href);
  }
}

/** Returns the working directory, or undefined if it was deleted. */
export function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/**
 * Returns the absolute form of `path`, which is relative to `folder`. It stays right when the process changes its
 * directory. The URL of an object stays as it is. If it would be too long to open, returns what {@link locate} returns.
 */
export function fullPath(path: string, folder: string | undefined): string {
  if (folder === undefined || isAbsolute(path) || objectScheme(path) !== undefined) return path;
  const full = relativeParts(path, folder).join('/');
  return Buffer.byteLength(full) <= MAX_FULL_PATH ? full : locate(path, folder);
}

/** Returns `path`, which is relative to `folder`, as seen from the working directory: absolute after `process.chdir`. */
export function locate(path: string, folder: string | undefined): string {
  if (folder === undefined || isAbsolute(path) || objectScheme(path) !== undefined || workingFolder() === folder)
    return path;
  return relativeParts(path, folder).join('/');
}

/**
 * Splits `path`, which is not absolute, into the folder that it is relative to, and the rest. That is `folder`, but on
 * Windows `C:a` is relative to the working folder of drive C.
 */
export function relativeParts(path: string, folder: string): [base: string, rest: string] {
  const drive = process.platform === 'win32' ? /^[a-z]:/i.exec(path)?.[0] : undefined;
  return drive === undefined ? [folder, path] : [resolve(folder, drive), path.slice(drive.length)];
}
