/** The interfaces between a job and its formats. A job knows nothing else of them. */
import type { TFRecordError, Compression } from '../base';
import type { Plan, Spec } from '../example';
import type { Survey, Table } from '../table';
import type { ErrorPolicy, RecordBatch } from '../record';
import type { WriteTarget } from '../io';
import type { Inputs } from './input/inputs';
import type { ManifestOptions } from './job/manifest';
import type { JobNotes } from './job/notes';
import type { Part } from './job/parts';
import type { FeatureChoice } from './transform/feature-choice';

/** Some records of one input, in order. All formats hand over serialized messages: Examples, SequenceExamples, Events. */
export interface InputBatch {
  readonly batch: RecordBatch;
  /** Number of the input. */
  readonly input: number;
  /** Number, in its input, of the first record, if the others follow without gaps; else the number of each. */
  readonly numbers: number | Float64Array;
}

/** Reads inputs, from the first record of one of them to the end of the last. */
export interface InputReader {
  /**
   * Resolves with the next records; undefined at the end. Rejects with damage that the policy does not accept. The memory
   * of the records before is used again.
   */
  next(): Promise<InputBatch | undefined>;
  /** Stored bytes that were consumed so far. */
  readonly bytes: number;
  close(): Promise<void>;
}

/** A caller's spec, in the forms that formats need. */
export interface RowSpec {
  readonly plan: Plan;
  /** The features of Examples; undefined for SequenceExamples. */
  readonly features: Spec | undefined;
  readonly json: unknown;
}

/** Settings of reading, besides the inputs. */
export interface ReadSettings {
  /** Decides about damage, for all readers of the job together. */
  readonly policy: ErrorPolicy;
  readonly maxRecordBytes: number | undefined;
  /** The checksums of TFRecords to verify. */
  readonly verify: 'all' | 'length' | 'none';
  readonly signal: AbortSignal | undefined;
  /** Decides about records that cannot be converted. */
  readonly faults: Faults;
  /** The caller's spec. */
  readonly spec: RowSpec | undefined;
  /** True if numbers may be rounded to float32. */
  readonly rounds: boolean;
  /** The features of interest. Formats of columns need not look at others. */
  readonly choice: FeatureChoice;
  /** The form of dates and timestamps. Undefined: as the spec says; without one they are refused. */
  readonly dates: 'int64' | 'text' | undefined;
  readonly csv: CsvSettings;
  /** The kind of features of JSON Lines whose values are all integers in strings. A spec decides itself. */
  readonly digits: 'text' | 'int64';
  /** Takes what the caller should know about the values that were read. */
  readonly notes: JobNotes;
}

/** Settings of reading CSV. */
export interface CsvSettings {
  /** Undefined: the format says it. */
  readonly delimiter: string | undefined;
  /** Texts that count as no value. */
  readonly na: readonly string[];
  /** True if a number that float32 rounds is an error. */
  readonly exact: boolean;
}

/** Options of `convert` that only some inputs have a use for; with others they are errors. */
export type InputOption = 'labels' | 'classes' | 'dates' | 'exact' | 'na' | 'delimiter' | 'verify' | 'maxBytes';

/** The options that say which inputs there are. */
export interface FindOptions {
  /** The format that the caller names. */
  readonly from?: string | undefined;
  readonly labels: string | undefined;
  readonly classes: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads a format. */
export interface InputFormat {
  /**
   * Finds the inputs of this format that `given`, the files and streams of the caller, mean. `filesInput` makes this
   * function for formats whose inputs are these files.
   * @throws TypeError if `given` cannot be read in this format; TFRecordError if there is nothing to read
   */
  find(given: Inputs, options: FindOptions): Promise<FoundInput>;
}

/** The inputs of a job, in their format. */
export interface FoundInput {
  readonly inputs: Inputs;
  readonly uses: readonly InputOption[];
  /** The reason why a spec does not say what is read, to go on after "because". Undefined: it does. */
  readonly noSpec?: string | undefined;
  /** Options of this format alone by which outputs differ, as a manifest has them. Default: none. */
  readonly identity?: ManifestOptions | undefined;
  /** Returns the share of a part of the job. */
  partOf(part: Part): FoundInput;
  /** True if {@link FoundInput.prepared} reads all inputs, so that they must be there twice. Default: false. */
  readsTwice?(settings: ReadSettings): boolean;
  /**
   * Copies inputs that cannot be read again to the new file `path`, and returns the copy. Undefined: all can be read
   * again. @throws TypeError if no copy can hold the inputs
   */
  readonly copied?: ((settings: ReadSettings, path: string) => Promise<FoundInput>) | undefined;
  /** Looks at all inputs before they are read. `progress` is called with the stored bytes that were consumed so far. */
  prepared(settings: ReadSettings, progress: (bytes: number) => void): Promise<PreparedInput>;
  /** Gives the records, lines or rows of all inputs as they are stored, to be counted: not verified, not decoded. */
  units(settings: ReadSettings): InputReader;
  /** Surveys all records faster than through an {@link InputReader}. */
  readonly survey?: ((settings: ReadSettings, progress: (bytes: number) => void) => Promise<Survey>) | undefined;
}

/** Inputs that are ready to be read. */
export interface PreparedInput {
  /**
   * Opens input number `first` and those after it. Records of it before number `number` need not be given. `settings`:
   * default are those with which it was prepared.
   */
  open(first: number, number?: number, settings?: ReadSettings): InputReader;
  /** The table that all records fit, if the input says it. */
  readonly table?: Table | undefined;
  /** Releases what no reader has taken over. Default: nothing. */
  close?(): Promise<void>;
}

/** Settings of writing, besides the target. */
export interface WriteSettings {
  readonly compression: Compression;
  readonly level: number | undefined;
  /** False if the stored checksums of records that are copied may be wrong. */
  readonly verified: boolean;
  readonly spec: RowSpec | undefined;
  /** The character between the fields of CSV. Undefined: the format says it. */
  readonly delimiter: string | undefined;
  /** The columns, for formats that take a table. */
  readonly table: Table | undefined;
  readonly signal: AbortSignal | undefined;
  readonly faults: Faults;
}

/** Options of `convert` that only some outputs have a use for. */
export type OutputOption = 'spec' | 'delimiter' | 'maxBytes';

/** Writes a format. */
export interface OutputFormat {
  readonly uses: readonly OutputOption[];
  /** True for formats of columns, which must know all of them before the first record. */
  readonly takesTable?: boolean | undefined;
  /** True if an output must be a file. */
  readonly filesOnly?: boolean | undefined;
  readonly compressions: readonly Compression[];
  /** Opens `target`, a new file that has no other user, or a stream. */
  open(target: WriteTarget, settings: WriteSettings): Promise<OutputSink>;
}

/** A format of files that can be read. */
export interface ReadableFormat {
  /** Extensions of its files, in lower case, without that of a compression. */
  readonly extensions: readonly string[];
  /** Wrong or rare spellings of them. No output gets one, and the error names the right one, which is the first. */
  readonly slips?: readonly string[] | undefined;
  /** The name of its files in the help of the command: "JSON Lines". Default: the help does not list its extensions. */
  readonly title?: string | undefined;
  /** True if it reads folders: an input that is one has this format. Default: false. */
  readonly readsFolders?: boolean | undefined;
  readonly input: InputFormat;
}

/** A format of files that can be read and written. */
export interface WritableFormat extends ReadableFormat {
  readonly output: OutputFormat;
}

/** A complete output. */
export interface WrittenOutput {
  readonly records: number;
  /** Size of the file. */
  readonly fileBytes: number;
  /** CRC-32C of the file, if the sink knows it. */
  readonly crc32c?: number | undefined;
}

/** Takes the records of one output. */
export interface OutputSink {
  /** Takes a batch. Returns a promise if the caller should wait. Behind that the memory of the batch is used again. */
  write(batch: RecordBatch): Promise<void> | undefined;
  /** Completes the output. */
  close(): Promise<WrittenOutput>;
  /** Gives the output up. An incomplete file may stay. Never rejects. */
  abort(): Promise<void>;
}

/** A record of the inputs. */
export interface RecordNumber {
  /** Number of the input. */
  readonly input: number;
  /** Number of the record in it. */
  readonly number: number;
}

/** Decides about single records that cannot be read or written. */
export interface Faults {
  /** True once the caller chose to end as if the data ended there. */
  readonly stopped: boolean;
  /**
   * Returns if a record is to be left out: one that is written now, or one that could not be read, from `place`. Readers
   * call it when all records before that place were given, because `stop` ends the job there.
   * @throws `error` if the caller does not accept it
   */
  leaveOut(error: TFRecordError, place?: RecordNumber): void;
}

/** Index in `portion` of the first record whose number in its input is at least `number`. */
export function indexOf({ batch, numbers }: InputBatch, number: number): number {
  if (typeof numbers === 'number') return Math.min(Math.max(number - numbers, 0), batch.length);
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
