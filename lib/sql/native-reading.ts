import { COMPRESSIONS, type Compression } from '../base';
import { foreignTypeError, newParser, RecordJudge } from '../example';
import {
  DuckdbEventKind,
  DuckdbPlace,
  DuckdbVerdict,
  FillOutcome,
  RecordTypeCode,
  type DuckdbEvent,
  type DuckdbFile,
  type DuckdbReading,
  type ParserHandle,
} from '../native';
import { stepAfter, type ReadableFile, type ReadPlan } from '../record';
import { textFault, type Table } from '../table';
import { nativeFile } from './native-sample';
import type { PlaceColumn, ScanColumn } from './table-scan';

const PLACES = {
  filename: DuckdbPlace.FileName,
  file_row_number: DuckdbPlace.RecordNumber,
  record_offset: DuckdbPlace.RecordOffset,
} as const satisfies Record<PlaceColumn, DuckdbPlace>;

const VERDICTS = {
  fill: DuckdbVerdict.Continue,
  skip: DuckdbVerdict.Skip,
  done: DuckdbVerdict.NextFile,
  stop: DuckdbVerdict.Stop,
} as const;

/** The records to read, and what to do with errors. */
export interface ReadingRequest {
  readonly table: Table;
  readonly columns: readonly ScanColumn[];
  readonly files: readonly ReadableFile[];
  readonly plan: ReadPlan;
  /** Returns the text for DuckDB of an error that ends the query. */
  readonly fail: (error: unknown) => string;
  /**
   * Called several times per second, and at the end, with the number of stored bytes that were read so far, and of rows
   * that were handed out. May throw.
   */
  readonly progress?: ((bytes: number, rows: number) => void) | undefined;
  /** True if a record that is an Event is a fault, instead of a row without values. Default: false. */
  readonly refusesEvents?: boolean | undefined;
}

/** One pass over the files of a query by native code, which asks it about errors. */
export class NativeReading implements DuckdbReading {
  readonly parser: ParserHandle;
  readonly columns: readonly number[];
  readonly files: readonly DuckdbFile[];
  readonly refusesEvents: boolean;
  readonly reports: boolean;
  readonly #request: ReadingRequest;
  readonly #judge: RecordJudge;
  #rows = 0;
  /** The file of the last report, and the size of those before it. */
  #file = 0;
  #before = 0;
  #reported = 0;

  constructor(request: ReadingRequest) {
    const { table, columns, files, plan, refusesEvents = false, progress } = request;
    this.#request = request;
    this.#judge = new RecordJudge(table.plan, plan.policy);
    this.parser = newParser(table.plan, 'bigint');
    this.columns = columns.map((column) => (typeof column === 'number' ? column : PLACES[column]));
    this.files = files.map(nativeFile);
    this.refusesEvents = refusesEvents;
    this.reports = progress !== undefined;
  }

  /** Number of rows that were handed out before the last event. */
  get rows(): number {
    return this.#rows;
  }

  judge(event: DuckdbEvent): DuckdbVerdict | string {
    try {
      const verdict = this.#verdict(event);
      // Nothing follows that would report these rows.
      if (verdict === DuckdbVerdict.Stop) this.#report(0);
      return verdict;
    } catch (error) {
      return this.#request.fail(error);
    }
  }

  #verdict(event: DuckdbEvent): DuckdbVerdict {
    const { table, files, plan } = this.#request;
    const { policy } = plan;
    policy.passed(event.passed);
    this.#rows += event.passed;
    if (event.kind === DuckdbEventKind.End) {
      policy.ended();
      this.#report(this.#bytesBefore(files.length));
      return DuckdbVerdict.Continue;
    }
    const { file, error } = files[event.file]!;
    const { record, offset, index, data, parse, type, firstType, halt } = event;
    const place = { file, record, offset };
    switch (event.kind) {
      case DuckdbEventKind.Refused:
        return afterRecord(policy.resolve(error!));
      case DuckdbEventKind.Type:
        if (!this.refusesEvents || firstType !== RecordTypeCode.Event) this.#judge.note(file, firstType!);
        return DuckdbVerdict.Continue;
      case DuckdbEventKind.Record:
        return afterRecord(this.#judge.record({ data, parse, index }, place, type));
      case DuckdbEventKind.Text: {
        const fault = textFault(table.columns[event.column!]!, index, event.bytes!);
        return afterRecord(this.#judge.feature(fault, place, record === 0 ? firstType : undefined));
      }
      case DuckdbEventKind.Foreign:
        return afterRecord(
          policy.resolve(foreignTypeError('an Example or SequenceExample', place, RecordTypeCode.Event)),
        );
      case DuckdbEventKind.Progress:
        this.#report(this.#bytesBefore(event.file) + event.compressedBytes!);
        return DuckdbVerdict.Continue;
      case DuckdbEventKind.Halt: {
        const totalBytes = event.totalBytes!;
        const compression = COMPRESSIONS[event.compression!] as Compression;
        return VERDICTS[stepAfter(policy, file, { outcome: FillOutcome.Halt, halt, totalBytes, compression })];
      }
    }
  }

  /** Reports the rows so far, and that `bytes`, or as many as the last time, were read. */
  #report(bytes: number): void {
    this.#reported = Math.max(this.#reported, bytes);
    this.#request.progress?.(this.#reported, this.#rows);
  }

  /** The size of the files before number `file`. */
  #bytesBefore(file: number): number {
    for (; this.#file < file; this.#file++) this.#before += this.#request.files[this.#file]!.bytes ?? 0;
    return this.#before;
  }
}

function afterRecord(decision: 'skip' | 'stop'): DuckdbVerdict {
  return decision === 'skip' ? DuckdbVerdict.Continue : DuckdbVerdict.Stop;
}
