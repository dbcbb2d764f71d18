import type { Fault } from '../../protocol';

/** The content of a part of a file: not read yet, intact records, a damaged record, or bytes that cannot be read. */
export type Cell = 'unread' | 'whole' | 'damaged' | 'lost';

interface FileParts {
  readonly faults: readonly Fault[];
  /** Number of bytes of the uncompressed stream that were read. */
  readonly bytes: number;
  /** Share of the file that was read, from 0 to 1. */
  readonly read: number;
  readonly cells: number;
}

/** The map of a file, and the number of uncompressed bytes that it covers. */
export interface DamageMap {
  readonly cells: readonly Cell[];
  readonly total: number;
}

/** Divides a file into `cells` parts of equal size, and returns the content of each. */
export function damageMap({ faults, bytes, read, cells }: FileParts): DamageMap {
  const behind = faults.reduce((end, { offset, lost }) => Math.max(end, (offset ?? 0) + (lost ?? 0) + 1), bytes);
  const total = Math.max(1, read > 0 && read < 1 ? Math.max(behind, Math.round(bytes / read)) : behind);
  const cellAt = (offset: number): number => Math.min(cells - 1, Math.floor((offset / total) * cells));
  const map: Cell[] = Array.from({ length: cells }, (_, i) => (i < Math.ceil(read * cells) ? 'whole' : 'unread'));
  for (const { offset, lost } of faults) {
    if (offset === null) continue;
    const first = cellAt(offset);
    // If the end of the lost bytes is unknown, and nothing was read after them, they extend to the end.
    const last = lost === null ? (bytes > offset ? first : cells - 1) : cellAt(offset + Math.max(0, lost - 1));
    const kind = lost === 0 ? 'damaged' : 'lost';
    for (let cell = first; cell <= last; cell++) if (map[cell] !== 'lost') map[cell] = kind;
  }
  return { cells: map, total };
}
