/** Rows of CSV that native code surveys, or encodes. */
import { TextEncoder } from 'node:util';

import { startNative, type Bytes } from '../../base';
import { CsvRowState, native, type CsvBinding, type CsvRowsHandle, type NativeCsvSurvey } from '../../native';
import { partsOf, type RecordBatch } from '../../record';
import type { FeatureKind } from '../message';

/** A column of CSV. */
export interface CsvRowColumn {
  readonly name: string;
  /** Undefined: the column is not read. For a survey, any kind. */
  readonly kind: FeatureKind | undefined;
  /** True if each row must have a value. */
  readonly required: boolean;
  /** True if bytes that are not valid text are accepted. */
  readonly anyBytes: boolean;
}

/** Places of lines: rows may have line ends in them. */
class RowLines {
  readonly #breaks: Uint32Array;

  constructor(breaks: Uint32Array) {
    this.#breaks = breaks;
  }

  /** Number of lines before row `row`; for the number of rows, of all lines. */
  before(row: number): number {
    return row + (this.#breaks[row] ?? 0);
  }
}

/** A row that has something for the first time. */
export interface CsvFirst {
  readonly row: number;
  readonly column: number;
}

/** The kinds of fields, in the order of `CsvLiteral` of core/example/csv/csv_number.h. */
const LITERALS = ['int64', 'float', 'bytes'] as const satisfies readonly FeatureKind[];

/** The fields of one column. */
export interface CsvColumnFields {
  readonly counts: Readonly<Record<FeatureKind, number>>;
  /** True if a row has no value. */
  readonly missing: boolean;
  /** True if a row has an empty field in quotes that do not count. */
  readonly quotedEmpty: boolean;
}

/** The fields of rows, without the rows that were refused. */
export interface SurveyedCsvRows {
  readonly columns: readonly CsvColumnFields[];
  /** In the order of the rows. */
  readonly firsts: readonly (CsvFirst & { readonly kind: FeatureKind })[];
  /** Indices of the rows that native code leaves to JavaScript, in order. */
  readonly refused: ArrayLike<number>;
  readonly lines: RowLines;
}

/** Rows that were encoded. */
export interface EncodedCsvRows {
  readonly slab: Bytes;
  /** Pairs (offset in the slab, length) of the records, one for each row that was taken. */
  readonly frames: Uint32Array<ArrayBuffer>;
  /** The `CsvRowState` of each row. */
  readonly states: Uint8Array;
  /** For each column: the number of values that float32 rounds. */
  readonly rounded: ArrayLike<number>;
  /** The first such value of each column, in the order of the rows and their fields. */
  readonly roundings: readonly CsvFirst[];
  readonly lines: RowLines;
}

const KINDS: Readonly<Record<FeatureKind, number>> = { bytes: 1, float: 2, int64: 3 };
const REQUIRED = 4;
const ANY_BYTES = 8;
/** Numbers of a column in `NativeCsvSurvey`. */
const NUMBERS = 5;

/** The rows of one file after the other. One call may be pending. */
export class CsvRows {
  readonly #binding = csvBinding();
  readonly #handle: CsvRowsHandle | undefined;
  /** Resolves after the last call. */
  #settled: Promise<void> = Promise.resolve();

  /** `na`: texts that stand for a missing value. `exact`: rows with a number that float32 rounds are refused. */
  constructor(delimiter: string, na: readonly string[], exact: boolean) {
    const encoder = new TextEncoder();
    const texts = na.map((text) => encoder.encode(text));
    this.#handle = this.#binding?.csvRowsNew(delimiter.charCodeAt(0), texts, exact);
  }

  /** Begins a file. `quotesCount`: false if numbers may have quotes. No call may be pending. */
  begin(columns: readonly CsvRowColumn[], quotesCount: boolean): void {
    if (this.#handle === undefined) return;
    const encoder = new TextEncoder();
    const names = columns.map(({ name }) => encoder.encode(name));
    const codes = Uint8Array.from(columns, ({ kind, required, anyBytes }) =>
      kind === undefined ? 0 : KINDS[kind] + (required ? REQUIRED : 0) + (anyBytes ? ANY_BYTES : 0),
    );
    this.#binding!.csvRowsBegin(this.#handle, names, codes, quotesCount);
  }

  /**
   * Surveys the rows of `batch`, whose memory no other code may change until the promise settles. Resolves with undefined
   * if native code cannot do it: memory ran out, or this is WebAssembly.
   */
  async survey(batch: RecordBatch): Promise<SurveyedCsvRows | undefined> {
    const surveyed = await this.#call(batch, 'csvRowsSurvey');
    return surveyed && surveyedRows(surveyed);
  }

  /** Encodes the rows of `batch` likewise. `memory` returns memory for so many bytes or more. */
  async encode(batch: RecordBatch, memory: (bytes: number) => Bytes): Promise<EncodedCsvRows | undefined> {
    const encoded = await this.#call(batch, 'csvRowsEncode');
    if (encoded === undefined) return undefined;
    const { bytes, rounded, roundings, breaks } = encoded;
    // An empty slab would look as if it had been transferred.
    const slab = memory(Math.max(1, bytes));
    const frames = new Uint32Array(2 * batch.length);
    const states = new Uint8Array(batch.length);
    const records = this.#binding!.csvRowsTake(this.#handle!, slab, frames, states);
    return {
      slab,
      frames: frames.subarray(0, 2 * records),
      states,
      rounded,
      roundings: Array.from({ length: roundings.length / 2 }, (_, i) => ({
        row: roundings[2 * i]!,
        column: roundings[2 * i + 1]!,
      })),
      lines: new RowLines(breaks),
    };
  }

  /** Waits until no native thread uses the memory of rows. Never rejects. */
  settled(): Promise<void> {
    return this.#settled;
  }

  /** Drops the columns and the records. No call may be pending. */
  free(): void {
    if (this.#handle !== undefined) this.#binding!.csvRowsFree(this.#handle);
  }

  #call<Name extends 'csvRowsSurvey' | 'csvRowsEncode'>(
    batch: RecordBatch,
    name: Name,
  ): Promise<Awaited<ReturnType<CsvBinding[Name]>>> {
    const [binding, handle] = [this.#binding, this.#handle];
    type Result = Awaited<ReturnType<CsvBinding[Name]>>;
    if (binding === undefined || handle === undefined) return Promise.resolve(undefined as Result);
    const { source, begin } = partsOf(batch);
    const call = binding[name];
    const pending = startNative(
      source.file,
      () => call(handle, source.slab, source.frames, begin, begin + batch.length) as Promise<Result>,
    );
    const done = (): void => undefined;
    this.#settled = pending.then(done, done);
    return pending;
  }
}

/** True for the state of a row that native code leaves to JavaScript. */
export function isRefusedCsvRow(state: number | undefined): boolean {
  return state === (CsvRowState.Refused as number);
}

/** The functions for rows; undefined in the WebAssembly build. */
function csvBinding(): CsvBinding | undefined {
  const binding = native();
  return binding.csvRowsNew === undefined ? undefined : (binding as CsvBinding);
}

function surveyedRows({ columns, firsts, refused, breaks }: NativeCsvSurvey): SurveyedCsvRows {
  return {
    columns: Array.from({ length: columns.length / NUMBERS }, (_, i) => {
      const [int64, float, bytes, missing, quotedEmpty] = columns.subarray(NUMBERS * i, NUMBERS * (i + 1));
      return {
        counts: { int64: int64!, float: float!, bytes: bytes! },
        missing: missing === 1,
        quotedEmpty: quotedEmpty === 1,
      };
    }),
    firsts: Array.from({ length: firsts.length / 3 }, (_, i) => {
      return { row: firsts[3 * i]!, column: firsts[3 * i + 1]!, kind: LITERALS[firsts[3 * i + 2]!]! };
    }),
    refused,
    lines: new RowLines(breaks),
  };
}
