import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { MAX_CSV, type Client, type CurveState } from '../../protocol';
import { countText, plural } from '../format';
import { chartOf, linesOf, type ChartSettings, type RunLines } from '../model/chart';
import { svgOf } from '../model/chart-svg';
import type { CurveStore } from '../model/curve-store';
import type { CurveView } from '../model/curve-view';
import { fileNameOf, save } from '../model/save';
import { LineChart } from '../parts/chart';

/** Number of charts that are added at a time. */
const MORE_CHARTS = 120;

interface CurvesProps {
  readonly client: Client;
  readonly view: CurveView;
}

/** The curves of scalars in logs: a chart for each tag, with a line for each run. */
export function Curves({ client, view }: CurvesProps): ComponentChildren {
  const [most, setMost] = useState(MORE_CHARTS);
  const { store, text } = view;
  if (store?.gone !== undefined) return <p class="empty problem">{store.gone}</p>;
  if (store?.state === undefined) return null;
  const { tags } = store;
  const shown = tags.filter((tag) => tag.toLowerCase().includes(text.toLowerCase()));
  return (
    <section class="curves" aria-label="Curves">
      <Remarks store={store} />
      {tags.length === 0 ? <p class="note">No scalars yet. Curves appear here as values are written.</p> : null}
      {tags.length > 0 && shown.length === 0 ? <p class="note">No tag has this text.</p> : null}
      <div class="cards">
        {shown.slice(0, most).map((tag) => (
          <Card key={tag} client={client} store={store} view={view} tag={tag} />
        ))}
      </div>
      {shown.length > most ? (
        <button type="button" onClick={() => setMost(most + MORE_CHARTS)}>
          Show more of {plural(shown.length, 'chart')}
        </button>
      ) : null}
    </section>
  );
}

/** The faults of the logs. */
function Remarks({ store }: { readonly store: CurveStore }): ComponentChildren {
  const { leftOut, faults, problems, ended } = store.state!;
  return (
    <>
      {ended === null ? null : <p class="problem">The logs are no longer followed: {ended.message}</p>}
      {faults === 0 ? null : (
        <details class="problem">
          <summary>{plural(faults, 'fault')}</summary>
          <ul>
            {problems.map(({ message }) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </details>
      )}
      {leftOut === 0 ? null : (
        <p class="note">{plural(leftOut, 'value')} left out: there are too many curves, or their names are too long.</p>
      )}
    </>
  );
}

interface CardProps extends CurvesProps {
  readonly store: CurveStore;
  readonly tag: string;
}

function Card({ client, store, view: { settings, hidden }, tag }: CardProps): ComponentChildren {
  const card = useRef<HTMLElement>(null);
  const [isSeen, setSeen] = useState(false);
  const [outcome, setOutcome] = useState<string>();
  const running = useRef<AbortController>(undefined);
  const curves = store.curvesOf(tag).filter(({ run }) => !hidden.has(run));
  const numbers = curves.map(({ curve }) => curve);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => setSeen(entry?.isIntersecting === true), {
      rootMargin: '200px',
    });
    observer.observe(card.current!);
    return () => {
      observer.disconnect();
      running.current?.abort(new Error('The page was left.'));
    };
  }, []);
  const owner = useRef({}).current;
  useEffect(() => store.want(owner, isSeen ? numbers : []), [store, isSeen, numbers.join()]);
  useEffect(() => () => store.want(owner, []), [store]);
  const lines = isSeen ? curves.flatMap((curve) => linesOfRun(store, curve, settings)) : [];
  const gaps = curves.reduce((sum, each) => sum + each.gaps, 0);

  const saveCsv = (): void => {
    const cancel = new AbortController();
    running.current?.abort(new Error('Asked again.'));
    running.current = cancel;
    const parts: BlobPart[] = [];
    let bytes = 0;
    setOutcome('Reading the logs…');
    const onBatch = (piece: Uint8Array): void => {
      // Blobs, because the browser may store them on the disk.
      parts.push(new Blob([piece as BlobPart]));
      bytes += piece.length;
      setOutcome(`${countText(Math.round(bytes / 1e6))} MB so far`);
    };
    const { reading } = store.state!;
    client
      .ask('csv', { reading, curves: numbers.slice(0, MAX_CSV) }, { onBatch, signal: cancel.signal, credits: 16 })
      .then(
        ({ rows, faults }) => {
          const name = fileNameOf(tag, '.csv');
          save(new Blob(parts, { type: 'text/csv' }), name);
          const cut = numbers.length > MAX_CSV ? ` of the first ${MAX_CSV} runs` : '';
          setOutcome(
            `${plural(rows, 'value')}${cut} as ${name}${faults > 0 ? `, without ${plural(faults, 'fault')}` : ''}`,
          );
        },
        (error: unknown) => setOutcome((error as Error).message),
      );
  };
  const saveSvg = (): void => {
    const name = fileNameOf(tag, '.svg');
    save(new Blob([svgOf(chartOf(tag, lines, settings))], { type: 'image/svg+xml' }), name);
    setOutcome(`${plural(lines.length, 'run')} as ${name}`);
  };
  return (
    <section ref={card} class="chart" aria-label={tag}>
      <header>
        <h3>{tag}</h3>
        <button type="button" class="quiet" aria-label={`Download ${tag} as CSV`} onClick={saveCsv}>
          CSV
        </button>
        <button type="button" class="quiet" aria-label={`Download ${tag} as SVG`} onClick={saveSvg}>
          SVG
        </button>
      </header>
      {isSeen ? <LineChart tag={tag} runs={lines} settings={settings} /> : <div class="line-chart" />}
      {gaps > 0 ? <p class="note">{plural(gaps, 'value')} not finite</p> : null}
      <output>{outcome}</output>
    </section>
  );
}

/** Returns the lines of a curve, if its buckets were fetched. */
function linesOfRun(store: CurveStore, { curve, run }: CurveState, settings: ChartSettings): RunLines[] {
  const buckets = store.bucketsOf(curve);
  return buckets === undefined ? [] : [{ run, look: store.looks.of(run), ...linesOf(buckets, settings) }];
}
