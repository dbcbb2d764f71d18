/** Divides the records of TFRecord files among parts of about as many stored bytes. */
import { firstIndex } from '../../base';
import { findIndexed } from '../index/index-source';
import { loadBeside } from '../index/open-indexed';
import type { PartBegin, PartEnd } from './part-cutter';
import { findBoundary, isPlain } from './record-boundary';

/** A file to divide. */
export interface SizedFile {
  readonly file: string;
  /** Number of stored bytes. */
  readonly bytes: number;
}

/** The records before a boundary belong to one part, those after it to the next. */
interface Boundary {
  /** The number of the file in which the next part begins. */
  readonly input: number;
  /** Where it begins in that file; undefined: at its beginning. */
  readonly begin?: PartBegin | undefined;
  readonly end?: PartEnd | undefined;
  /** A compressed file that is not divided. */
  readonly undivided?: string | undefined;
}

/** A place in all files together, as if they were one: `stored` bytes after the beginning of file number `input`. */
interface Target {
  readonly input: number;
  readonly stored: number;
}

/** One part of the records of files. All of its files but the first and the last are whole. */
export interface DividedFiles {
  /** Number of the first file, and number after that of the last one. */
  readonly first: number;
  readonly last: number;
  /** Where the part begins in its first file. Undefined: at its beginning. */
  readonly begin: PartBegin | undefined;
  /** Where it ends in its last file. Undefined: at its end. */
  readonly end: PartEnd | undefined;
  /** The places of its boundaries: two parts are neighbours if the end of one is the beginning of the other. */
  readonly bounds: { readonly begin: PartPlace; readonly end: PartPlace };
  /** Number of stored bytes of each file that the part has, about. */
  readonly shares: readonly number[];
  /** Compressed files that are in one part, although they should be divided. */
  readonly undivided: readonly string[];
}

/** The number of a file, and the number or the offset of a record in it. */
export type PartPlace = readonly [input: number, at: number];

/**
 * Returns part `index` of `count` of the records of `files`. A record belongs to the part in which it begins. In a plain file, a
 * boundary is the first record that is found from a byte on. `byIndex`: by the saved index of a file where there is one; all
 * parts must see the same indexes. A compressed file that is not divided by an index belongs to the part in which it begins.
 * @throws TFRecordError if a file cannot be read
 */
export async function divideFiles(
  files: readonly SizedFile[],
  { index, count }: { readonly index: number; readonly count: number },
  byIndex: boolean,
): Promise<DividedFiles> {
  const targets = [targetOf(files, index / count), targetOf(files, (index + 1) / count)] as const;
  const [begin, end] = await Promise.all([
    boundaryAt(files, targets[0], byIndex),
    boundaryAt(files, targets[1], byIndex),
  ]);
  const last = end.input + (end.end === undefined ? 0 : 1);
  const own = files.slice(begin.input, last);
  return {
    first: begin.input,
    last,
    begin: begin.begin,
    end: end.end,
    bounds: { begin: placeIn(begin), end: placeIn(end) },
    shares: own.map(({ bytes }, i) => shareOf(begin.input + i, bytes, targets)),
    undivided: [begin, end].flatMap(({ undivided }) => undivided ?? []),
  };
}

function targetOf(files: readonly SizedFile[], share: number): Target {
  // Empty files belong to the first part that can have them.
  if (share === 0) return { input: 0, stored: 0 };
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let stored = Math.floor(total * share);
  for (const [input, { bytes }] of files.entries()) {
    if (stored < bytes) return { input, stored };
    stored -= bytes;
  }
  return { input: files.length, stored: 0 };
}

/** The number of stored bytes of file number `input` between two targets. */
function shareOf(input: number, bytes: number, [begin, end]: readonly [Target, Target]): number {
  const within = (target: Target): number => (target.input > input ? bytes : target.input < input ? 0 : target.stored);
  return within(end) - within(begin);
}

async function boundaryAt(files: readonly SizedFile[], { input, stored }: Target, byIndex: boolean): Promise<Boundary> {
  if (stored === 0) return { input };
  const after: Boundary = { input: input + 1 };
  const { file, bytes } = files[input]!;
  const { withRanges } = await findIndexed(file).look();
  const plain = await withRanges(isPlain);
  await using index = byIndex ? await loadBeside(file, {}) : undefined;
  if (index === undefined || index.isCut) {
    if (!plain) return { ...after, undivided: file };
    const offset = await withRanges((source) => findBoundary(source, bytes, stored));
    return offset < bytes ? plainBoundary(input, offset) : after;
  }
  if (plain) {
    const record = firstIndex(index.records, (number) => index.offsetOf(number)! >= stored);
    return record < index.records ? plainBoundary(input, index.offsetOf(record)!) : after;
  }
  const record = Math.ceil(index.records * (stored / bytes));
  if (record >= index.records) return after;
  return { input, begin: { place: index.place(record), record }, end: { record } };
}

function plainBoundary(input: number, offset: number): Boundary {
  // Nobody knows the number of the record, so numbers count from here.
  return { input, begin: { place: { record: 0, offset, position: offset }, record: 0 }, end: { offset } };
}

function placeIn({ input, end }: Boundary): PartPlace {
  return [input, end === undefined ? 0 : 'offset' in end ? end.offset : end.record];
}
