/** Warns of records that are clearly not of the plan's type, of which parsing gives few values or none. */
import { otherType, warnOtherType, type OtherType } from '../feature';
import { ColumnSize } from '../../native';
import type { ParsedColumns } from './parsed-columns';
import type { Plan } from './plan';

/** Plans that have caused a warning. Each causes one, however many records a job parses. */
const noted = new WeakSet<Plan>();

/** Warns if `record`, the first or only one, is clearly of another type. */
export function noteRecord(plan: Plan, record: Uint8Array): void {
  if (noted.has(plan)) return;
  const other = otherType(record, plan.sequenceExample);
  if (other !== undefined) note(plan, 'A record', other);
}

/**
 * Warns if the first record of `file` is clearly of the type `other`, and native threads, which parsed it into `piece`,
 * found no values in it.
 */
export function noteColumns(plan: Plan, piece: ParsedColumns, file: string, other: OtherType | undefined): void {
  if (other === undefined || noted.has(plan) || piece.rows === 0 || !isEmptyRow(plan, piece)) return;
  note(plan, `Record 0 of ${file}`, other);
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
