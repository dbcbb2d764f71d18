import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';

import { withStates, type Client, type FileState } from '../protocol';
import { baseName } from './format';
import { useCurveView } from './model/curve-view';
import { exportables } from './model/exportable';
import { dropValues } from './model/pictures';
import { RowCache } from './model/row-cache';
import { conditionsOf, Search } from './model/search';
import { startDamage, startStatistics, type DamageWork, type StatisticsWork } from './model/work';
import { CurveSettings } from './parts/curve-settings';
import { Export } from './parts/export';
import { Files } from './parts/files';
import { Help } from './parts/help';
import { Start, useShell } from './parts/start';
import type { ListState } from './parts/record-list';
import { Runs } from './parts/runs';
import { Toolbar } from './parts/toolbar';
import { Curves } from './views/curves';
import { Damage } from './views/damage';
import { Pictures } from './views/pictures';
import { Record } from './views/record';
import { Records } from './views/records';
import { Statistics } from './views/statistics';
import type { Shell } from './shell';

const VIEWS = [
  ['records', 'Records'],
  ['record', 'Record'],
  ['pictures', 'Pictures'],
  ['statistics', 'Statistics'],
  ['damage', 'Damage'],
  // Only if there are logs.
  ['curves', 'Curves'],
] as const;
type View = (typeof VIEWS)[number][0];

/** Number of rows on the first screen. */
const FIRST_ROWS = 32;

interface AppProps {
  readonly client: Client;
  /** The app that contains the page, if any. */
  readonly shell: Shell | undefined;
}

/** The whole page: the files, the views of one of them, and the keys. */
export function App({ client, shell }: AppProps): ComponentChildren {
  const [, redraw] = useReducer<number, undefined>((n) => n + 1, 0);
  const changed = (): void => redraw(undefined);
  const [listed, setFiles] = useState<readonly FileState[]>();
  const files = listed ?? [];
  const [gone, setGone] = useState<string>();
  const [file, setFile] = useState(0);
  const [view, setView] = useState<View>('records');
  const [active, setActive] = useState(0);
  const [reveal, setReveal] = useState(0);
  const [search, setSearch] = useState<Search>();
  const [filterText, setFilterText] = useState('');
  const [marks, setMarks] = useState<ReadonlySet<number>>(new Set());
  const [dialog, setDialog] = useState<'export' | 'help'>();
  const [statistics, setStatistics] = useState<Readonly<Record<string, StatisticsWork>>>({});
  const [damage, setDamage] = useState<Readonly<Record<string, DamageWork>>>({});
  const filter = useRef<HTMLInputElement>(null);
  const goTo = useRef<HTMLInputElement>(null);
  /** The list that Escape returns to. */
  const list = useRef<View>('records');

  useEffect(() => {
    let known: readonly FileState[] = [];
    const onBatch = (batch: readonly FileState[]): void => {
      for (const { file: of, reading: now } of batch)
        if (known[of] !== undefined && known[of].reading !== now) dropValues(of);
      // Logs are opened for their curves.
      if (known.length === 0 && batch.length > 0 && batch.every(({ isLog }) => isLog)) setView('curves');
      known = withStates(known, batch);
      setFiles(known);
    };
    client.ask('files', {}, { onBatch, credits: 1 }).catch((error: unknown) => setGone((error as Error).message));
  }, [client]);
  const state = files[file];
  const views = files.some(({ isLog }) => isLog) ? VIEWS : VIEWS.filter(([id]) => id !== 'curves');
  const curves = useCurveView(client, view === 'curves');
  const reading = state?.reading ?? 0;
  /** Identifies the content: the file, and the number of its reading. */
  const read = `${file}/${reading}`;
  const rows = useMemo(() => new RowCache(client, file, changed), [client, read]);
  useEffect(() => () => rows.close(), [rows]);
  useEffect(() => {
    // The first request opens a file, so that its records are counted in every view, and the first rows are ready at
    // once. An app may add the file later. Curves need no records.
    if (view !== 'curves') rows.want(Array.from({ length: FIRST_ROWS }, (_, i) => i));
  }, [rows, state === undefined, view === 'curves']);
  useEffect(() => () => search?.stop(), [search]);

  useEffect(() => {
    document.title = state === undefined ? 'TFRecord Viewer' : `${baseName(state.name)} – TFRecord Viewer`;
  }, [state?.name]);

  const count = search === undefined ? (state?.records ?? 0) : search.found.length;
  const at = Math.max(0, Math.min(active, count - 1));
  const recordAt = (index: number): number => (search === undefined ? index : search.found[index]!);
  const show = (next: View): void => {
    if (next === 'records' || next === 'pictures') list.current = next;
    setView(next);
    setReveal(reveal + 1);
  };
  const shown: ListState = {
    client,
    file,
    rows,
    count,
    active: at,
    reveal,
    recordAt,
    setActive,
    open: (index) => {
      setActive(index);
      setView('record');
    },
    mark: (index) => {
      const next = new Set(marks);
      const record = recordAt(index);
      if (!next.delete(record)) next.add(record);
      setMarks(next);
    },
    isMarked: (index) => marks.has(recordAt(index)),
    want: (first, end) => {
      rows.want(Array.from({ length: end - first }, (_, i) => recordAt(first + i)));
    },
  };

  useEffect(() => {
    if (state === undefined) return;
    if (view === 'statistics' && statistics[read] === undefined) describe();
    if (view === 'damage' && damage[read] === undefined) check();
  }, [view, read, state === undefined]);
  const describe = (): void =>
    startStatistics(client, file, (work) => setStatistics((before) => ({ ...before, [read]: work })));
  const check = (): void => startDamage(client, file, (work) => setDamage((before) => ({ ...before, [read]: work })));

  const dropSearch = (): void => {
    setSearch(undefined);
    setFilterText('');
  };
  const go = (next: number): void => {
    if (next === file) return;
    setFile(next);
    setActive(0);
    dropSearch();
    setMarks(new Set());
    setDialog(undefined);
    if (view === 'record') show(list.current);
  };
  const choose = (next: number): void => {
    if (next >= 0 && next < files.length && view !== 'curves') go(next);
  };
  const latest = useRef(go);
  latest.current = go;
  // The list may arrive after the number.
  useShell(shell, ([first]) => {
    if (first !== undefined) latest.current(first);
  });
  const seek = (text: string): void => {
    setActive(0);
    setFilterText(text);
    setSearch(conditionsOf(text).length === 0 ? undefined : new Search(client, file, text, changed));
    if (view !== 'records' && view !== 'pictures') show(list.current);
  };
  /** Removes the filter, and selects a record. */
  const activate = (record: number): void => {
    dropSearch();
    setActive(Math.max(0, Math.min(record, (state?.records ?? 0) - 1)));
  };
  const jump = (record: number): void => {
    const inList = view === 'records' || view === 'pictures';
    if (inList && search !== undefined) {
      const index = search.found.findIndex((found) => found >= record);
      setActive(index < 0 ? Math.max(0, count - 1) : index);
    } else activate(record);
    show(inList || view === 'record' ? view : list.current);
  };
  /** Reads the file again, from its start. */
  const readAgain = (): void => {
    statistics[read]?.stop();
    damage[read]?.stop();
    client.ask('forget', { file }).catch(() => undefined);
  };
  const seen = useRef({ file, reading });
  useLayoutEffect(() => {
    const before = seen.current;
    seen.current = { file, reading };
    if (before.file !== file || before.reading === reading) return;
    // This page, or another one, has requested a new reading of the file.
    dropSearch();
    setMarks(new Set());
  }, [read]);

  // A layout effect, because other effects wait for a frame, and a key may be pressed before.
  useLayoutEffect(() => {
    const keyed = (event: KeyboardEvent): void => {
      const { target } = event;
      const typing =
        (target instanceof HTMLInputElement && target.type !== 'checkbox') || target instanceof HTMLSelectElement;
      if (dialog !== undefined || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      const { key } = event;
      const actions: Readonly<Record<string, () => void>> = {
        '/': () => filter.current?.focus(),
        g: () => goTo.current?.focus(),
        e: () => {
          if (state !== undefined && view !== 'curves') setDialog('export');
        },
        '?': () => setDialog('help'),
        '[': () => choose(file - 1),
        ']': () => choose(file + 1),
        Escape: () => {
          if (view === 'curves') return;
          if (view !== 'records' && view !== 'pictures') show(list.current);
          else if (search !== undefined) seek('');
        },
        ...Object.fromEntries(views.map(([id], i) => [String(i + 1), () => show(id)])),
      };
      if (view === 'record' && !(event.target instanceof HTMLMediaElement)) {
        Object.assign(actions, {
          ArrowLeft: () => setActive(Math.max(0, at - 1)),
          ArrowRight: () => setActive(Math.min(count - 1, at + 1)),
        });
      }
      const action = Object.hasOwn(actions, key) ? actions[key] : undefined;
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', keyed);
    return () => document.removeEventListener('keydown', keyed);
  });
  useLayoutEffect(() => {
    // Focuses the list, so that keys work at once.
    if (view === 'records' || view === 'pictures') document.querySelector<HTMLElement>('.long-list')?.focus();
  }, [view, files.length > 0, file]);

  const body = (): ComponentChildren => {
    if (gone !== undefined) return <p class="empty problem">{gone}</p>;
    if (state === undefined) return listed === undefined ? null : <Start shell={shell} />;
    if (view === 'curves') return <Curves client={client} view={curves} />;
    if (view === 'statistics') return <Statistics key={file} work={statistics[read]} onStart={describe} />;
    if (view === 'damage') {
      const onRecord = (record: number): void => {
        activate(record);
        show('records');
      };
      return <Damage key={read} file={state} work={damage[read]} onStart={check} onRecord={onRecord} />;
    }
    const problem = state.records === 0 ? state.problem : null;
    if (problem !== null) return <p class="empty problem">{problem.message}</p>;
    if (view === 'record' && count > 0) {
      return (
        <Record key={read} at={{ client, file, record: recordAt(at) }} index={at} count={count} onMove={setActive} />
      );
    }
    return view === 'pictures' ? <Pictures key={read} list={shown} /> : <Records key={read} list={shown} />;
  };

  return (
    <div class="app">
      <header class="top">
        <h1>
          <img src="./icon.svg" alt="" width="22" height="22" /> TFRecord Viewer
        </h1>
        <nav aria-label="Views">
          {views.map(([id, name], i) => (
            <button
              key={id}
              type="button"
              aria-current={view === id ? 'page' : undefined}
              aria-keyshortcuts={String(i + 1)}
              onClick={() => show(id)}
            >
              {name}
            </button>
          ))}
        </nav>
        <button type="button" class="quiet" aria-keyshortcuts="?" onClick={() => setDialog('help')}>
          Keys
        </button>
      </header>
      {view === 'curves' ? <Runs view={curves} /> : <Files files={files} chosen={file} onChoose={choose} />}
      <main aria-label={view === 'curves' ? 'Logs' : state === undefined ? 'Records' : baseName(state.name)}>
        {view === 'curves' ? <CurveSettings filter={filter} view={curves} /> : null}
        {state === undefined || view === 'curves' ? null : (
          <Toolbar
            key={file}
            state={state}
            search={search}
            marked={marks.size}
            filter={filter}
            text={filterText}
            goTo={goTo}
            onText={setFilterText}
            onFilter={seek}
            onGoTo={jump}
            onReadAgain={readAgain}
            onExport={() => setDialog('export')}
          />
        )}
        <div class="body">{body()}</div>
      </main>
      {dialog === 'help' ? <Help onClose={() => setDialog(undefined)} /> : null}
      {dialog === 'export' && state !== undefined ? (
        <Export
          client={client}
          file={file}
          name={state.name}
          choices={exportables(marks, search, count === 0 ? undefined : recordAt(at))}
          onClose={() => setDialog(undefined)}
        />
      ) : null}
    </div>
  );
}
