/** Pulls sources as they are stored, for formats other than records. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

import { folderError, fromNodeError, fullPath } from '../../base';
import { pullBytes, type ChunkPull } from './pull-bytes';
import { pullSpecial, withErrors } from './pull-device';
import { pullNodeStream } from './pull-stream';
import type { ClassifiedSource } from './record-source';
import { pullStandardInput } from './standard-input';

/** Bytes that are read of a file at once. */
const READ_BYTES = 1024 * 1024;

/**
 * Opens input number `index` of `source`, whose paths are no patterns. Resolves with the pull of its bytes, which are not
 * decompressed. Rejects with a TFRecordError for an error of the file system.
 */
export async function pullStored(source: ClassifiedSource, index: number): Promise<ChunkPull> {
  if (source.kind === 'bytes') return pullBytes(source.bytes, source.length, '<bytes>');
  if (source.kind === 'chunks') return source.open();
  const { path: file } = source.paths[index]!;
  if (file === '-') return pullStandardInput();
  const at = fullPath(file, source.folder);
  const stats = await stat(at).catch((cause: unknown) => {
    throw fromNodeError(cause, file, 'open');
  });
  if (stats.isDirectory()) throw folderError(file);
  if (!stats.isFile()) return pullSpecial(file, at, stats.isFIFO());
  return withErrors(file, pullNodeStream(createReadStream(at, { highWaterMark: READ_BYTES })));
}
