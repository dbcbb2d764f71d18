import { stat } from 'node:fs/promises';

import { folderError, fromNodeError, fullPath, workingFolder, type TFRecordError } from '../../base';
import {
  expandPath,
  pullBytes,
  pullSpecial,
  pullStandardInput,
  type ChunkPull,
  type ClassifiedSource,
  type RangedSource,
} from '../../io';
import type { ReadStart } from '../../native';
import type { InputStream, Portion, StreamOpener } from './input-stream';

/** A file or stream to read that has not been opened yet. */
export interface Input {
  readonly file: string;
  /** The error in place of a file: `open` throws it. */
  readonly error?: TFRecordError | undefined;
  /** Opens the input. Rejects with a TFRecordError for an error of the file system, else with the source's own error. */
  open<P extends Portion>(opener: StreamOpener<P>, start?: ReadStart): Promise<InputStream<P>>;
  /** Size in bytes; undefined if it is unknown. */
  size(): Promise<number | undefined>;
}

/**
 * Returns the inputs of `source` in reading order, with patterns and shard sets expanded. Rejects with TFR_CLOSED soon
 * after `isOver` returns true.
 */
export async function inputsOf(source: ClassifiedSource, isOver: () => boolean): Promise<Input[]> {
  switch (source.kind) {
    case 'bytes': {
      const { bytes, length } = source;
      return [chunkInput('<bytes>', length, () => pullBytes(bytes, length, '<bytes>'))];
    }
    case 'chunks':
      if (source.ranges !== undefined) return [rangedInput(source.ranges)];
      return [chunkInput(source.file, source.size, source.open)];
    case 'paths': {
      const inputs: Input[] = [];
      const folder = source.folder ?? workingFolder();
      for (const name of source.paths) {
        for (const { path, error } of await expandPath(name, isOver, folder))
          inputs.push(pathInput(path, error, folder));
      }
      return [...(source.pick?.(inputs) ?? inputs)];
    }
  }
}

function chunkInput(file: string, size: number | undefined, open: () => ChunkPull): Input {
  return {
    file,
    open: async (opener) => opener.openFed(file, open, size),
    size: () => Promise.resolve(size),
  };
}

function rangedInput(source: RangedSource): Input {
  return {
    file: source.name,
    open: async (opener, start) => opener.openRanges(source, start),
    size: () => Promise.resolve(source.size),
  };
}

/** Relative paths are relative to `folder`, even if the process has changed its directory since. */
function pathInput(file: string, error: TFRecordError | undefined, folder: string | undefined): Input {
  if (file === '-') return chunkInput('-', undefined, pullStandardInput);
  return {
    file,
    error,
    async open(opener, start) {
      if (error !== undefined) throw error;
      const at = fullPath(file, folder);
      const stats = await stat(at).catch((cause: unknown) => {
        throw fromNodeError(cause, file, 'open');
      });
      if (stats.isDirectory()) throw folderError(file);
      if (stats.isFile()) return opener.openFile(file, stats.size, start, at);
      return opener.openFed(file, () => pullSpecial(file, at, stats.isFIFO()), undefined);
    },
    async size() {
      if (error !== undefined) return undefined;
      const stats = await stat(fullPath(file, folder)).catch(() => undefined);
      return stats?.isFile() === true ? stats.size : undefined;
    },
  };
}
