/** Rows of CSV that native code reads, a portion at a time. JavaScript reads the headers, and the rows that it refuses. */
import type { Bytes } from '../../base';
import { CsvRows, isRefusedCsvRow, type CsvRowColumn, type EncodedCsvRows, type SurveyedCsvRows } from '../../example';
import { MemoryPool } from '../../io';
import { encodedBatch } from '../../record';
import { LINE_PARTS, linesOf, numbered, partsOfLines } from '../batches';
import type { CsvSettings, InputBatch, UnitBatch } from '../format';
import type { LinePiece } from '../input/decoding-reader';
import type { Header } from './header';
import type { Delimiter } from './row-splitter';

/** JavaScript reads all rows of a part of which native code refuses more than one in so many: the pieces would be small. */
const FEW = 16;

/** Some rows of a portion, as native code has surveyed them. Undefined: JavaScript must read them. */
interface SurveyedPart {
  readonly lines: UnitBatch;
  readonly surveyed: SurveyedCsvRows | undefined;
}

/** Some rows of a portion, as native code has encoded them. Undefined: JavaScript must read them. */
export interface EncodedPart {
  readonly lines: UnitBatch;
  readonly encoded: EncodedCsvRows | undefined;
}

/** The rows of one input after the other. One call may be pending. */
export class NativeRows {
  readonly #rows: readonly CsvRows[];
  readonly #memory = new MemoryPool();
  /** Slabs of the current parts. */
  #slabs: Bytes[] = [];

  constructor(delimiter: Delimiter, { na, exact }: CsvSettings) {
    this.#rows = Array.from({ length: LINE_PARTS }, () => new CsvRows(delimiter, na, exact));
  }

  /** Begins an input. */
  begin(columns: readonly CsvRowColumn[], { quotesCount }: Header): void {
    for (const rows of this.#rows) rows.begin(columns, quotesCount);
  }

  /** Surveys `lines`, rows of the current input. */
  survey(lines: UnitBatch): Promise<readonly SurveyedPart[]> {
    const parts = partsOfLines(lines, LINE_PARTS);
    return Promise.all(
      parts.map(async (part, i) => ({ lines: part, surveyed: await this.#rows[i]!.survey(part.batch) })),
    );
  }

  /** Encodes `lines`, rows of the current input. The records are valid until the next call. */
  encode(lines: UnitBatch, file: string): Promise<readonly EncodedPart[]> {
    for (const slab of this.#slabs) this.#memory.end(slab);
    this.#slabs = [];
    return Promise.all(
      partsOfLines(lines, LINE_PARTS).map(async (part, i) => {
        const encoded = await this.#rows[i]!.encode(part.batch, (bytes) => {
          const slab = this.#memory.lease(bytes, file);
          this.#slabs.push(slab);
          return slab;
        });
        return { lines: part, encoded: encoded !== undefined && isUseful(encoded) ? encoded : undefined };
      }),
    );
  }

  /** Waits until no thread uses the rows, and drops them. */
  async close(): Promise<void> {
    for (const rows of this.#rows) {
      await rows.settled();
      rows.free();
    }
    this.#memory.close();
  }
}

/**
 * False if JavaScript should read all rows: it must read many, or numbers were rounded, of which the notes count only those
 * of rows before a fault.
 */
function isUseful({ states, rounded }: EncodedCsvRows): boolean {
  const refused = states.reduce((sum, state) => sum + Number(isRefusedCsvRow(state)), 0);
  return refused * FEW <= states.length && (refused === 0 || Array.from(rounded).every((count) => count === 0));
}

/**
 * The pieces of `lines`: rows that were encoded, and rows that JavaScript must read. `skip` is called with the number of lines
 * before the row after each piece that was encoded.
 */
export function* piecesOf(
  lines: UnitBatch,
  encoded: EncodedCsvRows,
  file: string,
  skip: (lines: number) => void,
): Generator<LinePiece, undefined> {
  const { states } = encoded;
  let record = 0;
  for (let row = 0; row < states.length;) {
    const isRefused = isRefusedCsvRow(states[row]);
    let end = row + 1;
    while (end < states.length && isRefusedCsvRow(states[end]) === isRefused) end++;
    const piece = linesOf(lines, row, end);
    if (isRefused) {
      yield { lines: piece };
    } else {
      skip(encoded.lines.before(end));
      const numbers = takenNumbers(piece, states.subarray(row, end));
      if (numbers.length > 0) yield { lines: piece, records: recordsOf(piece, encoded, record, numbers, file) };
      record += numbers.length;
    }
    row = end;
  }
  return undefined;
}

/** The numbers of the rows of `piece` that have a record: all but blank lines. */
function takenNumbers({ numbers }: UnitBatch, states: Uint8Array): Float64Array {
  const taken = new Float64Array(states.length);
  let count = 0;
  for (const [i, state] of states.entries()) if (state !== BLANK) taken[count++] = numbers + i;
  return taken.subarray(0, count);
}

const BLANK = 0;

/** The records from number `record` on, one for each of `numbers`. */
function recordsOf(
  { input }: UnitBatch,
  { slab, frames }: EncodedCsvRows,
  record: number,
  numbers: Float64Array,
  file: string,
): InputBatch {
  const own = frames.subarray(2 * record, 2 * (record + numbers.length));
  return { batch: numbered(encodedBatch(slab, own), file, (i) => numbers[i]!), input, numbers };
}
