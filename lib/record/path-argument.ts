import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';

import { invalidArgValue } from '../errors';
import { checkWellFormed } from './validate';

/** Longest full form of a path, in bytes. Linux opens 4,095; the rest is for the files in the folder of a disk cache. */
const MAX_FULL_PATH = 4000;

/** Duck typing: URLs of other realms and of polyfills count. */
export function isUrl(value: unknown): value is URL {
  return (
    typeof value === 'object' && value !== null && 'href' in value && 'protocol' in value && 'searchParams' in value
  );
}

/** The path that argument `name` means. @throws TypeError ERR_INVALID_ARG_VALUE for what can be none. */
export function pathOf(value: string | URL, name: string): string {
  const path = typeof value === 'string' ? value : pathOfUrl(value, name);
  if (path === '') throw invalidArgValue(name, 'the name of a file, not empty', path);
  if (path.includes('\0')) throw invalidArgValue(name, 'a path without null bytes', path);
  // Node would replace lone surrogates by U+FFFD, and so open another file.
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

/** The working directory; undefined if it was deleted. */
export function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/**
 * The full form of `path`, which is relative to `folder`. It stays right when the process changes its directory. If it
 * may be too long to open, this is what {@link locate} returns.
 */
export function fullPath(path: string, folder: string | undefined): string {
  if (folder === undefined || isAbsolute(path)) return path;
  const full = `${folder}/${path}`;
  return Buffer.byteLength(full) <= MAX_FULL_PATH ? full : locate(path, folder);
}

/** `path`, relative to `folder`, as seen from the working directory: absolute after a `process.chdir`. */
export function locate(path: string, folder: string | undefined): string {
  if (folder === undefined || isAbsolute(path) || workingFolder() === folder) return path;
  return `${folder}/${path}`;
}
