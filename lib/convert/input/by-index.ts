/** Reads TFRecord files with the help of the indexes that are saved beside them. */
import { loadBeside, type RecordIndex, type SourceStart } from '../../record';
import type { ReadSettings, UnitBatch, UnitReader } from '../format';
import { FramedReader } from './framed-input';
import type { Inputs } from './inputs';

/**
 * Returns the number of records of each of `inputs`, if indexes of all of them know it. With damage left out, it depends on what
 * is read.
 */
export async function countsByIndex(inputs: Inputs, { policy }: ReadSettings): Promise<readonly number[] | undefined> {
  const { files, slice } = inputs;
  const end = slice?.end;
  if (!policy.alwaysThrows || !areFiles(inputs) || isByOffset(inputs)) return undefined;
  const counts: number[] = [];
  for (const [i, { file, bytes, first = 0 }] of files.entries()) {
    await using index = bytes === undefined ? undefined : await usableIndex(file);
    if (index === undefined) return undefined;
    const isLast = i === files.length - 1;
    counts.push((isLast && end !== undefined && 'record' in end ? end.record : index.records) - first);
  }
  return counts;
}

/**
 * Reads the records of inputs from input `first` on. Those before its record `number`, which a job that goes on does not need, are
 * not read or inflated if a place between is known, by the index of the file or from counting its records.
 */
export class JumpingReader implements UnitReader {
  readonly #open: () => Promise<FramedReader>;
  #reader: Promise<FramedReader> | undefined;
  #bytes = 0;

  /** `known`: a place in input `first`, at or before its record `number`. */
  constructor(inputs: Inputs, first: number, number: number, settings: ReadSettings, known?: SourceStart) {
    this.#open = async () => {
      // Damage before the place is not reported, so the policy must not depend on it.
      const start = settings.policy.alwaysThrows ? (known ?? (await placeBefore(inputs, first, number))) : undefined;
      return new FramedReader(inputs, first, settings, { start });
    };
  }

  get bytes(): number {
    return this.#bytes;
  }

  async next(): Promise<UnitBatch | undefined> {
    const reader = await (this.#reader ??= this.#open());
    const batch = await reader.next();
    this.#bytes = reader.bytes;
    return batch;
  }

  async close(): Promise<void> {
    const reader = await this.#reader?.catch(() => undefined);
    await reader?.close();
  }
}

/** A place in input `first`, at or before its record `number`. Undefined: its beginning, or that of the part. */
async function placeBefore(inputs: Inputs, first: number, number: number): Promise<SourceStart | undefined> {
  const { file, bytes, first: before = 0 } = inputs.files[first]!;
  if (number === 0 || bytes === undefined || !areFiles(inputs)) return undefined;
  if (first === 0 && isByOffset(inputs)) return undefined;
  await using index = await usableIndex(file);
  const record = before + number;
  return index !== undefined && record < index.records ? index.place(record) : undefined;
}

function areFiles({ source, copyOf }: Inputs): boolean {
  return source.kind === 'paths' && copyOf === undefined;
}

/** True for a part that begins or ends at an offset of a plain file, where nobody knows the number of the record. */
function isByOffset({ slice }: Inputs): boolean {
  const { begin, end } = slice ?? {};
  return begin?.record === 0 || (end !== undefined && 'offset' in end);
}

/** The saved index of `file`, if it fits and found no damage: then its numbers are those of a reader that begins with the file. */
async function usableIndex(file: string): Promise<RecordIndex | undefined> {
  const index = await loadBeside(file, {});
  if (index === undefined || (!index.isCut && index.damaged === 0)) return index;
  await index.close();
  return undefined;
}
