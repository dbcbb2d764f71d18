import { stat } from 'node:fs/promises';

import type { TFRecordError } from '../errors';
import { folderError, fromNodeError } from './faults';
import type { InputStream, Lane, Read, RecordPlace } from './lane';
import {
  expandPath,
  pullBytes,
  pullDevice,
  pullNodeStream,
  pullPipe,
  type ChunkPull,
  type ClassifiedSource,
} from './source';
import { refuseFolder, takeStandardInput } from './standard-input';

/** Something to read, not opened yet. */
export interface Input {
  readonly file: string;
  /** Rejects with a TFRecordError for what the file system says, with a source's own error else. */
  open<R extends Read>(lane: Lane<R, object>, start?: RecordPlace): Promise<InputStream<R>>;
  /** Size in bytes; undefined when it cannot be known. */
  size(): Promise<number | undefined>;
}

/**
 * The inputs of `source`, patterns and shards expanded, in reading order. Rejects when `isOver` tells that nobody waits.
 */
export async function inputsOf(source: ClassifiedSource, isOver: () => boolean): Promise<Input[]> {
  switch (source.kind) {
    case 'bytes': {
      const { bytes, length } = source;
      return [chunkInput('<bytes>', length, () => pullBytes(bytes, length, '<bytes>'))];
    }
    case 'chunks':
      return [chunkInput('<stream>', source.size, source.open)];
    case 'paths': {
      const inputs: Input[] = [];
      for (const name of source.paths) {
        for (const { path, error } of await expandPath(name, isOver)) inputs.push(pathInput(path, error));
      }
      return [...(source.pick?.(inputs) ?? inputs)];
    }
  }
}

function chunkInput(file: string, size: number | undefined, open: () => ChunkPull): Input {
  return {
    file,
    open: async (lane) => lane.openFed(file, open, size),
    size: () => Promise.resolve(size),
  };
}

function pathInput(path: string, error: TFRecordError | undefined): Input {
  if (path === '-') return chunkInput('-', undefined, pullStandardInput);
  return {
    file: path,
    async open(lane, start) {
      if (error !== undefined) throw error;
      const stats = await stat(path).catch((cause: unknown) => {
        throw fromNodeError(cause, path, 'open');
      });
      if (stats.isDirectory()) throw folderError(path);
      if (stats.isFile()) return lane.openFile(path, stats.size, start);
      return lane.openFed(path, () => pullSpecial(path, stats.isFIFO()), undefined);
    },
    async size() {
      if (error !== undefined) return undefined;
      const stats = await stat(path).catch(() => undefined);
      return stats?.isFile() === true ? stats.size : undefined;
    },
  };
}

function pullStandardInput(): ChunkPull {
  // A worker's is no descriptor.
  const { fd } = process.stdin as { fd?: number };
  if (fd !== undefined) refuseFolder(fd, '-');
  takeStandardInput();
  return renamed('-', pullNodeStream(process.stdin));
}

/** A pipe, a terminal, a device: what native threads would wait on for ever. */
function pullSpecial(path: string, pipe: boolean): ChunkPull {
  try {
    return renamed(path, pipe ? pullPipe(path) : pullDevice(path));
  } catch (cause) {
    throw fromNodeError(cause, path, 'open');
  }
}

/** `pull`, whose system errors become ours. */
function renamed(file: string, pull: ChunkPull): ChunkPull {
  return {
    next: () =>
      pull.next().catch((cause: unknown) => {
        throw fromNodeError(cause, file);
      }),
    close: () => pull.close(),
  };
}
