import type { ComponentChildren } from 'preact';

import type { Client } from '../../protocol';
import type { RowCache } from '../model/row-cache';
import { LongList } from './long-list';

/** The records that the views list: all of a file, or those that a filter has found. */
export interface ListState {
  readonly client: Client;
  readonly file: number;
  readonly rows: RowCache;
  /** Number of entries that are known. */
  readonly count: number;
  /** The entry that the keys move. */
  readonly active: number;
  /** A change shows the active entry again. */
  readonly reveal: unknown;
  readonly recordAt: (index: number) => number;
  readonly setActive: (index: number) => void;
  readonly open: (index: number) => void;
  readonly mark: (index: number) => void;
  readonly isMarked: (index: number) => boolean;
  /** Asks for the rows of the entries from `first` to before `end`. */
  readonly want: (first: number, end: number) => void;
}

interface RecordListProps {
  readonly list: ListState;
  readonly label: string;
  /** Entries side by side. */
  readonly columns: number;
  readonly rowHeight: number;
  /** Called with the width of the list. */
  readonly onWidth?: (width: number) => void;
  /** Draws the entry of a record. */
  readonly children: (record: number) => ComponentChildren;
}

/** The records of a list, one entry each. */
export function RecordList({ list, label, columns, rowHeight, onWidth, children }: RecordListProps): ComponentChildren {
  return (
    <LongList
      label={label}
      count={list.count}
      columns={columns}
      rowHeight={rowHeight}
      active={list.active}
      reveal={list.reveal}
      onActive={list.setActive}
      onOpen={list.open}
      onMark={list.mark}
      isMarked={list.isMarked}
      onShown={list.want}
      {...(onWidth === undefined ? {} : { onWidth })}
    >
      {(index) => children(list.recordAt(index))}
    </LongList>
  );
}
