import type { ComponentChildren } from 'preact';

import { plural } from '../format';
import type { CurveView } from '../model/curve-view';

/** Maximum number of runs to list. */
const MAX_RUNS = 1000;

/** The legend: the runs with their colours. A run that is not checked is hidden in all charts. */
export function Runs({ view }: { readonly view: CurveView }): ComponentChildren {
  const { store, hidden, onHide } = view;
  const runs = store?.runs ?? [];
  const toggle = (run: string): void => {
    const next = new Set(hidden);
    if (!next.delete(run)) next.add(run);
    onHide(next);
  };
  return (
    <section class="files runs" aria-label="Runs">
      <h2>{plural(runs.length, 'run')}</h2>
      <p>
        <button type="button" class="quiet" onClick={() => onHide(new Set())}>
          Show all
        </button>
        <button type="button" class="quiet" onClick={() => onHide(new Set(runs.map(([run]) => run)))}>
          Hide all
        </button>
      </p>
      <ul>
        {runs.slice(0, MAX_RUNS).map(([run, values]) => {
          const { light, dark } = store!.looks.of(run);
          return (
            <li key={run}>
              <label>
                <input type="checkbox" checked={!hidden.has(run)} onChange={() => toggle(run)} />
                <i class="swatch" style={{ background: `light-dark(${light}, ${dark})` }} />
                <span class="name">{run}</span>
                <span class="facts">{plural(values, 'value')}</span>
              </label>
            </li>
          );
        })}
      </ul>
      {runs.length > MAX_RUNS ? <p class="note">and {plural(runs.length - MAX_RUNS, 'more run')}</p> : null}
    </section>
  );
}
