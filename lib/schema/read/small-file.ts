/** Reads the small files that describe data: schemas and statistics. */
import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { TextDecoder } from 'node:util';

import { fromNodeError, invalidArgType, isUrl, TFRecordError } from '../../base';

export function pathOf(path: unknown): string {
  if (isUrl(path)) return fileURLToPath(path);
  if (typeof path === 'string') return path;
  throw invalidArgType('path', 'a string or a URL', path);
}

export async function statOf(file: string): Promise<Stats> {
  try {
    return await stat(file);
  } catch (error) {
    throw fromNodeError(error, file);
  }
}

/** The text of UTF-8; undefined for other bytes. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** True for text that starts with a comment or a field of a message. */
export function isProtoText(text: string): boolean {
  return /^\s*(?:#|[a-z_]+\s*[:{<[]|$)/.test(text);
}

/** Adds the name of the file to `error`. */
export function inFile(error: unknown, file: string): unknown {
  if (!(error instanceof TFRecordError) || error.file !== undefined) return error;
  const { code, message, feature, expected, found, cause } = error;
  return new TFRecordError(code, `${file}: ${message}`, { file, feature, expected, found, cause });
}
