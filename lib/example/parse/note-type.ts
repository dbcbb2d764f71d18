/**
 * Warns of records that are not of the plan's type. Parsing such a record would give few values or none, without an
 * error.
 */
import { statSync } from 'node:fs';

import { otherType, warnOtherType, type OtherType } from '../feature';
import { ColumnSize } from '../../native';
import { readRecordsSync } from '../../record';
import type { ParsedColumns } from './parsed-columns';
import type { Plan } from './plan';

/** Plans that have caused a warning. Each causes one, however many records a job parses. */
const noted = new WeakSet<Plan>();

/** Bytes of a stream that are kept until its first record was judged. */
const HEAD_BYTES = 64 * 1024;

/** The first bytes of a stream, which cannot be read a second time. */
export class StreamHead {
  readonly #bytes = new Uint8Array(HEAD_BYTES);
  #length = 0;

  add(chunk: Uint8Array): void {
    const count = Math.min(chunk.length, HEAD_BYTES - this.#length);
    if (count === 0) return;
    this.#bytes.set(chunk.subarray(0, count), this.#length);
    this.#length += count;
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}

/** Warns if `record`, the first or only one, is clearly of another type. */
export function noteRecord(plan: Plan, record: Uint8Array): void {
  if (noted.has(plan)) return;
  const other = otherType(record, plan.sequenceExample);
  if (other !== undefined) note(plan, 'A record', other);
}

/**
 * Warns if the first record of a reader's `file`, of which a stream has kept the `head`, is clearly of another type.
 * Native threads parsed it into `piece`; the record is read again only if the first row has no values.
 */
export function noteColumns(plan: Plan, piece: ParsedColumns, file: string, head: Uint8Array | undefined): void {
  if (noted.has(plan) || piece.rows === 0 || !isEmptyRow(plan, piece)) return;
  const other = otherTypeIn(plan, file, head);
  if (other !== undefined) note(plan, `Record 0 of ${file}`, other);
}

/**
 * The type of the first record of `file`, or of `head`, if it is clearly not the plan's type; undefined otherwise, or if
 * that is unknown.
 */
export function otherTypeIn(plan: Plan, file: string, head: Uint8Array | undefined): OtherType | undefined {
  try {
    // A pipe would lose the bytes that are read here.
    if (head === undefined && !statSync(file).isFile()) return undefined;
    for (const record of readRecordsSync(head ?? file)) return otherType(record, plan.sequenceExample);
  } catch {
    // The file is gone or damaged, which reading it reports, or the record is longer than the head.
  }
  return undefined;
}

function note(plan: Plan, where: string, other: OtherType): void {
  noted.add(plan);
  warnOtherType(where, other);
}

/**
 * True if the first row has no values except defaults. If the rows are in native memory, they stay there, and it is
 * true if no row has any.
 */
function isEmptyRow({ columns: planned }: Plan, piece: ParsedColumns): boolean {
  const sizes = piece.untaken?.sizes();
  if (sizes !== undefined) {
    return planned.every(
      ({ fallback }, i) => fallback !== undefined || sizes[ColumnSize.Count * i + ColumnSize.Values] === 0,
    );
  }
  return piece.columns.every(({ present, splits, steps }, i) => {
    if (planned[i]?.fallback !== undefined) return true;
    return (present ?? steps ?? splits)?.[1] === 0;
  });
}
