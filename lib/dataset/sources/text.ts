import { constants, isAscii, isUtf8, transcode } from 'node:buffer';

import type { TFRecordError } from '../../base';
import {
  tfrecordError,
  advice,
  aside,
  method,
  worded,
  checkChoice,
  checkInteger,
  checkOptions,
  type CompressionOption,
  type Fault,
  type FaultPlace,
} from '../../base';
import type { RecordSource } from '../../io';
import { frameOrigin, LINES } from '../../record';
import { named } from '../engine/labels';
import type { RecordForm, RecordElements } from '../engine/records';
import { checkCompression, CutFilesStage, type FileOptions } from './cut-files';
import { cutError, type CutFrames, type RecordCheck } from './cut-records';

/** Maximum bytes of a line: what one string can hold. */
const MAX_LINE_BYTES = Math.min(constants.MAX_STRING_LENGTH, constants.MAX_LENGTH);

/** Options of `Dataset.text`. Unknown names throw. */
export interface TextOptions extends FileOptions {
  /** Number of lines to skip at the start of each file, 0 or more. Default 0. */
  skipHeaderLines?: number | undefined;
  /** The only supported encoding. Bytes that are not UTF-8 are TFR_DECODE. */
  encoding?: 'utf-8' | 'utf8' | undefined;
}

/** The stage of `Dataset.text`, which reads the lines of files. A line is decoded when it is read. */
export class TextStage extends CutFilesStage {
  readonly kind = 'text';
  override readonly labels = [named('skipHeaderLines')];

  static of(source: RecordSource, options: TextOptions | undefined): TextStage {
    const given = checkOptions(options, ['compression', 'skipHeaderLines', 'encoding']);
    checkChoice('options.encoding', given.encoding, ['utf-8', 'utf8'], 'utf-8');
    const compression = checkCompression(given.compression);
    const most = Number.MAX_SAFE_INTEGER;
    return new TextStage(
      source,
      compression,
      checkInteger('options.skipHeaderLines', given.skipHeaderLines, 0, most, 0),
    );
  }

  private constructor(source: RecordSource, compression: CompressionOption, skipHeaderLines: number) {
    super(source, {
      compression,
      headRecords: skipHeaderLines,
      wantsHead: false,
      ...LINE_LIMITS,
      framing: LINES,
      form: TEXT,
      check: utf8Check('Line'),
      order: skipHeaderLines,
    });
  }
}

/** Settings that lines and CSV records share. */
export const LINE_LIMITS = { maxRecordBytes: MAX_LINE_BYTES, errorOf: lineError } as const;

/** Returns the error for `fault`, which ends a file of lines. */
function lineError(fault: Fault, place: FaultPlace): TFRecordError {
  if (fault.code !== 'TFR_RECORD_TOO_LARGE') return cutError(fault, place);
  const { record, offset, found } = fault;
  const { file } = place;
  const expected = `at most ${MAX_LINE_BYTES} bytes`;
  return tfrecordError(
    fault.code,
    worded`Record longer than allowed in ${file}, record ${record}, at byte ${offset}: expected ${expected}, found ${found} or more.${advice` Is it text, with line ends?`}`,
    { file, record, offset, expected },
  );
}

/** The form of lines: an element is a string, a batch is an array of strings. */
const TEXT: RecordForm = {
  elements: (records) => new LineTexts(records),
  batch: (records) => {
    const texts = new LineTexts(records);
    return Array.from({ length: records.length }, (_, index) => texts.at(index));
  },
  copies: () => true,
};

/** Bytes of lines of one slab that are decoded together. A line that the user keeps may keep that much memory alive. */
const RUN_BYTES = 16 * 1024;
const CR = 0x0d;

/**
 * Decodes lines. Decoding one line costs as much as slicing twenty lines from a longer text, so lines that are read in
 * order are decoded in runs.
 */
class LineTexts {
  readonly #records: RecordElements;
  /** The decoded lines from `#first` on. */
  #run: readonly string[] = [];
  #first = 0;
  /** Number of the next line if lines are read in order. */
  #next = 0;

  constructor(records: RecordElements) {
    this.#records = records;
  }

  at(index: number): string {
    const text = this.#run[index - this.#first];
    if (text !== undefined) return text;
    const run = textsOf(this.#records, index, index === this.#next ? this.#endOfRun(index) : index + 1);
    this.#next = index + run.length;
    this.#first = index;
    this.#run = run;
    return run[0]!;
  }

  /** Returns the end of the run of lines from `index` on that follow each other in one slab. */
  #endOfRun(index: number): number {
    const records = this.#records;
    const slab = records.slab(index);
    const frame = records.frame(index);
    const { frames } = slab.source;
    const most = frames[2 * frame]! + RUN_BYTES;
    let end = index + 1;
    while (end < records.length && records.slab(end) === slab && records.frame(end) === frame + end - index) {
      const at = 2 * records.frame(end);
      if (frames[at]! + frames[at + 1]! > most) break;
      end++;
    }
    return end;
  }
}

/** Decodes the lines from `begin` to before `end`, which follow each other in one slab, and are valid UTF-8. */
function textsOf(records: RecordElements, begin: number, end: number): string[] {
  const { slab, frames } = records.slab(begin).source;
  const first = 2 * records.frame(begin);
  const count = end - begin;
  const base = frames[first]!;
  const last = first + 2 * count - 2;
  const bytes = Buffer.from(slab.buffer, slab.byteOffset + base, frames[last]! + frames[last + 1]! - base);
  if (count === 1) return [bytes.toString()];
  if (isAscii(bytes)) {
    const text = bytes.toString('latin1');
    const lines: string[] = [];
    for (let at = first; at <= last; at += 2) {
      const begin = frames[at]! - base;
      lines.push(text.slice(begin, begin + frames[at + 1]!));
    }
    return lines;
  }
  const text = decoded(bytes);
  const lines: string[] = [];
  for (let i = 0, begin = 0; i < count; i++) {
    const frame = first + 2 * i;
    const lineEnd = i + 1 === count ? text.length : text.indexOf('\n', begin);
    const hasCr = i + 1 < count && slab[frames[frame]! + frames[frame + 1]!] === CR;
    lines.push(text.slice(begin, hasCr ? lineEnd - 1 : lineEnd));
    begin = lineEnd + 1;
  }
  return lines;
}

/** Decodes UTF-8 by way of UTF-16, which takes V8 a third of the time. Runtimes without ICU do not support it. */
const decoded = canTranscode()
  ? (bytes: Buffer) => transcode(bytes, 'utf8', 'utf16le').toString('utf16le')
  : (bytes: Buffer) => bytes.toString();

function canTranscode(): boolean {
  try {
    return transcode(Buffer.from('é'), 'utf8', 'utf16le').length === 2;
  } catch {
    return false;
  }
}

/**
 * Returns a check for UTF-8: invalid bytes would be decoded to other text than the file has. `what` names a record in
 * messages.
 */
export function utf8Check(what: string): RecordCheck {
  return (source, begin, end) => firstNoUtf8(what, source, begin, end);
}

function firstNoUtf8(what: string, source: CutFrames, begin: number, end: number): ReturnType<RecordCheck> {
  const first = source.frames[2 * begin]!;
  const last = source.frames[2 * end - 2]! + source.frames[2 * end - 1]!;
  // Line ends are ASCII, so all lines are UTF-8 if the bytes that contain them are.
  if (isUtf8(source.slab.subarray(first, last))) return undefined;
  for (let frame = begin; frame < end; frame++) {
    const at = source.frames[2 * frame]!;
    const line = source.slab.subarray(at, at + source.frames[2 * frame + 1]!);
    if (!isUtf8(line)) return { frame, error: noUtf8(what, source, frame) };
  }
  return undefined;
}

function noUtf8(what: string, source: CutFrames, frame: number): TFRecordError {
  const { file, record, offset } = frameOrigin(source, frame);
  const cure = advice` Convert the file, or read its bytes${aside`; ${method('onError', 'skip')} loses it alone`}.`;
  return tfrecordError(
    'TFR_DECODE',
    worded`${what} ${record} of ${file}, at byte ${offset}: expected UTF-8, found other bytes.${cure}`,
    { file, record, offset, expected: 'UTF-8', found: 'other bytes' },
  );
}
