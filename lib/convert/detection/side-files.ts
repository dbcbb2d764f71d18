/** Reads the small files with the annotations of one picture each. */
import { readFile, stat } from 'node:fs/promises';

import { fromNodeError, type TFRecordError } from '../../base';
import type { PictureList } from '../images/picture-list';
import type { AnnotationReader, Annotated } from './annotated';
import { faultOf } from './box';

/** Maximum size of such a file. */
export const MAX_BYTES = 16 * 1024 * 1024;
/** Number of files that are read at once. */
const AT_ONCE = 64;

/** A file of annotations. */
export interface SideFile {
  /** The name for errors. */
  readonly file: string;
  readonly path: string;
}

/** Reads a file, which others wrote. @throws TFRecordError TFR_RECORD_TOO_LARGE, TFR_DECODE; the errors of the file system */
export async function readSideFile({ file, path }: SideFile): Promise<string> {
  let bytes: Buffer;
  try {
    const stats = await stat(path);
    // Opening a pipe might never end.
    if (!stats.isFile())
      throw faultOf(file, 'the file', { file, expected: 'a regular file', found: 'another kind', code: 'TFR_DECODE' });
    if (stats.size > MAX_BYTES) throw tooLarge(file, stats.size);
    bytes = await readFile(path);
  } catch (error) {
    throw fromNodeError(error, file, 'open');
  }
  if (bytes.length > MAX_BYTES) {
    throw tooLarge(file, bytes.length);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw faultOf(file, 'the text', { file, expected: 'UTF-8', found: 'other bytes', code: 'TFR_DECODE' });
  }
}

function tooLarge(file: string, size: number): TFRecordError {
  const [expected, found] = [`at most ${MAX_BYTES} bytes`, `${size}`];
  return faultOf(file, 'the size', { file, expected, found, code: 'TFR_RECORD_TOO_LARGE' });
}

/** Reads files ahead, some at once. */
export class SideFileReader implements AnnotationReader {
  readonly #count: number;
  readonly #fileOf: (i: number) => SideFile | undefined;
  readonly #parse: (i: number, text: string | undefined) => Annotated;
  #texts = new Map<number, string | TFRecordError | undefined>();

  /** `fileOf`: the file of picture `i`, if it has one. `parse`: makes its annotations of the text. */
  constructor(
    count: number,
    fileOf: (i: number) => SideFile | undefined,
    parse: (i: number, text: string | undefined) => Annotated,
  ) {
    this.#count = count;
    this.#fileOf = fileOf;
    this.#parse = parse;
  }

  ahead(i: number): Promise<void> | undefined {
    return this.#texts.has(i) ? undefined : this.#load(i);
  }

  of(i: number): Annotated {
    const text = this.#texts.get(i);
    this.#texts.delete(i);
    if (text !== undefined && typeof text !== 'string') throw text;
    return this.#parse(i, text);
  }

  async #load(first: number): Promise<void> {
    const end = Math.min(first + AT_ONCE, this.#count);
    const texts = await Promise.all(
      Array.from({ length: end - first }, async (_, k) => {
        const file = this.#fileOf(first + k);
        try {
          return file === undefined ? undefined : await readSideFile(file);
        } catch (error) {
          return error as TFRecordError;
        }
      }),
    );
    this.#texts = new Map(texts.map((text, k) => [first + k, text]));
  }
}

/** The paths in `list` as texts; undefined for those that are not UTF-8. */
export function pathsOf(list: PictureList): (string | undefined)[] {
  return Array.from({ length: list.length }, (_, i) => {
    const path = list.path(i);
    const text = path.toString();
    return Buffer.from(text).equals(path) ? text : undefined;
  });
}
