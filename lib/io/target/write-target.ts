import { isAbsolute, resolve } from 'node:path';

import { fromNodeError, invalidArgType, invalidArgValue, isObject, isUrl, pathOf } from '../../base';
import { isVerbatim } from '../files/glob';
import { NodeOutput } from './node-output';
import type { Output } from './output';
import { WebOutput } from './web-output';

/** A target of records: a path or file URL, or a stream that takes the bytes of the file. `close` ends the stream. */
export type WriteTarget = string | URL | WritableStream<Uint8Array> | NodeJS.WritableStream;

/** A target that was recognised and checked, but not opened. */
export interface ClassifiedTarget {
  /** The name in messages: the path as it was given, or `<stream>`. */
  readonly file: string;
  /**
   * The absolute path, because the working directory may change before the file gets its name. Undefined for a stream.
   */
  readonly path: string | undefined;
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
  if (typeof target === 'string' || isUrl(target)) return atPath(pathOf(target, 'target'));
  if (!isObject(target)) throw invalidArgType('target', TARGETS, target);
  if (isWebStream(target)) return { file: '<stream>', path: undefined, open: () => new WebOutput(target) };
  if (isNodeStream(target)) return { file: '<stream>', path: undefined, open: () => new NodeOutput(target) };
  throw invalidArgType('target', TARGETS, target);
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
