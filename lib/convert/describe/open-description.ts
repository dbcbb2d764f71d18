/** Merges the parts of a description. */
import { lstat, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Anomaly, DatasetStatistics, InferredSchema } from '../../schema';
import {
  checkNames,
  mergeSchemas,
  mergeStatistics,
  mergeValidations,
  sliceByOf,
  type PartValidation,
} from '../../schema/parts';
import { mismatch, partFolders, partManifest, readParts } from '../job/find-parts';
import type { Part } from '../job/parts';
import { PART_MANIFEST, partFolder } from '../output/names';
import { PART_FILE } from './describe-part';
import {
  isDescriptionAt,
  readDescription,
  type DescribeCommand,
  type DescriptionManifest,
  type FileCount,
} from './description-manifest';

/** The parts of a description, which are complete and belong together. */
export class Description {
  /** The command that made the parts. */
  readonly command: DescribeCommand;
  readonly #output: string;
  readonly #parts: readonly DescriptionManifest[];

  constructor(output: string, parts: readonly DescriptionManifest[]) {
    this.#output = output;
    this.#parts = parts;
    this.command = parts[0]!.command;
  }

  /** The options of the parts, which are the same in all. */
  get options(): DescriptionManifest['options'] {
    return this.#parts[0]!.options;
  }

  /** Number of parts. */
  get count(): number {
    return this.#parts.length;
  }

  get records(): number {
    return this.#parts.reduce((sum, { records }) => sum + records, 0);
  }

  /** Number of bytes that were given up unread, in all parts. */
  get lostBytes(): number {
    return this.#parts.reduce((sum, { lostBytes }) => sum + lostBytes, 0);
  }

  /** The numbers of records of all files, in order. */
  counts(): readonly FileCount[] {
    const all: FileCount[] = [];
    for (const { part, counts = [] } of this.#parts) {
      // A part that begins within a file has it together with the part before.
      const shared = (part?.begin?.[1] ?? 0) > 0 ? all.pop() : undefined;
      const [first, ...rest] = counts;
      if (first !== undefined) all.push(shared === undefined ? first : added(shared, first));
      else if (shared !== undefined) all.push(shared);
      all.push(...rest);
    }
    return all;
  }

  /** The lines about all files, in order. */
  lines(): readonly string[] {
    return this.#parts.flatMap(({ lines = [] }) => lines);
  }

  /** The statistics of all records. @throws TFRecordError, as `statistics` does, and if a file of a part is missing or damaged */
  async statistics(signal: AbortSignal | undefined): Promise<DatasetStatistics> {
    const { features, name, sliceBy } = this.options;
    return mergeStatistics(await this.#paths(), {
      name: typeof name === 'string' ? name : '',
      sliceBy: sliceByOf(sliceBy),
      wanted: checkNames(features ?? undefined),
      files: this.#files(),
      signal,
    });
  }

  /** The schema of all records. @throws TFRecordError if a file of a part is missing or damaged */
  async schema(signal: AbortSignal | undefined): Promise<InferredSchema> {
    return mergeSchemas(await this.#paths(), this.#files(), signal);
  }

  /** The anomalies of all records. @throws TFRecordError, as `validate` does, and if a file of a part is missing or damaged */
  async anomalies(signal: AbortSignal | undefined): Promise<readonly Anomaly[]> {
    const { schema, isRead, environment, features } = this.options;
    if (typeof schema !== 'string') throw mismatch(this.#output, 'their manifests have no schema');
    const agreed: PartValidation = {
      schema,
      isRead: isRead === true,
      environment: typeof environment === 'string' ? environment : undefined,
      wanted: checkNames(features ?? undefined),
    };
    return mergeValidations(await this.#paths(), this.#files(), agreed, signal);
  }

  /** Removes the folders of the parts. Keeps a folder with other files. */
  async remove(): Promise<void> {
    const count = this.#parts.length;
    for (let index = 0; index < count; index++) {
      const folder = partFolder(this.#output, index, count);
      await rm(join(folder, PART_FILE), { force: true });
      await rm(join(folder, PART_MANIFEST), { force: true });
      await rmdir(folder).catch(() => undefined);
    }
  }

  /** The files of the parts, in order. */
  async #paths(): Promise<readonly string[]> {
    const count = this.#parts.length;
    const paths = this.#parts.map((_, index) => join(partFolder(this.#output, index, count), PART_FILE));
    for (const [i, path] of paths.entries()) await checkSize(path, this.#parts[i]!.bytes);
    return paths;
  }

  /** The names of the files that the parts have read. */
  #files(): readonly string[] {
    return this.#parts.flatMap(({ inputs, part }) =>
      inputs.slice((part?.begin?.[1] ?? 0) > 0 ? 1 : 0).map(({ file }) => file),
    );
  }
}

function added(a: FileCount, b: FileCount): FileCount {
  return {
    file: a.file,
    records: a.records + b.records,
    skipped: a.skipped + b.skipped,
    lostBytes: a.lostBytes + b.lostBytes,
  };
}

/**
 * Finds the parts of `output` that {@link describePart} made. Undefined if there are none, or they are those of a conversion.
 * @throws TFRecordError ENOENT if a part is missing; TFR_STATE_MISMATCH if they do not fit together
 */
export async function openDescription(
  output: string,
  signal: AbortSignal | undefined,
): Promise<Description | undefined> {
  const found = await partFolders(output);
  if (!(await areDescriptions(output, found))) return undefined;
  const parts = await readParts(output, found, readDescription, signal);
  for (const [index, { command }] of parts.entries()) {
    const { command: first } = parts[0]!;
    if (command === first) continue;
    throw mismatch(
      partManifest(output, index, parts.length),
      `it is one of tfrecord ${command}, but part 0 is one of tfrecord ${first}`,
    );
  }
  return new Description(output, parts);
}

/** True if the first part that has a manifest is one of a description. */
async function areDescriptions(output: string, found: readonly Part[]): Promise<boolean> {
  for (const { index, count } of found) {
    const isOne = await isDescriptionAt(partManifest(output, index, count));
    if (isOne !== undefined) return isOne;
  }
  return false;
}

/** @throws TFRecordError TFR_STATE_MISMATCH unless the file at `path` has `expected` bytes */
async function checkSize(path: string, expected: number | undefined): Promise<void> {
  const there = await lstat(path).catch(() => undefined);
  if (there?.isFile() === true && there.size === expected) return;
  const found = there === undefined ? 'missing' : there.isFile() ? `of ${there.size} bytes` : 'not a regular file';
  throw mismatch(path, `the file is ${found}, but its manifest says ${expected ?? 0} bytes`);
}
