/** Joins pieces of one plan. */
import { arraysOf, concatTaken, type Piece, type UntakenColumns } from './columns';
import { newPiece } from './new-piece';
import type { Plan } from './plan';
import { MAX_POSITION, tooLarge } from '../columns';

/**
 * The records of all pieces, of which there is at least one; all are of one plan. The result is a copy, unless there is
 * only one piece.
 * @throws TFRecordError TFR_RECORD_TOO_LARGE if a column outgrows int32 positions
 */
export function concatPieces(pieces: readonly Piece[]): Piece {
  const [first] = pieces as readonly [Piece, ...Piece[]];
  if (pieces.length === 1) return first;
  const rows = pieces.reduce((sum, piece) => sum + piece.rows, 0);
  const untaken = pieces.flatMap((piece) => piece.untaken ?? []);
  if (untaken.length === pieces.length) return joinUntaken(untaken, first.plan, rows);
  return concatTaken(pieces, rows);
}

/** Native code copies each column once, straight to its place, and nothing is allocated in between. */
function joinUntaken(parts: readonly UntakenColumns[], plan: Plan, rows: number): Piece {
  const all = parts.map((part) => part.sizes());
  const total = new Float64Array(4 * plan.columns.length);
  for (const sizes of all) add(total, sizes);
  plan.columns.forEach(({ section, kind, count }, i) => {
    const [, splits = 0, values = 0, bytes = 0] = total.subarray(4 * i, 4 * i + 4);
    const check = (size: number, unit: string): void => {
      if (size > MAX_POSITION) throw tooLarge(plan.keys[i]!, rows, size, unit);
    };
    if (kind === 1) check(bytes, 'bytes');
    check(values, 'values');
    if (section === 1) check(count < 0 ? splits : values / count, 'steps');
  });
  const [{ options }] = parts as readonly [UntakenColumns, ...UntakenColumns[]];
  const piece = newPiece(plan, rows, total, options);
  const arrays = arraysOf(piece);
  const filled = new Float64Array(total.length);
  parts.forEach((part, i) => {
    part.moveBehind(arrays, filled);
    add(filled, all[i]!);
  });
  return piece;
}

function add(to: Float64Array, sizes: Float64Array): void {
  for (let i = 0; i < to.length; i++) to[i] = to[i]! + sizes[i]!;
}
