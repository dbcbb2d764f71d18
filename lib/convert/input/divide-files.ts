/** Divides the records of TFRecord files among the parts of a job. */
import { advice, worded, type Message } from '../../base';
import { findBoundary, findIndexed, isPlain, loadBeside } from '../../record';
import { partOfList, type Part } from '../job/parts';
import { inputsOf, type InputFile, type Inputs } from './inputs';
import type { SliceBegin, SliceEnd } from './slice';

/** The records before a place belong to one part, those after it to the next. */
interface Boundary {
  /** The number of the file in which the next part begins. */
  readonly input: number;
  /** Where it begins in that file; undefined: at its beginning. */
  readonly begin?: SliceBegin | undefined;
  readonly end?: SliceEnd | undefined;
  /** A compressed file that is not divided because it has no index. */
  readonly undivided?: string | undefined;
}

/** A place in all files together, as if they were one: `stored` bytes after the beginning of file number `input`. */
interface Target {
  readonly input: number;
  readonly stored: number;
}

/**
 * Returns the inputs of `part`. If there are fewer files than parts, the records of files are divided: each part has about as many
 * stored bytes, and a record belongs to the part in which it begins. By the saved index of a file, else in a plain file by the
 * first record that is found from a byte on. A compressed file without an index belongs to the part in which it begins.
 */
export async function dividedInputs(inputs: Inputs, part: Part): Promise<Inputs> {
  const { files } = inputs;
  const { index, count } = part;
  if (files.length >= count || !files.every(isSized)) return inputsOf(partOfList(files, part));
  const targets = [targetOf(files, index / count), targetOf(files, (index + 1) / count)] as const;
  const [begin, end] = await Promise.all(targets.map((target) => boundaryAt(files, target)));
  const own = files.slice(begin!.input, end!.input + (end!.end === undefined ? 0 : 1)).map((file, i): InputFile => {
    const share = shareOf(begin!.input + i, file.bytes, targets);
    return { ...file, share, ...(i === 0 && begin!.begin !== undefined ? { first: begin!.begin.record } : {}) };
  });
  const notes = [begin!, end!].flatMap(({ undivided }) => (undivided === undefined ? [] : [undividedNote(undivided)]));
  const bounds = { begin: placeIn(begin!), end: placeIn(end!) };
  return { ...inputsOf(own), slice: { begin: begin!.begin, end: end!.end, bounds }, notes };
}

interface SizedFile extends InputFile {
  readonly bytes: number;
}

function isSized(file: InputFile): file is SizedFile {
  return file.bytes !== undefined;
}

function targetOf(files: readonly SizedFile[], share: number): Target {
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

async function boundaryAt(files: readonly SizedFile[], { input, stored }: Target): Promise<Boundary> {
  if (stored === 0) return { input };
  const after: Boundary = { input: input + 1 };
  const { file, bytes } = files[input]!;
  const { withRanges } = await findIndexed(file).look();
  const plain = await withRanges(isPlain);
  await using index = await loadBeside(file, {});
  if (index === undefined || index.isCut) {
    if (!plain) return { ...after, undivided: file };
    const offset = await withRanges((source) => findBoundary(source, bytes, stored));
    return offset < bytes ? plainBoundary(input, offset) : after;
  }
  if (plain) {
    const record = firstFrom(index.records, (number) => index.offsetOf(number)! >= stored);
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

/** The first number below `count` for which `holds` is true, and so for all after it; `count` if there is none. */
function firstFrom(count: number, holds: (number: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The place of a boundary in the manifest, by which parts are compared. */
function placeIn({ input, end }: Boundary): readonly [input: number, at: number] {
  return [input, end === undefined ? 0 : 'offset' in end ? end.offset : end.record];
}

function undividedNote(file: string): Message {
  return worded`${file} is in one part, because compressed files are divided by an index only.${advice` Save it first: tfrecord index ${file}`}`;
}
