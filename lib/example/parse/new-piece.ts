/** Fresh columns, which native code fills. */
import type { Piece } from './columns';
import { ALIGNMENT, placesIn } from './places-in';
import type { Plan } from './plan';
import type { ColumnData, TransientMemory } from '../columns';

/** How the arrays of a piece are made. */
export interface PieceOptions {
  readonly int64AsNumber: boolean;
  /** For errors. */
  readonly file: string;
  /** Gives memory for all arrays together. Default: each has its own. */
  readonly memory?: TransientMemory | undefined;
}

/**
 * Fresh columns for `rows` records. `sizes`: of each column four numbers: steps, places in `splits` behind the first,
 * values, bytes, as native code counts them. Without rows it is empty, else to be filled. @throws TFRecordError ENOMEM
 */
export function newPiece(plan: Plan, rows: number, sizes: Float64Array, options: PieceOptions): Piece {
  const { int64AsNumber, memory } = options;
  // Nobody fills a piece without rows: its positions are a zero each.
  const slab = (): ArrayBuffer | undefined => (rows === 0 ? undefined : memory?.take(bytesAtMost(plan, rows, sizes)));
  const place = placesIn(slab, options.file);
  const positions = (count: number): Int32Array<ArrayBuffer> => new Int32Array(...place(4, count));
  const columns = plan.columns.map(({ section, kind, count }, i): ColumnData => {
    const splits = sizes[4 * i + 1]!;
    const values = sizes[4 * i + 2]!;
    return {
      steps: section === 1 ? positions(rows + 1) : undefined,
      splits: count < 0 ? positions(splits + 1) : undefined,
      offsets: kind === 1 ? positions(values + 1) : undefined,
      values:
        kind === 1
          ? new Uint8Array(...place(1, sizes[4 * i + 3]!))
          : kind === 2
            ? new Float32Array(...place(4, values))
            : int64AsNumber
              ? new Float64Array(...place(8, values))
              : new BigInt64Array(...place(8, values)),
    };
  });
  return { plan, rows, columns, memory };
}

function bytesAtMost({ columns }: Plan, rows: number, sizes: Float64Array): number {
  // For each of four arrays what is behind its last place, and up to a boundary.
  let bytes = columns.length * 4 * (4 + ALIGNMENT);
  columns.forEach(({ section, kind }, i) => {
    if (section === 1) bytes += 4 * rows;
    const values = sizes[4 * i + 2]!;
    bytes += 4 * sizes[4 * i + 1]! + (kind === 3 ? 8 : 4) * values + sizes[4 * i + 3]!;
  });
  return bytes;
}
