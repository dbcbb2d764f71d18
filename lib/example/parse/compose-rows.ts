import type { ComposedRows } from './assembly';
import type { OtherType } from '../feature';
import { slicePiece, type Piece } from './columns';
import type { RecordPlace } from './parse-fault';
import { composeBefore, type ParsedBefore, type UpToFault } from './parse-records';
import { isTooLarge } from '../columns';

/** Rows by their number. */
export type Rows = Pick<ComposedRows, 'at'>;

/**
 * The rows before the first record that cannot be composed: {@link composeBefore}, but that what is too large together only
 * comes in parts, so that it is no error of records that nobody puts together.
 */
export function composeRows(
  parsed: UpToFault,
  place: (row: number) => RecordPlace,
  compose: (piece: Piece) => Rows,
  other: (row: number) => OtherType | undefined,
): ParsedBefore<Rows> {
  const { piece, fault } = parsed;
  try {
    return composeBefore(parsed, place, compose, other);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    if (piece.rows === 1) return { rows: 0, value: NO_ROWS, error };
  }
  const middle = piece.rows >>> 1;
  const first = composeRows({ piece: slicePiece(piece, 0, middle) }, place, compose, other);
  if (first.error !== undefined) return first;
  const rest = { piece: slicePiece(piece, middle, piece.rows), fault };
  const second = composeRows(
    rest,
    (row) => place(middle + row),
    compose,
    (row) => other(middle + row),
  );
  return {
    rows: middle + second.rows,
    value: { at: (row) => (row < middle ? first.value.at(row) : second.value.at(row - middle)) },
    error: second.error,
  };
}

const NO_ROWS: Rows = {
  at(row) {
    throw new RangeError(`no row ${row}`);
  },
};
