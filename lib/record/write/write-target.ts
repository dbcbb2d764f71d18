import { isAbsolute, resolve } from 'node:path';

import { invalidArgType, invalidArgValue } from '../../errors';
import { isUrl, pathOf } from '../arguments';
import { fromNodeError } from '../faults';
import { NodeOutput } from './node-output';
import { WebOutput } from './web-output';

/** Where records go: a path or file URL, or a stream, which takes the bytes of the file and is ended by `close`. */
export type WriteTarget = string | URL | WritableStream<Uint8Array> | NodeJS.WritableStream;

/** A target, recognised and checked; nothing was opened. */
export interface ClassifiedTarget {
  /** For messages: the path as it was given, or `<stream>`. */
  readonly file: string;
  /** Absolute, because the working directory may change before the file gets its name; undefined for a stream. */
  readonly path: string | undefined;
  /** Takes hold of the stream. */
  readonly open: () => Output | undefined;
}

const TARGETS = 'a path, a file URL, a WritableStream or a Node Writable';

/** @throws TypeError with Node's codes for what is no target. */
export function classifyTarget(target: unknown): ClassifiedTarget {
  if (typeof target === 'string' && /[*?][^/]*$/.test(target)) {
    throw invalidArgValue('target', 'the name of one file, not a pattern; Dataset.writeTo() writes shards', target);
  }
  if (typeof target === 'string' || isUrl(target)) return atPath(pathOf(target, 'target'));
  if (typeof target !== 'object' || target === null) throw invalidArgType('target', TARGETS, target);
  if (isWebStream(target)) return { file: '<stream>', path: undefined, open: () => new WebOutput(target) };
  if (isNodeStream(target)) return { file: '<stream>', path: undefined, open: () => new NodeOutput(target) };
  throw invalidArgType('target', TARGETS, target);
}

function atPath(path: string): ClassifiedTarget {
  return { file: path, path: absolute(path), open: () => undefined };
}

/**
 * Keeps the slash at the end, which says that a folder is meant: opening it must fail. Keeps `..`, too, where that is for
 * the system to follow: behind a link to a folder it leads elsewhere than the text says. (Windows goes by the text.)
 */
function absolute(path: string): string {
  if (process.platform !== 'win32') return isAbsolute(path) ? path : `${workingFolder(path)}/${path}`;
  return /[/\\]$/.test(path) && path.length > 1 ? `${resolve(path)}/` : resolve(path);
}

/** @throws TFRecordError ENOENT, naming `path`, if the folder is gone. */
function workingFolder(path: string): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw fromNodeError(cause, path, 'open', 'The working directory was deleted.');
  }
}

// Duck typing throughout: objects of other realms and of polyfills count.

function isWebStream(value: object): value is WritableStream<Uint8Array> {
  return 'getWriter' in value && typeof value.getWriter === 'function';
}

function isNodeStream(value: object): value is NodeJS.WritableStream {
  return 'write' in value && typeof value.write === 'function' && 'end' in value && 'on' in value;
}

/**
 * A stream that takes a writer's bytes. Calls come one at a time, but for `abort`. The first failure rejects whatever
 * is pending and all that follows, each time with the same error.
 */
export interface Output {
  /** Passes `chunk` on, which the stream may keep; settles when the stream wants more. */
  write(chunk: Uint8Array): Promise<void>;
  /** Settles when all that was written before has been taken. */
  flush(): Promise<void>;
  /** Ends the stream; settles when it has finished. */
  end(): Promise<void>;
  /** Gives the stream up: pending calls reject. Never fails. */
  abort(reason: unknown): void;
}
