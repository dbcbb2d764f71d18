import { isAbsolute, resolve } from 'node:path';

import {
  fromNodeError,
  invalidArgType,
  invalidArgValue,
  isObject,
  isUrl,
  objectScheme,
  pathOf,
  shownUrl,
} from '../../base';
import { isVerbatim } from '../files/glob';
import { ObjectOutput } from '../remote/object-output';
import type { ObjectStore } from '../remote/object-store';
import { NodeOutput } from './node-output';
import type { Output } from './output';
import { WebOutput } from './web-output';

/**
 * A target of records: a path or file URL; an `s3:`, `gs:` or `az:` URL, whose object is uploaded in parts and appears whole
 * when the writer is closed; or a stream that takes the bytes of the file. `close` ends the stream.
 */
export type WriteTarget = string | URL | WritableStream<Uint8Array> | NodeJS.WritableStream;

/** A target that was recognised and checked, but not opened. */
export interface ClassifiedTarget {
  /** The name in messages: the path as it was given, or `<stream>`. */
  readonly file: string;
  /**
   * The absolute path, because the working directory may change before the file gets its name. Undefined for a stream.
   */
  readonly path: string | undefined;
  /** The URL of an object in a store, which `open` uploads. */
  readonly url?: string;
  /** Returns the output of a stream, which it locks; undefined for a file. */
  readonly open: () => Output | undefined;
  /** Bytes of the file that were there before, if records are appended. */
  readonly bytesBefore?: number;
  /** A sentence that says what happens to the target if nobody closes it. Default: that of a file, or of a stream. */
  readonly fate?: string;
  /** The target is a stream of ours that owns the writer: they are collected together, and there is nothing to give up. */
  readonly ownsWriter?: true;
}

const TARGETS = 'a path, a file URL, a WritableStream or a Node Writable';

/** Recognises `target`. @throws TypeError with Node's codes if it is not a target. */
export function classifyTarget(target: unknown): ClassifiedTarget {
  if (typeof target === 'string' && /[*?][^/]*$/.test(target) && !isVerbatim(target)) {
    throw invalidArgValue('target', 'the name of one file, not a pattern; Dataset.writeTo() writes shards', target);
  }
  const url = objectUrl(target);
  if (url !== undefined) return atUrl(url);
  if (typeof target === 'string' || isUrl(target)) return atPath(pathOf(target, 'target'));
  if (!isObject(target)) throw invalidArgType('target', TARGETS, target);
  if (isWebStream(target)) {
    const url = objectTargets.get(target);
    const known = url === undefined ? { file: '<stream>', path: undefined } : atUrl(url);
    return { ...known, open: () => new WebOutput(target) };
  }
  if (isNodeStream(target)) return { file: '<stream>', path: undefined, open: () => new NodeOutput(target) };
  throw invalidArgType('target', TARGETS, target);
}

/** Returns `target` if it is the URL of an object in a store. */
export function objectUrl(target: unknown): string | undefined {
  const url = typeof target === 'string' ? target : isUrl(target) ? target.href : '';
  return objectScheme(url) === undefined ? undefined : url;
}

/** The URLs of the streams that `objectTarget` made. */
const objectTargets = new WeakMap<object, string>();

/**
 * Returns a stream that uploads the object at `url` of `store`, which appears whole when it is closed. Writers know its URL,
 * so a name that ends in `.gz` means GZIP.
 */
export function objectTarget(url: string, store: ObjectStore): WritableStream<Uint8Array> {
  const output = new ObjectOutput(url, store);
  const stream = new WritableStream<Uint8Array>({
    write: (chunk) => output.write(chunk),
    close: () => output.end(),
    abort: (reason) => output.abort(reason),
  });
  objectTargets.set(stream, url);
  return stream;
}

function atUrl(url: string): ClassifiedTarget {
  const open = (): Output => new ObjectOutput(url);
  return { file: shownUrl(url), path: undefined, url, open, fate: 'The upload is given up.' };
}

function atPath(path: string): ClassifiedTarget {
  return { file: path, path: absolute(path), open: () => undefined };
}

/**
 * Returns the absolute form of `path`. Keeps a slash at the end, which means a folder: opening it must fail. Except on
 * Windows, keeps `..`, because after a link to a folder it leads elsewhere than the text says. On Windows, keeps devices
 * (`\\.\NUL`) and paths that begin with `\\?\`: `resolve` would take them for names of servers.
 */
function absolute(path: string): string {
  if (process.platform !== 'win32') return isAbsolute(path) ? path : `${workingFolder(path)}/${path}`;
  if (/^\\\\[.?]\\/.test(path)) return path;
  return /[/\\]$/.test(path) && path.length > 1 ? `${resolve(path)}/` : resolve(path);
}

/** Returns the working directory. @throws TFRecordError ENOENT, naming `path`, if it was deleted. */
function workingFolder(path: string): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw fromNodeError(cause, path, 'open', 'The working directory was deleted.');
  }
}

// The checks below use duck typing, so that objects of other realms and of polyfills count.

function isWebStream(value: object): value is WritableStream<Uint8Array> {
  return 'getWriter' in value && typeof value.getWriter === 'function';
}

function isNodeStream(value: object): value is NodeJS.WritableStream {
  return 'write' in value && typeof value.write === 'function' && 'end' in value && 'on' in value;
}
