/** The options of sources that read other files than TFRecord files, and their checks. */
import { checkChoice, checkInteger, COMPRESSION_OPTIONS, type CompressionOption } from '../record';
import { checkOptionsObject, neededInteger } from './arguments';
import type { FixedLengthStageOptions } from './sources/fixed-length';
import type { TextStageOptions } from './sources/text';

const MAX = Number.MAX_SAFE_INTEGER;
/** Bytes of a record of fixed length, at most. */
const MAX_RECORD = 2 ** 31 - 1;

/** Options of all these sources. */
export interface FileOptions {
  /**
   * `auto` judges by content: gzip by its magic, zlib only where it can be inflated, for text and raw data may look like it.
   * `none`, `gzip` and `zlib` insist; other content is TFR_COMPRESSION. Default `auto`.
   */
  compression?: CompressionOption | undefined;
}

/** How to read lines. Unknown names throw. */
export interface TextOptions extends FileOptions {
  /** Lines at the start of each file that are not given, 0 or more. Default 0. */
  skipHeaderLines?: number | undefined;
  /** There is no other; bytes that are not UTF-8 are TFR_DECODE. */
  encoding?: 'utf-8' | 'utf8' | undefined;
}

/** How to read records of one length; all in bytes. Unknown names throw. */
export interface FixedLengthOptions extends FileOptions {
  /** Before the first record of each file, 0 or more. Default 0. */
  headerBytes?: number | undefined;
  /** Behind the last record of each file, 0 or more. Default 0. */
  footerBytes?: number | undefined;
  /** From the start of a record to that of the next, 1 or more: less than a record overlaps, more leaves out. Default: a record. */
  hopBytes?: number | undefined;
}

export function checkCompression(value: unknown): CompressionOption {
  return checkChoice('options.compression', value, COMPRESSION_OPTIONS, 'auto');
}

export function checkTextOptions(options: TextOptions | undefined): TextStageOptions {
  const given = checkOptionsObject('text', options, ['compression', 'skipHeaderLines', 'encoding']);
  checkChoice('options.encoding', given.encoding, ['utf-8', 'utf8'], 'utf-8');
  return {
    compression: checkCompression(given.compression),
    skipHeaderLines: checkInteger('options.skipHeaderLines', given.skipHeaderLines, 0, MAX, 0),
  };
}

export function checkFixedLengthOptions(
  recordBytes: number,
  options: FixedLengthOptions | undefined,
): FixedLengthStageOptions {
  const length = neededInteger('recordBytes', recordBytes, 1, MAX_RECORD);
  const names = ['compression', 'headerBytes', 'footerBytes', 'hopBytes'] as const;
  const given = checkOptionsObject('fixedLength', options, names);
  return {
    compression: checkCompression(given.compression),
    recordBytes: length,
    headerBytes: checkInteger('options.headerBytes', given.headerBytes, 0, MAX, 0),
    footerBytes: checkInteger('options.footerBytes', given.footerBytes, 0, MAX_RECORD, 0),
    hopBytes: checkInteger('options.hopBytes', given.hopBytes, 1, MAX, length),
  };
}
