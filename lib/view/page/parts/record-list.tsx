import type { ComponentChildren } from 'preact';

import type { Client } from '../../protocol';
import type { RowCache } from '../model/row-cache';
import { LongList } from './long-list';

/** The records that views list: all of a file, or those that a filter has found. */
export interface ListState {
  readonly client: Client;
  readonly file: number;
  readonly rows: RowCache;
  /** Number of entries found so far. */
  readonly count: number;
  /** The selected entry, which keys change. */
  readonly active: number;
  /** A change of this value scrolls to the active entry. */
  readonly reveal: unknown;
  readonly recordAt: (index: number) => number;
  readonly setActive: (index: number) => void;
  readonly open: (index: number) => void;
  readonly mark: (index: number) => void;
  readonly isMarked: (index: number) => boolean;
  /** Requests the rows of the entries from `first` to before `end`. */
  readonly want: (first: number, end: number) => void;
}

interface RecordListProps {
  readonly list: ListState;
  readonly label: string;
  /** Number of entries side by side. */
  readonly columns: number;
  readonly rowHeight: number;
  /** Called with the width of the list in pixels. */
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
