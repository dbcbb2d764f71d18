/** The interfaces between a job and its formats. A job knows nothing else about them. */
import { firstIndex, type Compression, type TFRecordError } from '../base';
import type { Plan, Spec } from '../example';
import type { MessageLines } from '../messages';
import type { Survey, Table } from '../table';
import type { ErrorPolicy, ReadableFile, ReadPlan, RecordBatch, SourceStart } from '../record';
import type { WriteTarget } from '../io';
import type { HuggingFaceForm } from './hugging-face/form';
import type { Inputs } from './input/inputs';
import type { ManifestOptions } from './job/manifest';
import type { JobNotes } from './job/notes';
import type { Part } from './job/parts';
import type { FeatureChoice } from './transform/feature-choice';

/** Some records of one input, in order. All formats deliver serialized messages: Examples, SequenceExamples, Events. */
export interface InputBatch {
  readonly batch: RecordBatch;
  /** Number of the input. */
  readonly input: number;
  /** Number, in its input, of the first record, if the others follow without gaps; else the number of each record. */
  readonly numbers: number | Float64Array;
}

/** Some records of one input that follow one another without gaps. */
export interface UnitBatch extends InputBatch {
  /** Number, in its input, of the first one. */
  readonly numbers: number;
  /** The place of the first one, if reading the input as it is can begin there. */
  readonly place?: SourceStart | undefined;
}

/** Reads inputs, from the first record of a given one to the end of the last. */
export interface InputReader {
  /**
   * Resolves with the next records; undefined at the end. Rejects with damage that the policy does not accept. Reuses
   * the memory of the records that it returned before.
   */
  next(): Promise<InputBatch | undefined>;
  /** Number of stored bytes that were read so far. */
  readonly bytes: number;
  close(): Promise<void>;
}

/** Reads the units of inputs: records, or lines, as they are stored. */
export interface UnitReader extends InputReader {
  next(): Promise<UnitBatch | undefined>;
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
  /** The features to read. Formats of columns can skip the others. */
  readonly choice: FeatureChoice;
  /** The form of dates and timestamps. Undefined: by the spec; without one they are refused. */
  readonly dates: 'int64' | 'text' | undefined;
  readonly csv: CsvSettings;
  /** The kind, without a spec, of features of JSON Lines whose values are all integers in strings. */
  readonly digits: 'text' | 'int64';
  /** Reads lines of JSON Lines as messages of one type. Default: they are Examples. */
  readonly message?: MessageLines | undefined;
  /** Collects notes for the caller about the values that were read. */
  readonly notes: JobNotes;
}

/** Settings of reading CSV. */
export interface CsvSettings {
  /** Undefined: the default of the format. */
  readonly delimiter: string | undefined;
  /** Texts that stand for a missing value. */
  readonly na: readonly string[];
  /** True if a number that float32 rounds is an error. */
  readonly exact: boolean;
}

/** Options of `convert` for some inputs only; with other inputs they are errors. */
export type InputOption =
  | 'labels'
  | 'labelMap'
  | 'classes'
  | 'dates'
  | 'exact'
  | 'na'
  | 'delimiter'
  | 'verify'
  | 'maxBytes'
  | 'tfdsSplit'
  | 'steps'
  | 'classNames';

/** The options by which the inputs are found. */
export interface FindOptions {
  /** The format that the caller chose. */
  readonly from?: string | undefined;
  readonly labels: string | undefined;
  readonly classes: readonly string[] | undefined;
  readonly labelMap?: string | undefined;
  readonly tfdsSplit?: string | undefined;
  readonly steps: boolean;
  readonly classNames: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A format that can be read. */
export interface InputFormat {
  /**
   * Finds the inputs of this format in `given`, the files and streams of the caller. `filesInput` implements it for
   * formats whose inputs are exactly these files.
   * @throws TypeError if `given` cannot be read in this format; TFRecordError if there is nothing to read
   */
  find(given: Inputs, options: FindOptions): Promise<FoundInput>;
}

/** The inputs of a job, in their format. */
export interface FoundInput {
  readonly inputs: Inputs;
  /** The options that these inputs support. */
  readonly uses: readonly InputOption[];
  /** The reason why a spec does not apply to these inputs, worded to follow "because". Undefined: it applies. */
  readonly noSpec?: string | undefined;
  /** The features of the records, if the inputs describe them. A spec of the caller replaces it. */
  readonly spec?: Spec | undefined;
  /** The names of classes by features, if the inputs have them. */
  readonly classNames?: ReadonlyMap<string, readonly string[]> | undefined;
  /** Options of this format that change outputs, for the manifest. Default: none. */
  readonly identity?: ManifestOptions | undefined;
  /** Returns the inputs of one part of the job. */
  partOf(part: Part): FoundInput | Promise<FoundInput>;
  /** True if {@link FoundInput.prepared} reads all inputs, so that they are read twice. Default: false. */
  readsTwice?(settings: ReadSettings): boolean;
  /**
   * Copies inputs that can be read only once to the new file `path`, and returns the copy. Undefined: all can be read
   * again. @throws TypeError if the inputs cannot be copied
   */
  readonly copied?: ((settings: ReadSettings, path: string) => Promise<FoundInput>) | undefined;
  /** Surveys all inputs before they are read. `progress` is called with the stored bytes that were read so far. */
  prepared(settings: ReadSettings, progress: (bytes: number) => void): Promise<PreparedInput>;
  /**
   * Reads the stored records, lines or rows of all inputs only to count them: neither verified nor decoded. `measured`: their sizes
   * are needed. Otherwise a batch may lack all records but the last of those that it goes over.
   */
  units(settings: ReadSettings, measured: boolean): UnitReader;
  /** Returns the number of records of each input, if it is known without reading them. */
  readonly counts?: ((settings: ReadSettings) => Promise<readonly number[] | undefined>) | undefined;
  /** Surveys all records faster than an {@link InputReader} could. */
  readonly survey?: ((settings: ReadSettings, progress: (bytes: number) => void) => Promise<Survey>) | undefined;
}

/** Records of TFRecord files that native code can read without JavaScript. */
export interface NativeRecords {
  readonly files: readonly ReadableFile[];
  readonly plan: ReadPlan;
  /** Reads some of the first records. Resolves with undefined if there are none, or before damage. */
  readonly first: () => Promise<RecordBatch | undefined>;
  /** Checks the inputs once all their records were written. Default: nothing is checked. */
  readonly check?: (() => Promise<void>) | undefined;
}

/** Inputs that are ready to be read. */
export interface PreparedInput {
  /**
   * Opens input number `first` and those after it. May skip its records before number `number`. `settings`: default:
   * those with which it was prepared. `place`: that of a record at or before that number, as {@link UnitBatch} gave it.
   */
  open(first: number, number?: number, settings?: ReadSettings, place?: SourceStart): InputReader;
  /** All records, if native code can read them. */
  readonly native?: (() => NativeRecords | undefined) | undefined;
  /** The table of all records, if the input defines one. */
  readonly table?: Table | undefined;
  /** Releases what no reader has taken over. Default: does nothing. */
  close?(): Promise<void>;
}

/** Settings of writing, besides the target. */
export interface WriteSettings {
  readonly compression: Compression;
  readonly level: number | undefined;
  readonly spec: RowSpec | undefined;
  /** Writes lines of JSON Lines of records that are messages of one type. Default: they are Examples. */
  readonly message?: MessageLines | undefined;
  /** The character between the fields of CSV. Undefined: the default of the format. */
  readonly delimiter: string | undefined;
  /** The columns, for formats that need a table. */
  readonly table: Table | undefined;
  /** The form of the table for Hugging Face's `datasets`, if the caller wants it. */
  readonly huggingFace?: HuggingFaceForm | undefined;
  /** True if the index of each output is saved beside it. */
  readonly index: boolean;
  /** True if `WrittenOutput.crc32c` is wanted. */
  readonly sums: boolean;
  readonly signal: AbortSignal | undefined;
  readonly faults: Faults;
  /** The file of a label map, for formats of object detection. */
  readonly labelMap: string | undefined;
  /** Collects notes for the caller about the values that were written. */
  readonly notes: JobNotes;
}

/** Options of `convert` for some outputs only. */
export type OutputOption = 'spec' | 'delimiter' | 'maxBytes' | 'index' | 'labelMap' | 'huggingface';

/** A format that can be written. */
export interface OutputFormat {
  readonly uses: readonly OutputOption[];
  /** True for formats of columns, which need all columns before the first record. */
  readonly takesTable?: boolean | undefined;
  /** True if an output must be a file. */
  readonly filesOnly?: boolean | undefined;
  /** True if an output is a folder, which `open` makes at the path `target`. Default: false. */
  readonly isFolder?: boolean | undefined;
  /** True if its sinks may have `copy`. Default: false. */
  readonly copies?: boolean | undefined;
  /** True if one thread encodes each output, whatever else is free. Default: false. */
  readonly onOneThread?: boolean | undefined;
  readonly compressions: readonly Compression[];
  /** Opens `target`: a new file that has no other user, or a stream. */
  open(target: WriteTarget, settings: WriteSettings): Promise<OutputSink>;
}

/** A format of files. */
export interface KnownFormat {
  /** Extensions of its files, in lower case, without that of a compression. */
  readonly extensions: readonly string[];
  /**
   * Wrong or rare spellings of the extensions. No output may have one: the error suggests the first of `extensions`.
   */
  readonly slips?: readonly string[] | undefined;
  /**
   * The name of its files in the help of the command, such as "JSON Lines". Default: the help does not list its
   * extensions.
   */
  readonly title?: string | undefined;
}

/** A format of files that can be read. */
export interface ReadableFormat extends KnownFormat {
  /** True if it reads folders: it is then the format of an input that is a folder. Default: false. */
  readonly readsFolders?: boolean | undefined;
  readonly input: InputFormat;
}

/** A format of files that can be written. */
export interface WritableFormat extends KnownFormat {
  readonly output: OutputFormat;
}

/** A complete output. */
export interface WrittenOutput {
  readonly records: number;
  /** Size of the file. */
  readonly fileBytes: number;
  /** CRC-32C of the file; undefined if the sink did not compute it. */
  readonly crc32c?: number | undefined;
}

export type CopyProgress = (bytes: number, records: number) => void;

/** Writes the records of one output. */
export interface OutputSink {
  /** Writes a batch. Returns a promise if the caller should wait; after that the memory of the batch may be reused. */
  write(batch: RecordBatch): Promise<void> | undefined;
  /**
   * Has native code write all `records`, instead of `write`. Resolves with false, without effect, if that is not possible.
   * `progress` is called with the stored bytes that were read so far, and with the records that were written.
   */
  readonly copy?: ((records: NativeRecords, progress: CopyProgress) => Promise<boolean>) | undefined;
  /** Completes the output. */
  close(): Promise<WrittenOutput>;
  /** Saves the index of the complete output, which has its name `path` by now. Undefined: none is saved. */
  readonly saveIndex?: ((path: string) => Promise<void>) | undefined;
  /** Stops writing. An incomplete file may remain. Never rejects. */
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
  /** True after the caller chose `stop`: the job ends as if the data ended there. */
  readonly stopped: boolean;
  /**
   * Returns if the record may be left out: one that is being written, or the one at `place`, which could not be read.
   * Readers call it after they have delivered all records before that place, because `stop` ends the job there.
   * @throws `error` if the caller does not accept it
   */
  leaveOut(error: TFRecordError, place?: RecordNumber): void;
}

/** Index in `portion` of the first record whose number in its input is at least `number`. */
export function indexOf({ batch, numbers }: InputBatch, number: number): number {
  if (typeof numbers === 'number') return Math.min(Math.max(number - numbers, 0), batch.length);
  return firstIndex(numbers.length, (i) => numbers[i]! >= number);
}
