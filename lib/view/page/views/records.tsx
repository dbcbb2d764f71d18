import type { ComponentChildren } from 'preact';

import type { Row } from '../../protocol';
import { Picture } from '../parts/picture';
import { RecordList, type ListState } from '../parts/record-list';
import { countText, sizeText } from '../format';

/** Maximum bytes of a picture in a list. */
const MAX_BYTES = 8 * 2 ** 20;
const ROW_HEIGHT = 44;

/** The view of records as a list: their numbers, their most descriptive values, and their sizes. */
export function Records({ list }: { readonly list: ListState }): ComponentChildren {
  return (
    <div class="records">
      <RecordList list={list} label="Records" columns={1} rowHeight={ROW_HEIGHT}>
        {(record) => <Line list={list} record={record} />}
      </RecordList>
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
      {picture !== null && picture.bytes <= MAX_BYTES ? (
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
