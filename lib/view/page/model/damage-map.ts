import type { Fault } from '../../protocol';

/** The content of a part of a file: whole records, a damaged one, or bytes that cannot be read. */
export type Cell = 'unread' | 'whole' | 'damaged' | 'lost';

interface FileParts {
  readonly faults: readonly Fault[];
  /** Bytes of the uncompressed stream that were read. */
  readonly bytes: number;
  /** Share of the file that was looked through, from 0 to 1. */
  readonly read: number;
  readonly cells: number;
}

/** The map of a file, and the number of uncompressed bytes that it stands for. */
export interface DamageMap {
  readonly cells: readonly Cell[];
  readonly total: number;
}

/** Divides a file into `cells` parts of the same size, and says what is in each. */
export function damageMap({ faults, bytes, read, cells }: FileParts): DamageMap {
  const behind = faults.reduce((end, { offset, lost }) => Math.max(end, (offset ?? 0) + (lost ?? 0) + 1), bytes);
  const total = Math.max(1, read > 0 && read < 1 ? Math.max(behind, Math.round(bytes / read)) : behind);
  const cellAt = (offset: number): number => Math.min(cells - 1, Math.floor((offset / total) * cells));
  const map: Cell[] = Array.from({ length: cells }, (_, i) => (i < Math.ceil(read * cells) ? 'whole' : 'unread'));
  for (const { offset, lost } of faults) {
    if (offset === null) continue;
    const first = cellAt(offset);
    // The end of what is lost is not always known: then nothing behind was read.
    const last = lost === null ? (bytes > offset ? first : cells - 1) : cellAt(offset + Math.max(0, lost - 1));
    const kind = lost === 0 ? 'damaged' : 'lost';
    for (let cell = first; cell <= last; cell++) if (map[cell] !== 'lost') map[cell] = kind;
  }
  return { cells: map, total };
}
