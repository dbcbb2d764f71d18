import { isUtf8 } from 'node:buffer';

import { TFRecordError } from '../../errors';
import {
  checkChoice,
  checkInteger,
  checkOptions,
  frameOrigin,
  type CompressionOption,
  type RecordSource,
} from '../../record';
import { named } from '../engine/labels';
import type { RecordForm, RecordElements } from '../engine/records';
import { checkCompression, CutFilesStage, type FileOptions } from './cut-files';
import type { RecordCheck } from './cut/cut-flow';
import type { CutFrames } from './cut/cut-plan';
import { LineCutter } from './cut/line-cutter';

/** How to read lines. Unknown names throw. */
export interface TextOptions extends FileOptions {
  /** Lines at the start of each file that are not given, 0 or more. Default 0. */
  skipHeaderLines?: number | undefined;
  /** There is no other; bytes that are not UTF-8 are TFR_DECODE. */
  encoding?: 'utf-8' | 'utf8' | undefined;
}

/** `Dataset.text`: the lines of files. They stay bytes until somebody asks for one. */
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
      text: true,
      cutter: () => new LineCutter(),
      form: TEXT,
      check: utf8Check('Line'),
      order: skipHeaderLines,
    });
  }
}

/** Lines as text; many of them as an array. */
const TEXT: RecordForm = {
  elements: (records) => ({ at: (index) => textOf(records, index) }),
  batch: (records) => Array.from({ length: records.length }, (_, index) => textOf(records, index)),
  copies: () => true,
};

function textOf(records: RecordElements, index: number): string {
  const { slab, frames } = records.slab(index).source;
  const frame = records.frame(index);
  const begin = frames[2 * frame]!;
  const bytes = Buffer.from(slab.buffer, begin, frames[2 * frame + 1]);
  return bytes.toString();
}

/** Checks for UTF-8: other bytes would come out as other text than is in the file. `what` names a record in messages. */
export function utf8Check(what: string): RecordCheck {
  return (source, begin, end) => firstNoUtf8(what, source, begin, end);
}

function firstNoUtf8(what: string, source: CutFrames, begin: number, end: number): ReturnType<RecordCheck> {
  const first = source.frames[2 * begin]!;
  const last = source.frames[2 * end - 2]! + source.frames[2 * end - 1]!;
  // Line ends are ASCII: all lines are UTF-8 where what they lie in is.
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
  return new TFRecordError(
    'TFR_DECODE',
    `${what} ${record} of ${file}, at byte ${offset}: expected UTF-8, found other bytes. Convert the file, or read its ` +
      'bytes; onError: "skip" loses it alone.',
    { file, record, offset, expected: 'UTF-8', found: 'other bytes' },
  );
}
