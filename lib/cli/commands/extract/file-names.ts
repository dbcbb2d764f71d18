/** Makes names of files for values: by a template, safe on every system, with an extension by the content. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { InvalidArgumentError } from 'commander';

import { TFRecordError } from '../../../base';
import type { DecodedSequenceExample } from '../../../example';
import { isPrintable } from '../../../tensor';
import { onDemand } from '../../on-demand';

/** Values for a template that are not features. */
export interface RecordPlace {
  /** Number of the record over all files. */
  readonly record: number;
  /** Name of its file, without folders. */
  readonly file: string;
}

type NamePart = { readonly text: string } | { readonly feature: string } | { readonly place: keyof RecordPlace };

/** Number of digits of record numbers, so that names sort like the records. */
const DIGITS = 8;

/** A template of paths: text, `{record}`, `{file}`, and `{NAME}` or `{feature:NAME}` for the value of a feature. */
export class NameTemplate {
  /** The features that the template names. */
  readonly features: readonly string[];
  /** True if no two records can have the same name. */
  readonly isUnique: boolean;
  /** The parts of each segment of the path. */
  readonly #segments: readonly (readonly NamePart[])[];

  private constructor(segments: readonly (readonly NamePart[])[]) {
    this.#segments = segments;
    const parts = segments.flat();
    this.features = parts.flatMap((part) => ('feature' in part ? part.feature : []));
    const [only] = parts;
    this.isUnique = parts.length === 1 && 'place' in only! && only.place === 'record';
  }

  /** Parses a template. @throws InvalidArgumentError */
  static parse(text: string): NameTemplate {
    // Names of features may have slashes, so they are parsed before the path is split into segments.
    const segments: NamePart[][] = [[]];
    for (const [piece, name] of text.matchAll(/\{([^{}]*)\}|[^{}]+|[{}]/g)) {
      if (name !== undefined) segments.at(-1)!.push(placeholder(name));
      else if (piece === '{' || piece === '}')
        throw new InvalidArgumentError('Use braces only around the names of features.');
      else {
        const [first, ...others] = piece.split('/');
        segments.at(-1)!.push({ text: first! });
        for (const text of others) segments.push([{ text }]);
      }
    }
    for (const segment of segments) {
      const literal = segment.map((part) => ('text' in part ? part.text : '?')).join('');
      if (['', '.', '..'].includes(literal)) {
        throw new InvalidArgumentError(
          'The path must not have empty parts, . or .., because files are written inside the folder',
        );
      }
    }
    return new NameTemplate(segments);
  }

  /** Adds a folder before the path, named by the value of `feature`. */
  inFolderOf(feature: string): NameTemplate {
    return new NameTemplate([[{ feature }], ...this.#segments]);
  }

  /** Returns the segments of the path for a record. @throws TFRecordError TFR_FEATURE */
  segments({ context }: DecodedSequenceExample, place: RecordPlace): string[] {
    return this.#segments.map((segment) => {
      const text = segment.map((part) => {
        if ('text' in part) return part.text;
        if ('feature' in part) return nameText(context, part.feature);
        return part.place === 'file' ? place.file : String(place.record).padStart(DIGITS, '0');
      });
      return safeSegment(text.join(''));
    });
  }
}

function placeholder(name: string): NamePart {
  if (name === 'record' || name === 'file') return { place: name };
  return { feature: name.replace(/^feature:/, '') };
}

/** Returns the single value of a feature as text. @throws TFRecordError TFR_FEATURE */
function nameText(context: DecodedSequenceExample['context'], name: string): string {
  const feature = context[name];
  const value = feature?.values.length === 1 ? feature.values.at(0)! : undefined;
  const isText = !(value instanceof Uint8Array) || isUtf8(value);
  if (value !== undefined && isText) {
    return value instanceof Uint8Array
      ? new TextDecoder().decode(value)
      : onDemand.example.valueJson(value, true).replaceAll('"', '');
  }
  const expected = '1 value that is text or a number, for the name of a file';
  const absent = Object.hasOwn(context, name) ? 'a feature without a kind' : 'no such feature';
  const found = feature === undefined ? absent : isText ? `${feature.values.length} values` : 'bytes that are no text';
  throw new TFRecordError('TFR_FEATURE', `Feature ${JSON.stringify(name)}: expected ${expected}, found ${found}.`, {
    feature: name,
    expected,
    found,
  });
}

/** Matches characters that a system does not allow in a name, or that change the direction of text. */
const UNSAFE = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069/\\:*?"<>|]/g;
/** Matches names of devices on Windows, with any extension. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(\.|$)/i;
/** Maximum bytes of a name without its number and extension. Systems allow 255. */
const MAX_NAME = 180;

/**
 * Returns `text` as a safe name of one file: on every system, it stays in its folder, is not hidden, and is not a
 * device. Different texts may get the same name.
 */
export function safeSegment(text: string): string {
  let name = text.replace(UNSAFE, '_').replace(/[. ]+$/, (end) => '_'.repeat(end.length));
  if (name === '' || name.startsWith('.') || DEVICE.test(name)) name = `_${name}`;
  if (Buffer.byteLength(name) <= MAX_NAME) return name;
  // A hash distinguishes long names whose beginnings are equal.
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  let short = '';
  for (const character of name) {
    if (Buffer.byteLength(short) + Buffer.byteLength(character) > MAX_NAME - 17) break;
    short += character;
  }
  return `${short}-${hash}`;
}

/** Signatures of contents: the extension, and pairs of an offset and the bytes there, in Latin-1. */
const SIGNATURES: readonly (readonly [extension: string, ...parts: readonly (readonly [number, string])[]])[] = [
  ['jpg', [0, '\xff\xd8\xff']],
  ['png', [0, '\x89PNG\r\n\x1a\n']],
  ['gif', [0, 'GIF87a']],
  ['gif', [0, 'GIF89a']],
  ['webp', [0, 'RIFF'], [8, 'WEBP']],
  ['wav', [0, 'RIFF'], [8, 'WAVE']],
  ['avi', [0, 'RIFF'], [8, 'AVI ']],
  ['tif', [0, 'II*\0']],
  ['tif', [0, 'MM\0*']],
  ['bmp', [0, 'BM'], [6, '\0\0\0\0']],
  ['jp2', [0, '\0\0\0\x0cjP  \r\n\x87\n']],
  ['avif', [4, 'ftypavif']],
  ['heic', [4, 'ftyphei']],
  ['mov', [4, 'ftypqt  ']],
  ['mp4', [4, 'ftyp']],
  ['webm', [0, '\x1a\x45\xdf\xa3']],
  ['mp3', [0, 'ID3']],
  ['flac', [0, 'fLaC']],
  ['ogg', [0, 'OggS']],
  ['npy', [0, '\x93NUMPY']],
  ['pdf', [0, '%PDF-']],
  ['zip', [0, 'PK\x03\x04']],
  ['gz', [0, '\x1f\x8b\x08']],
];

/** Returns the extension for a value, without a dot: by its first bytes; `txt` for text, else `bin`. */
export function extensionOf(value: Uint8Array): string {
  const head = Buffer.from(value.buffer, value.byteOffset, Math.min(value.length, 16)).toString('latin1');
  for (const [extension, ...parts] of SIGNATURES) {
    if (parts.every(([at, bytes]) => head.startsWith(bytes, at))) return extension;
  }
  return value.length > 0 && isPrintable(value) ? 'txt' : 'bin';
}

const SAME: Readonly<Record<string, string>> = { jpeg: 'jpg', jpe: 'jpg', tiff: 'tif' };

/** Returns `name` with an extension, unless it already ends with it. */
export function withExtension(name: string, extension: string): string {
  const own = /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return (SAME[own] ?? own) === (SAME[extension] ?? extension) ? name : `${name}.${extension}`;
}
