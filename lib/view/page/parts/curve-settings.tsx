import type { ComponentChildren, RefObject } from 'preact';

import { plural } from '../format';
import type { ChartSettings } from '../model/chart';
import type { CurveStore } from '../model/curve-store';
import type { CurveView } from '../model/curve-view';
import type { XAxis } from '../model/lines';

const AXES: readonly (readonly [XAxis, string])[] = [
  ['step', 'Step'],
  ['relative', 'Relative'],
  ['time', 'Wall time'],
];

interface CurveSettingsProps {
  readonly filter: RefObject<HTMLInputElement | null>;
  readonly view: CurveView;
}

/** The toolbar of the curves: filter of tags, smoothing, axes. */
export function CurveSettings({ filter, view }: CurveSettingsProps): ComponentChildren {
  const { store, settings, text, onText, onSettings } = view;
  const facts = store?.state === undefined ? '' : factsOf(store);
  const set = (more: Partial<ChartSettings>): void => onSettings({ ...settings, ...more });
  return (
    <div class="toolbar curve-settings" role="search">
      <input
        ref={filter}
        type="search"
        aria-label="Filter tags by text"
        aria-keyshortcuts="/"
        placeholder="Filter tags"
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          onText('');
          event.currentTarget.blur();
        }}
      />
      <label>
        Smoothing
        <input
          type="range"
          min="0"
          max="0.99"
          step="0.01"
          value={settings.smoothing}
          onInput={({ currentTarget }) => set({ smoothing: currentTarget.valueAsNumber })}
        />
        <output>{settings.smoothing.toFixed(2)}</output>
      </label>
      <label>
        X axis
        <select
          value={settings.axis}
          onChange={({ currentTarget }) => set({ axis: AXES[currentTarget.selectedIndex]![0] })}
        >
          {AXES.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <input type="checkbox" checked={settings.logX} onChange={() => set({ logX: !settings.logX })} /> Log x
      </label>
      <label>
        <input type="checkbox" checked={settings.logY} onChange={() => set({ logY: !settings.logY })} /> Log y
      </label>
      <p class="known" title={facts}>
        {facts}
      </p>
      <button type="button" onClick={() => store?.readAgain()}>
        Read again
      </button>
    </div>
  );
}

function factsOf({ runs, tags, values }: CurveStore): string {
  return `${plural(runs.length, 'run')}, ${plural(tags.length, 'tag')}, ${plural(values, 'value')}`;
}
