import { COMPRESSIONS, type Compression } from '../base';
import { newParser, RecordJudge } from '../example';
import {
  DuckdbEventKind,
  DuckdbPlace,
  DuckdbVerdict,
  FillOutcome,
  type DuckdbEvent,
  type DuckdbFile,
  type DuckdbReading,
  type ParserHandle,
} from '../native';
import { readableFilesSync, resolveReadOptions, stepAfter, type ReadableFile, type ReadPlan } from '../record';
import { textFault, type Table } from '../table';
import { scanError, type BoundQuery, type UsedColumns } from './bound-query';
import { nativeFile } from './native-sample';
import { textForDuckDB } from './query-errors';

const PLACES = { filename: DuckdbPlace.FileName, file_row_number: DuckdbPlace.RecordNumber } as const;

const VERDICTS = {
  fill: DuckdbVerdict.Continue,
  skip: DuckdbVerdict.Skip,
  done: DuckdbVerdict.NextFile,
  stop: DuckdbVerdict.Stop,
} as const;

/** One pass over the files of a query by native code, which asks it about errors. */
export class NativeReading implements DuckdbReading {
  readonly parser: ParserHandle;
  readonly columns: readonly number[];
  readonly files: readonly DuckdbFile[];
  readonly #bound: BoundQuery;
  readonly #table: Table;
  readonly #found: readonly ReadableFile[];
  readonly #plan: ReadPlan;
  readonly #judge: RecordJudge;

  constructor(bound: BoundQuery, { table, columns }: UsedColumns) {
    this.#bound = bound;
    this.#table = table;
    this.#plan = resolveReadOptions(bound.read);
    this.#judge = new RecordJudge(table.plan, this.#plan.policy);
    this.#found = readableFilesSync(bound.paths, this.#plan);
    this.parser = newParser(table.plan, 'bigint');
    this.columns = columns.map((column) => (typeof column === 'number' ? column : PLACES[column]));
    this.files = this.#found.map(nativeFile);
  }

  judge(event: DuckdbEvent): DuckdbVerdict | string {
    try {
      return this.#verdict(event);
    } catch (error) {
      return textForDuckDB(scanError(this.#bound, error));
    }
  }

  #verdict(event: DuckdbEvent): DuckdbVerdict {
    const { policy } = this.#plan;
    policy.passed(event.passed);
    if (event.kind === DuckdbEventKind.End) {
      policy.ended();
      return DuckdbVerdict.Continue;
    }
    const { file, error } = this.#found[event.file]!;
    const { record, offset, index, data, parse, firstType, halt } = event;
    const place = { file, record, offset };
    switch (event.kind) {
      case DuckdbEventKind.Refused:
        return afterRecord(policy.resolve(error!));
      case DuckdbEventKind.Type:
        this.#judge.note(file, firstType!);
        return DuckdbVerdict.Continue;
      case DuckdbEventKind.Record:
        return afterRecord(this.#judge.record({ data, parse, index }, place, firstType));
      case DuckdbEventKind.Text: {
        const fault = textFault(this.#table.columns[event.column!]!, index, event.bytes!);
        return afterRecord(this.#judge.feature(fault, place, firstType));
      }
      case DuckdbEventKind.Halt: {
        const totalBytes = event.totalBytes!;
        const compression = COMPRESSIONS[event.compression!] as Compression;
        return VERDICTS[stepAfter(policy, file, { outcome: FillOutcome.Halt, halt, totalBytes, compression })];
      }
    }
  }
}

function afterRecord(decision: 'skip' | 'stop'): DuckdbVerdict {
  return decision === 'skip' ? DuckdbVerdict.Continue : DuckdbVerdict.Stop;
}
