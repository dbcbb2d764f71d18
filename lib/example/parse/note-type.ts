/** Warns about records that are clearly not of the plan's type, for which parsing returns few values or none. */
import { isDoubtful, otherType, warnOtherType, type OtherType } from '../feature';
import { ColumnSize } from '../../native';
import type { ParsedColumns } from './parsed-columns';
import type { Plan } from './plan';

/** Plans that have caused a warning. Each plan causes at most one. */
const noted = new WeakSet<Plan>();

/** Warns if `record`, the first or only one, is clearly of another type. */
export function noteRecord(plan: Plan, record: Uint8Array): void {
  if (!isDoubtful(record, plan.sequenceExample) || noted.has(plan)) return;
  const other = otherType(record, plan.sequenceExample);
  if (other !== undefined) note(plan, 'A record', other);
}

/**
 * Warns if the first record of `file` is clearly of the type `other`, and native threads, which parsed it into `piece`,
 * found no values in it.
 */
export function noteColumns(plan: Plan, piece: ParsedColumns, file: string, other: OtherType | undefined): void {
  if (other === undefined || noted.has(plan) || piece.rows === 0 || !isEmptyRow(plan, piece)) return;
  noteFirst(plan, file, other);
}

/** Warns that the first record of `file` is clearly of the type `other`, and has no values. */
export function noteFirst(plan: Plan, file: string, other: OtherType): void {
  if (!noted.has(plan)) note(plan, `Record 0 of ${file}`, other);
}

function note(plan: Plan, where: string, other: OtherType): void {
  noted.add(plan);
  warnOtherType(where, other);
}

/**
 * True if the first row has no values except defaults. Rows in native memory are not moved: it is then true if no row
 * has values.
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
