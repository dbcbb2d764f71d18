import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { Picture } from '../parts/picture';
import { RecordList, type ListState } from '../parts/record-list';
import { countText } from '../format';

const CARD_WIDTH = 200;
const CARD_HEIGHT = 196;

/** The pictures of the records, side by side. */
export function Pictures({ list }: { readonly list: ListState }): ComponentChildren {
  const [columns, setColumns] = useState(4);
  return (
    <div class="pictures">
      <RecordList
        list={list}
        label="Pictures of the records"
        columns={columns}
        rowHeight={CARD_HEIGHT}
        onWidth={(width) => setColumns(Math.max(1, Math.floor(width / CARD_WIDTH)))}
      >
        {(record) => <Card list={list} record={record} />}
      </RecordList>
    </div>
  );
}

function Card({ list, record }: { readonly list: ListState; readonly record: number }): ComponentChildren {
  const row = list.rows.get(record);
  const picture = row?.picture ?? null;
  const labels = [...new Set(row?.boxes.map(({ label }) => label))].filter((label) => label !== '').join(', ');
  return (
    <>
      <span class="card">
        {picture !== null ? (
          <Picture
            client={list.client}
            file={list.file}
            record={record}
            place={picture.place}
            media={picture}
            boxes={row?.boxes ?? []}
            label={`Picture of record ${record}`}
          />
        ) : (
          <span class="no-picture">
            {row === undefined ? '…' : (row.problem?.message ?? row.cells.slice(0, 6).join(' '))}
          </span>
        )}
      </span>
      <span class="caption">
        <span class="number">{countText(record)}</span> {labels === '' ? captionOf(row?.cells) : labels}
      </span>
    </>
  );
}

/** Returns the first short text of a row, for pictures without objects. */
function captionOf(cells: readonly string[] = []): string {
  const at = cells.findIndex((name, i) => i % 2 === 0 && /label|class|name|text|caption/i.test(name));
  return at < 0 ? '' : (cells[at + 1] ?? '');
}
