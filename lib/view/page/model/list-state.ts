import type { Client } from '../../protocol';
import type { RowCache } from './row-cache';

/** The list of records that the views share: all of a file, or those that a filter has found. */
export interface ListState {
  readonly client: Client;
  readonly file: number;
  readonly rows: RowCache;
  /** Number of entries that are known. */
  readonly count: number;
  /** The entry that the keys move. */
  readonly active: number;
  /** Changes when the list is to show the active entry again. */
  readonly reveal: unknown;
  readonly recordAt: (index: number) => number;
  readonly setActive: (index: number) => void;
  readonly open: (index: number) => void;
  readonly mark: (index: number) => void;
  readonly isMarked: (index: number) => boolean;
  /** Asks for the rows of the entries from `first` to before `end`. */
  readonly want: (first: number, end: number) => void;
}
