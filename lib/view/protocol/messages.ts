/**
 * The messages between a page and its host. They consist of plain values and Uint8Arrays, which both the structured
 * clone of a MessagePort and the frames of a WebSocket can carry.
 */

/** An error, described for people. */
export interface Problem {
  /**
   * A code of TFRecordError, or Node's code of a system error; `ERR_INVALID_ARG_VALUE` for an invalid request,
   * `ERR_OUT_OF_RANGE` for a missing record or value.
   */
  readonly code: string;
  readonly message: string;
  /** Number of the record, from 0; null if the error concerns no record. */
  readonly record: number | null;
  /** The message without advice. Absent if it has none. */
  readonly reason?: string;
  /** As `TFRecordError.hint`. */
  readonly hint?: { readonly option: string; readonly value?: string | number | boolean };
}

/** The state of a file. */
export interface FileState {
  /** Index of the file in the list, which requests use. */
  readonly file: number;
  readonly name: string;
  /** Stored size in bytes; null if unknown. */
  readonly size: number | null;
  /** True after the file was opened, by a request that needs its records. */
  readonly opened: boolean;
  /** Number of records found so far. */
  readonly records: number;
  /** Number of stored bytes that were read. */
  readonly readBytes: number;
  /** True if `records` is final. */
  readonly complete: boolean;
  /** Number of faults found so far. */
  readonly faults: number;
  /** Number of times that the file was read again from its start. Numbers of records are valid for one reading. */
  readonly reading: number;
  /** The reason why the file, or its rest, cannot be read. */
  readonly problem: Problem | null;
  /** True if its name is that of an event file of TensorBoard. */
  readonly isLog: boolean;
}

/** The kind of a record's content; `bytes` is anything else. */
export type RecordKind = 'Example' | 'SequenceExample' | 'Event' | 'bytes';

/** Bytes that a page can show or play. */
export interface Media {
  readonly as: 'picture' | 'audio';
  readonly mime: string;
  /** Size of a picture in pixels; 0 if unknown. */
  readonly width: number;
  readonly height: number;
}

/** The place of a value in a record. */
export interface ValuePlace {
  /** `raw` is the record itself; other members are then ignored. */
  readonly section: 'context' | 'lists' | 'raw';
  readonly name: string;
  /** Step of a feature list; 0 in the context. */
  readonly step: number;
  readonly index: number;
}

/** An object by the keys of TensorFlow Object Detection: a box in fractions of the picture, from 0 to 1. */
export interface Box {
  readonly xmin: number;
  readonly ymin: number;
  readonly xmax: number;
  readonly ymax: number;
  readonly label: string;
}

/** A record in a list. */
export interface Row {
  readonly record: number;
  /** Byte offset of its frame in the uncompressed stream. */
  readonly offset: number;
  readonly bytes: number;
  readonly kind: RecordKind;
  /** Names and short texts of some values: name, text, name, text … */
  readonly cells: readonly string[];
  /** Number of features without a cell. */
  readonly more: number;
  /** The first picture. */
  readonly picture: (Media & { readonly place: ValuePlace; readonly bytes: number }) | null;
  readonly boxes: readonly Box[];
  readonly problem: Problem | null;
}

/** A bytes value. */
export interface BytesNode {
  readonly bytes: number;
  /** The beginning, if all of it is readable UTF-8. */
  readonly text: string | null;
  readonly media: Media | null;
}

/** A feature, or a step of a feature list. */
export interface FeatureNode {
  readonly kind: 'int64' | 'float' | 'bytes' | 'none';
  /** Number of values. */
  readonly count: number;
  /** The first numbers, in exact digits. */
  readonly numbers: readonly string[];
  /** The first bytes values. */
  readonly items: readonly BytesNode[];
}

/** Masks of the objects: one picture for each object, or numbers for all. */
export interface Masks {
  readonly as: 'pictures' | 'numbers';
  readonly count: number;
  readonly width: number;
  readonly height: number;
  /** For numbers: one byte for each pixel, mask after mask; empty for pictures. */
  readonly pixels: Uint8Array;
}

/** A whole record, with long values cut. */
export interface RecordTree {
  readonly record: number;
  readonly offset: number;
  readonly bytes: number;
  readonly kind: RecordKind;
  readonly context: readonly { readonly name: string; readonly feature: FeatureNode }[];
  readonly lists: readonly {
    readonly name: string;
    readonly count: number;
    readonly steps: readonly FeatureNode[];
  }[];
  /** An Event as indented JSON; null for other kinds. */
  readonly event: string | null;
  readonly boxes: readonly Box[];
  readonly masks: Masks | null;
  readonly problem: Problem | null;
}

export interface Bucket {
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

/** The part of {@link Asks.statistics} about one feature. */
export interface FeatureStatistics {
  readonly name: string;
  readonly type: 'INT' | 'FLOAT' | 'STRING' | 'BYTES' | 'STRUCT';
  readonly present: number;
  readonly missing: number;
  readonly minValues: number;
  readonly maxValues: number;
  readonly totalValues: number;
  readonly numbers: {
    /** Over all numbers, infinities included, NaN excluded; null if there are none. */
    readonly summary: {
      readonly mean: number;
      readonly deviation: number;
      readonly zeros: number;
      readonly min: number;
      readonly median: number;
      readonly max: number;
    } | null;
    /** Number of values that are NaN. */
    readonly nan: number;
    /** Number of values that are infinite. */
    readonly infinite: number;
    /** The finite ones. */
    readonly buckets: readonly Bucket[];
  } | null;
  readonly texts: {
    readonly unique: number;
    readonly averageLength: number;
    readonly top: readonly { readonly text: string; readonly count: number }[];
  } | null;
  readonly blobs: { readonly average: number; readonly min: number; readonly max: number } | null;
}

/** Damage in a file. */
export interface Fault extends Problem {
  /** Byte offset in the uncompressed stream; null if unknown. */
  readonly offset: number | null;
  /** Byte offset in the stored file; null for plain files. */
  readonly stored: number | null;
  /** Number of bytes after it that cannot be read; 0 if only one record is damaged, null if unknown. */
  readonly lost: number | null;
}

/** A series of scalars in the logs of TensorBoard. */
export interface CurveState {
  /** Number of the curve, from 0, which requests use. */
  readonly curve: number;
  readonly run: string;
  readonly tag: string;
  /** Number of values found so far. */
  readonly values: number;
  /** Number of values that are NaN or infinite. */
  readonly gaps: number;
}

/** The known state of the logs. Changes are sent: only curves that are new, or have more values. */
export interface LogsState {
  /** Number of times that the logs were read again from their start. Numbers of curves are valid for one reading. */
  readonly reading: number;
  readonly curves: readonly CurveState[];
  /** Number of values of curves that are not kept, because there are too many, or their names are too long. */
  readonly leftOut: number;
  /** Number of faults found so far, of which the first ones are described. */
  readonly faults: number;
  readonly problems: readonly Problem[];
  /** The reason why the logs are no longer followed. */
  readonly ended: Problem | null;
}

/** The part of a curve that a page lacks. */
export interface WantedCurve {
  readonly curve: number;
  /** The generation of the buckets that the page has. */
  readonly generation: number;
  /** Number of the first bucket to send, if the generation is still the same. */
  readonly from: number;
}

/** Buckets of a curve: the page replaces those from `from` on. */
export interface CurvePart extends WantedCurve {
  /** Number of values in all buckets. */
  readonly values: number;
  /** Time of the first value, in seconds since 1970. */
  readonly start: number;
  /** The buckets, by `packNumbers`. */
  readonly buckets: Uint8Array;
}

/** Progress of work that reads a whole file. */
export interface Progress {
  readonly records: number;
  readonly readBytes: number;
  readonly totalBytes: number;
}

/** The records of a file to export. */
export interface Selection {
  /** Ranges of record numbers, each from its first number to before its second; null for all. */
  readonly ranges: readonly (readonly [number, number])[] | null;
  /** Conditions of `tfrecord grep`, of which all must hold. */
  readonly conditions: readonly string[];
}

/** The requests: for each its arguments, its batches, which need credits, and its last answer. */
export interface Asks {
  /** The states of files: first of all, then of those that were added or changed. Continues until it is cancelled. */
  files: { args: Record<string, never>; batch: readonly FileState[]; done: null };
  /**
   * Adds files to the list, each once; a folder is replaced by its files. The answer has their numbers, in the order of
   * the paths. Only ports of the program itself may send it: a page never names a path.
   */
  add: { args: { paths: readonly string[] }; batch: never; done: { readonly files: readonly number[] } };
  /** Rows of the records with these numbers, at most 256, in their order. */
  rows: { args: { file: number; records: readonly number[] }; batch: readonly Row[]; done: null };
  record: { args: { file: number; record: number }; batch: never; done: RecordTree };
  /** Bytes from `from` to before `to` of a bytes value, in pieces. */
  value: {
    args: { file: number; record: number; place: ValuePlace; from: number; to: number };
    batch: Uint8Array;
    done: null;
  };
  /** The numbers of the records for which all conditions of `tfrecord grep` hold. */
  find: {
    args: { file: number; conditions: readonly string[] };
    batch: { readonly found: readonly number[]; readonly progress: Progress };
    done: { readonly remarks: readonly string[] };
  };
  statistics: {
    args: { file: number };
    batch: Progress;
    done: {
      /** Number of records in the statistics. */
      readonly records: number;
      readonly features: readonly FeatureStatistics[];
      /**
       * Number of records that are damaged or not Examples, and the kind of the file's first record; null if there are
       * none.
       */
      readonly leftOut: { readonly count: number; readonly kind: RecordKind } | null;
    };
  };
  /** Reads a whole file, and checks all checksums. */
  damage: {
    args: { file: number };
    /** `bytes` is the number of bytes of the uncompressed stream that were read. */
    batch: { readonly faults: readonly Fault[]; readonly progress: Progress; readonly bytes: number };
    done: {
      readonly records: number;
      /** Number of faults, of which only the first 10,000 are sent. */
      readonly faults: number;
      readonly bytes: number;
    };
  };
  /** Forgets the state of a file. The next request for its records reads it again. */
  forget: { args: { file: number }; batch: never; done: null };
  /** The records as lines of JSON or as a TFRecord file, in pieces. */
  export: {
    args: { file: number; selection: Selection; format: 'jsonl' | 'tfrecord' };
    batch: Uint8Array;
    done: { readonly records: number };
  };
  /** The state of the logs, and then what changes, while they are followed. Continues until it is cancelled. */
  logs: { args: Record<string, never>; batch: LogsState; done: null };
  /** Buckets of curves, at most 64, in their order. None if the logs were read again since. */
  curves: { args: { reading: number; wanted: readonly WantedCurve[] }; batch: CurvePart; done: null };
  /** All values of these curves, at most 4,096, as CSV, read from the logs anew. `faults` counts what was damaged. */
  csv: {
    args: { reading: number; curves: readonly number[] };
    batch: Uint8Array;
    done: { readonly rows: number; readonly faults: number };
  };
  /** Forgets all curves, and reads the logs from their start. */
  readLogsAgain: { args: Record<string, never>; batch: never; done: null };
}

export type Ask = keyof Asks;

/** A message from the page. `credits` and `grant` are numbers of batches that the host may send. */
export type ToHost =
  | { readonly [A in Ask]: { id: number; ask: A; args: Asks[A]['args']; credits: number } }[Ask]
  | { readonly id: number; readonly grant: number }
  | { readonly id: number; readonly cancel: true };

/** A message from the host. `id` is 0 in an error about a message without an id. */
export type ToPage =
  | { readonly id: number; readonly batch: unknown }
  | { readonly id: number; readonly done: unknown }
  | { readonly id: number; readonly error: Problem };

/** One end of a message channel: a WebSocket, or a MessagePort. */
export interface Port {
  /** Sends a message, which structured cloning must support. */
  post(message: unknown): void;
  /** Calls `listener` with each message from now on. Messages are not checked. */
  onMessage(listener: (message: unknown) => void): void;
  /** Calls `listener` once after the other end was closed. */
  onClose(listener: () => void): void;
  /** Closes the channel, for both ends. */
  close(): void;
}

/** Maximum number of rows in one request. */
export const MAX_ROWS = 256;
/** Maximum numbers of curves in requests for buckets, and for CSV. */
export const MAX_WANTED = 64;
export const MAX_CSV = 4096;
/** Maximum size of a batch of bytes. */
export const PIECE_BYTES = 256 * 1024;
/** Maximum number of pending requests of a page. */
export const MAX_PENDING = 64;
/** Maximum number of credits of a request. */
export const MAX_CREDITS = 64;
