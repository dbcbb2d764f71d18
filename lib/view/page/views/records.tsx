import type { ComponentChildren } from 'preact';

import type { Row } from '../../protocol';
import { Picture } from '../parts/picture';
import { LongList } from '../parts/long-list';
import { countText, sizeText } from '../format';
import type { ListState } from '../model/list-state';

/** Larger pictures are not fetched for a list. */
const MOST_BYTES = 8 * 2 ** 20;
const ROW_HEIGHT = 44;

/** The records in a list: their numbers, what tells most about them, and their sizes. */
export function Records({ list }: { readonly list: ListState }): ComponentChildren {
  return (
    <div class="records">
      <LongList
        label="Records"
        count={list.count}
        columns={1}
        rowHeight={ROW_HEIGHT}
        active={list.active}
        reveal={list.reveal}
        onActive={list.setActive}
        onOpen={list.open}
        onMark={list.mark}
        isMarked={list.isMarked}
        onShown={list.want}
      >
        {(index) => <Line list={list} record={list.recordAt(index)} />}
      </LongList>
    </div>
  );
}

function Line({ list, record }: { readonly list: ListState; readonly record: number }): ComponentChildren {
  const row = list.rows.get(record);
  return (
    <>
      <span class="number">{countText(record)}</span>
      {row === undefined ? <span class="cells waiting">…</span> : <Content list={list} row={row} />}
    </>
  );
}

function Content({ list, row }: { readonly list: ListState; readonly row: Row }): ComponentChildren {
  const { record, picture, cells, more, problem, kind, bytes } = row;
  return (
    <>
      {picture !== null && picture.bytes <= MOST_BYTES ? (
        <span class="thumb">
          <Picture
            client={list.client}
            file={list.file}
            record={record}
            place={picture.place}
            media={picture}
            label=""
          />
        </span>
      ) : null}
      {kind === 'Example' || problem !== null ? null : <span class="kind">{kind}</span>}
      <span class="cells">
        {problem !== null ? (
          <span class="problem">{problem.message}</span>
        ) : (
          cells.map((text, i) =>
            i % 2 === 0 ? (
              <span class="cell">
                <span class="name">{text}</span> {cells[i + 1]}
              </span>
            ) : null,
          )
        )}
        {more > 0 ? <span class="cell name">and {countText(more)} more</span> : null}
      </span>
      <span class="size">{sizeText(bytes)}</span>
    </>
  );
}
