import { fileURLToPath } from 'node:url';

import { invalidArgValue } from '../errors';

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
  return path;
}

function pathOfUrl(url: URL, name: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw invalidArgValue(name, 'a URL that names a file (file:///…)', url.href);
  }
}
