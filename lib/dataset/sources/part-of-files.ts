/** One part of the records of files, which reads only its own bytes. */
import { invalidArgValue, locate } from '../../base';
import { lookAtInput, type ClassifiedSource } from '../../io';
import {
  divideFiles,
  PartCutter,
  type DividedFiles,
  type ErrorPolicy,
  type RecordBatch,
  type RecordSequence,
  type SizedFile,
} from '../../record';
import type { FilePart, Run } from '../engine/run';
import { expandWhenPossible, type Paths } from './file-sources';

/**
 * Divides the files of `paths`, and returns `part` of them. No index is used, because processes that see different ones would
 * divide in different ways. @throws TFRecordError if a file cannot be read; TypeError if one is not a regular file
 */
export async function divideAmong(paths: Paths, part: FilePart, run: Run): Promise<DividedFiles> {
  const { folder } = run.scope;
  const files: SizedFile[] = [];
  for (const { path, error } of await expandWhenPossible(paths, run)) {
    if (error !== undefined) throw error;
    const identity = await lookAtInput(path, folder);
    if (identity?.kind !== 'file') {
      throw invalidArgValue(
        'options.by',
        '"record" here: this is not a regular file, whose bytes could be divided',
        path,
      );
    }
    files.push({ file: locate(path, folder), bytes: identity.size });
  }
  return divideFiles(files, part, false);
}

/** Returns `source` with the files of `part` alone. */
export function filesOfPart(source: ClassifiedSource, { first, last }: DividedFiles): ClassifiedSource {
  return source.kind === 'paths' ? { ...source, pick: (files) => files.slice(first, last) } : source;
}

/** The batches of the files of a part, up to its end. */
export class PartSequence implements Pick<RecordSequence, 'next' | 'place' | 'compression' | 'files' | 'close'> {
  readonly #sequence: RecordSequence;
  readonly #part: DividedFiles;
  readonly #policy: ErrorPolicy;
  readonly #skippedBefore: number;
  /** Cuts the last file, once it has begun. */
  #cutter: PartCutter | undefined;

  constructor(sequence: RecordSequence, part: DividedFiles, policy: ErrorPolicy) {
    this.#sequence = sequence;
    this.#part = part;
    this.#policy = policy;
    this.#skippedBefore = policy.skipped;
  }

  get place(): RecordSequence['place'] {
    return this.#sequence.place;
  }

  get compression(): RecordSequence['compression'] {
    return this.#sequence.compression;
  }

  get files(): readonly string[] {
    return this.#sequence.files;
  }

  async next(): Promise<RecordBatch | undefined> {
    const batch = this.#cutter?.over === true ? undefined : await this.#sequence.next();
    if (batch === undefined) {
      if (!this.#sequence.closed) this.#cutter?.finish(this.#policy.skipped > this.#skippedBefore);
      return undefined;
    }
    const { end, first, last } = this.#part;
    if (end === undefined || this.place.input !== last - first - 1) return batch;
    const own = (this.#cutter ??= new PartCutter(batch.origin(0)!.file, end)).cut(batch);
    return own ?? this.next();
  }

  close(): Promise<void> {
    return this.#sequence.close();
  }
}
