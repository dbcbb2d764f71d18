/** The interfaces between a job and its formats. A job knows nothing else of them. */
import type { TFRecordError } from '../errors';
import type { Plan, Spec, Survey, Table } from '../example';
import type { Compression, ErrorPolicy, Framing, RecordBatch, WriteTarget } from '../record';
import type { Inputs } from './input/inputs';
import type { JobNotes } from './job/notes';
import type { FeatureChoice } from './transform/feature-choice';

/** Some records of one input, in order. All formats hand over serialized messages: Examples, SequenceExamples, Events. */
export interface Portion {
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
  next(): Promise<Portion | undefined>;
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

/** Reads a format. */
export interface InputFormat {
  /** True if a spec says what is read; else it is refused. */
  readonly takesSpec: boolean;
  /** True if the inputs must be files. */
  readonly filesOnly?: boolean | undefined;
  /** True if each input begins with a header, so that no copy can hold several. */
  readonly hasHeaders?: boolean | undefined;
  /** True if {@link InputFormat.prepared} reads all inputs, so that they must be there twice. */
  readonly readsTwice: (settings: ReadSettings) => boolean;
  /** Looks at all inputs before they are read. `progress` is called with the stored bytes that were consumed so far. */
  prepared(inputs: Inputs, settings: ReadSettings, progress: (bytes: number) => void): Promise<PreparedInput>;
  /** Framing of the records of a stream, for a copy that can be read again. Default: that of TFRecords. */
  readonly framing?: ((settings: ReadSettings) => Framing) | undefined;
  /** True if a copy of a stream has its bytes, instead of its records. */
  readonly copiesBytes?: boolean | undefined;
  /** Gives the records, lines or rows of all inputs as they are stored, to be counted: not verified, not decoded. */
  units(inputs: Inputs, settings: ReadSettings): InputReader;
  /** Surveys all records faster than through an {@link InputReader}. */
  survey?(inputs: Inputs, settings: ReadSettings, progress: (bytes: number) => void): Promise<Survey>;
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

/** Writes a format. */
export interface OutputFormat {
  /** True if a spec says what is written; else it is refused. */
  readonly takesSpec: boolean;
  /** True for formats of columns, which must know all of them before the first record. */
  readonly takesTable?: boolean | undefined;
  /** True if an output must be a file. */
  readonly filesOnly?: boolean | undefined;
  /** True if an output of some records is never larger than they are in a TFRecord file. */
  readonly keepsSize: boolean;
  readonly compressions: readonly Compression[];
  /** Opens `target`, a new file that has no other user, or a stream. */
  open(target: WriteTarget, settings: WriteSettings): Promise<OutputSink>;
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
export function indexOf({ batch, numbers }: Portion, number: number): number {
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
