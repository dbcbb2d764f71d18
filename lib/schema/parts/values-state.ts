/** Converts the values of a feature to the messages of a part, and adds them to those of other parts. */
import { TFRecordError, type LoopTurns } from '../../base';
import type { MessageInit } from '../../example';
import type { FeatureValues } from '../statistics/feature-values';
import type { ListLengths, LengthsState } from '../statistics/list-lengths';
import type { SampleState } from '../statistics/sample';
import type { WordTables } from '../statistics/word-tables';
import type { PartEntry, PartLengths, PartSample, PartValues, PartWords } from './part-entry';

/** Maximum size of the words of an entry, in bytes, and their maximum number. */
const WORD_BYTES = 2 ** 18;
const WORDS = 4096;
/** Number of words that are added between two checks of the clock. */
const WORDS_AT_ONCE = 256;
/** Maximum number of numbers that a sample may have. */
const MAX_SAMPLE = 2 ** 17;

/** The message of the values of a feature, without its words. */
export function valuesEntry({ kind, lengths, steps, moments, sample, words }: FeatureValues): MessageInit<PartEntry> {
  return {
    values: {
      kind,
      lengths: lengthsEntry(lengths),
      stepLengths: steps && lengthsEntry(steps.lengths),
      stepCounts: steps && lengthsEntry(steps.counts),
      moments: moments.state,
      sample: sample.state,
      binary: words.binary,
      large: words.large,
    },
  };
}

function lengthsEntry({ state }: ListLengths): MessageInit<PartLengths> {
  return state;
}

/** Calls `write` with the messages of the words of a feature. Nothing can be added to it afterwards. */
export async function writeWords(
  { kind, words }: FeatureValues,
  tables: WordTables,
  turns: LoopTurns,
  write: (entry: MessageInit<PartEntry>) => Promise<void>,
): Promise<void> {
  if (kind !== 'bytes' || words.binary) return;
  let parts: Uint8Array[] = [];
  let ends: number[] = [];
  let counts: number[] = [];
  const flush = (): Promise<void> => {
    const entry = { words: { data: Buffer.concat(parts), ends, counts } };
    [parts, ends, counts] = [[], [], []];
    return write(entry);
  };
  const take = (word: Uint8Array, count: number): Promise<void> | undefined => {
    // The memory of the word is used again.
    parts.push(Uint8Array.from(word));
    ends.push((ends.at(-1) ?? 0) + word.length);
    counts.push(count);
    return counts.length === WORDS || ends.at(-1)! >= WORD_BYTES ? flush() : undefined;
  };
  await words.each(tables, take, turns);
  if (counts.length > 0) await flush();
}

/** Adds the values of a part to `all`, but for its words. `file`: the file of the part, for errors. */
export function addValues(all: FeatureValues, message: PartValues, file: string): void {
  const { lengths, stepLengths, stepCounts, moments, sample, binary, large } = message;
  if (lengths !== undefined) all.lengths.merge(lengthsOf(lengths, file));
  if (all.steps !== undefined) {
    if (stepLengths !== undefined) all.steps.lengths.merge(lengthsOf(stepLengths, file));
    if (stepCounts !== undefined) all.steps.counts.merge(lengthsOf(stepCounts, file));
  }
  if (moments !== undefined) all.moments.merge(moments);
  if (sample !== undefined) all.sample.merge(sampleOf(sample, file));
  if (binary) all.words.setBinary();
  all.words.addLarge(large);
}

/** Adds the words of a part to `all`. */
export async function addWords(
  all: FeatureValues,
  { data, ends, counts }: PartWords,
  file: string,
  turns: LoopTurns,
): Promise<void> {
  let begin = 0;
  for (const [i, end] of ends.entries()) {
    const count = counts[i] ?? NaN;
    if (!(end >= begin && end <= data.length && Number.isSafeInteger(count) && count > 0)) throw invalidPart(file);
    all.words.addCounted(data.subarray(begin, end), count);
    begin = end;
    if (i % WORDS_AT_ONCE === 0) await turns.breathe();
  }
}

function lengthsOf({ count, min, max, total, only, sample }: PartLengths, file: string): LengthsState {
  const numbers = [count, max, total, only];
  if (!numbers.every((each) => Number.isSafeInteger(each) && each >= 0)) throw invalidPart(file);
  return { count, min, max, total, only, sample: sample && sampleOf(sample, file) };
}

function sampleOf({ values, stride, untilKept, untilBlock, random }: PartSample, file: string): SampleState {
  const isPower = Number.isSafeInteger(stride) && stride >= 1 && Number.isInteger(Math.log2(stride));
  const isAhead = (untilKept >= 0 || stride === 1) && untilBlock >= 0;
  const isWhole = values.length <= MAX_SAMPLE && !values.some(Number.isNaN);
  if (!(isPower && isAhead && isWhole)) throw invalidPart(file);
  return { values: Float64Array.from(values), stride, untilKept, untilBlock, random };
}

/** The error for a file that is not one of a part, or of another version. */
export function invalidPart(file: string): TFRecordError {
  return new TFRecordError(
    'TFR_STATE_MISMATCH',
    `${file} is not the file of a part that this version wrote: run the part again.`,
    { file },
  );
}
