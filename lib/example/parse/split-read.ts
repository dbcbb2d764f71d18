import { slicePiece } from './columns';
import type { ParsedRows } from './parsed-rows';
import type { ParsedRead } from './piece-taker';

/** `read`, whose rows are `rows`, two or more, as two with half of the rows each. */
export function splitRead(read: ParsedRead, rows: ParsedRows): [ParsedRead, ParsedRead] {
  const { piece, faults, lengths, payload } = read;
  const middle = rows.length >>> 1;
  const cut = rows.recordOf(middle);
  const { record: firstRecord, offset } = rows.originOfRecord(cut);
  const before = lengths.subarray(0, cut);
  const bytes = before.reduce((sum, length) => sum + length, 0);
  const first = faults.filter(({ index }) => index < cut);
  const second = faults.slice(first.length).map((fault) => ({ ...fault, index: fault.index - cut }));
  return [
    { ...read, piece: slicePiece(piece, 0, middle), faults: first, lengths: before, payload: bytes },
    {
      ...read,
      piece: slicePiece(piece, middle, piece.rows),
      faults: second,
      lengths: lengths.subarray(cut),
      payload: payload - bytes,
      firstRecord,
      offset,
    },
  ];
}
