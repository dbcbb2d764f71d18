import { createReadStream } from 'node:fs';

import { folderError, fullPath, objectScheme } from '../../base';
import { Identity } from '../files/identity';
import { RemoteSource } from '../remote/remote-source';
import type { ByteSource, ChunkPull } from './byte-source';
import { specialFile, withErrors } from './pull-device';
import { pullNodeStream } from './pull-stream';
import type { ClassifiedSource } from './record-source';
import { standardInput } from './standard-input';

/** Bytes that are read of a file at once. */
const READ_BYTES = 1024 * 1024;

/** A regular file by its path. Readers of records let native threads read it. */
export class FileSource implements ByteSource {
  readonly name: string;
  readonly size: number;
  readonly repeatable = true;
  readonly #at: string;
  readonly #identity: Identity;

  /** `at`: the path to open. `name`: as the caller gave it. */
  constructor(name: string, at: string, identity: Identity) {
    this.name = name;
    this.size = identity.size;
    this.#at = at;
    this.#identity = identity;
  }

  identity(): Promise<Identity> {
    return Promise.resolve(this.#identity);
  }

  pull(from: number): ChunkPull {
    const stream = createReadStream(this.#at, { start: from, highWaterMark: READ_BYTES });
    return withErrors(this.name, pullNodeStream(stream));
  }
}

/**
 * Returns input number `index` of `source`, whose paths are no patterns. Rejects with a TFRecordError if it is missing, or
 * a folder.
 */
export async function storedSource(source: ClassifiedSource, index: number): Promise<ByteSource> {
  if (source.kind === 'bytes') return source.source;
  const { path: file } = source.paths[index]!;
  if (file === '-') return standardInput();
  if (objectScheme(file) !== undefined) return new RemoteSource(file).known();
  const at = fullPath(file, source.folder);
  const identity = await Identity.of(file, at);
  if (identity.kind === 'folder') throw folderError(file);
  return identity.kind === 'file'
    ? new FileSource(file, at, identity)
    : specialFile(file, at, identity.kind === 'pipe');
}

/** Opens that input, to pull its bytes as they are stored. Rejects as {@link storedSource} does. */
export async function pullStored(source: ClassifiedSource, index: number): Promise<ChunkPull> {
  return (await storedSource(source, index)).pull(0);
}
