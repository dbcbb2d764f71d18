import type { ComponentChildren, RefObject } from 'preact';
import { useState } from 'preact/hooks';

import type { FileState } from '../../protocol';
import { countText, plural, shareText } from '../format';
import type { Search } from '../model/search';

interface ToolbarProps {
  readonly state: FileState;
  readonly search: Search | undefined;
  readonly marked: number;
  readonly filter: RefObject<HTMLInputElement | null>;
  /** Text of the filter's field. */
  readonly text: string;
  readonly goTo: RefObject<HTMLInputElement | null>;
  readonly onText: (text: string) => void;
  readonly onFilter: (text: string) => void;
  readonly onGoTo: (record: number) => void;
  readonly onReadAgain: () => void;
  readonly onExport: () => void;
}

/** The toolbar: filter, field for a record number, export, and the state of the list. */
export function Toolbar(props: ToolbarProps): ComponentChildren {
  const { state, search, marked, filter, text, goTo, onText, onFilter, onGoTo, onReadAgain, onExport } = props;
  const [sought, setSought] = useState<number>();
  const missing = sought === undefined ? undefined : missingText(sought, state);
  const isError = state.problem !== null || search?.failed === true;
  const facts = knownText(state, search) + (marked > 0 && !isError ? `, ${countText(marked)} marked` : '');
  const known = missing === undefined ? facts : `${missing}; ${facts}`;
  const isOver = state.problem !== null || (search === undefined ? state.complete : search.over);
  const leave = (): void => document.querySelector<HTMLElement>('.long-list, .record')?.focus();
  const keyed = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onText('');
    if (search !== undefined) onFilter('');
    leave();
  };
  return (
    <div class="toolbar" role="search">
      <form
        class="filter"
        onSubmit={(event) => {
          event.preventDefault();
          onFilter(text);
          leave();
        }}
      >
        <input
          ref={filter}
          type="search"
          aria-label="Filter by the values of features"
          aria-keyshortcuts="/"
          placeholder="Filter: label=3 && score>0.5"
          spellcheck={false}
          autocomplete="off"
          value={text}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
          onKeyDown={keyed}
        />
        <button>Filter</button>
      </form>
      <p class={missing !== undefined || isError ? 'known problem' : 'known'} title={known}>
        {known}
      </p>
      {/* Screen readers announce only the result, not each step. */}
      <p class="heard" role="status">
        {isOver ? known : ''}
      </p>
      {state.problem === null ? null : (
        <button type="button" onClick={onReadAgain}>
          Read again
        </button>
      )}
      {search !== undefined && !search.over ? (
        <button type="button" onClick={() => search.stop()}>
          Stop
        </button>
      ) : null}
      <form
        class="go-to"
        onSubmit={(event) => {
          event.preventDefault();
          const digits = goTo.current?.value.replace(/[^\d]/g, '') ?? '';
          const record = digits === '' || !Number.isSafeInteger(Number(digits)) ? undefined : Number(digits);
          setSought(record);
          if (record !== undefined) onGoTo(record);
          leave();
        }}
      >
        <input
          ref={goTo}
          type="text"
          inputMode="numeric"
          aria-label="Go to the record with this number"
          aria-keyshortcuts="g"
          placeholder="Go to record"
          autocomplete="off"
          onFocus={({ currentTarget }) => currentTarget.select()}
          onKeyDown={(event) => {
            if (event.key === 'Escape') leave();
          }}
        />
      </form>
      <button type="button" aria-keyshortcuts="e" onClick={onExport}>
        Export
      </button>
    </div>
  );
}

/**
 * Returns the message that record `record` does not exist; undefined if it exists, or the file has a problem of its
 * own.
 */
function missingText(record: number, { records, complete, problem }: FileState): string | undefined {
  if (record < records || problem !== null) return undefined;
  if (!complete) return `record ${countText(record)} is not counted yet`;
  return records === 0
    ? `there is no record ${countText(record)}`
    : `there is no record ${countText(record)}: the last one is ${countText(records - 1)}`;
}

function knownText(state: FileState, search: Search | undefined): string {
  const { records, complete, faults, size, readBytes, problem } = state;
  // Without records, the page shows the message in their place.
  if (problem !== null) return records === 0 ? 'cannot be read' : problem.message;
  if (search !== undefined) {
    const { found, over, failed, remarks, progress } = search;
    if (failed) return remarks[0] ?? '';
    const so = over ? '' : ` so far, ${shareText(progress.readBytes, progress.totalBytes)} searched`;
    return [`${plural(found.length, 'record')} found${so}`, ...remarks].join('; ');
  }
  const damage = faults > 0 ? `, ${plural(faults, 'fault')}` : '';
  return complete
    ? `${plural(records, 'record')}${damage}`
    : `${plural(records, 'record')} so far, ${shareText(readBytes, size ?? 0)} counted${damage}`;
}
