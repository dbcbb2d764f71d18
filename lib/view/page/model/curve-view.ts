import { useEffect, useReducer, useState } from 'preact/hooks';

import type { Client } from '../../protocol';
import type { ChartSettings } from './chart';
import { CurveStore } from './curve-store';

/** The state of the view of curves, which stays while other views are shown. */
export interface CurveView {
  /** Undefined until the view is first shown: the logs are not read before. */
  readonly store: CurveStore | undefined;
  readonly settings: ChartSettings;
  readonly onSettings: (settings: ChartSettings) => void;
  /** Text of the filter of tags. */
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Runs that are hidden. */
  readonly hidden: ReadonlySet<string>;
  readonly onHide: (hidden: ReadonlySet<string>) => void;
}

const FIRST: ChartSettings = { axis: 'step', smoothing: 0.6, logX: false, logY: false };

export function useCurveView(client: Client, isShown: boolean): CurveView {
  const [, redraw] = useReducer<number, undefined>((n) => n + 1, 0);
  const [store, setStore] = useState<CurveStore>();
  const [settings, onSettings] = useState(FIRST);
  const [text, onText] = useState('');
  const [hidden, onHide] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (isShown && store === undefined) setStore(new CurveStore(client, () => redraw(undefined)));
  }, [client, isShown, store]);
  useEffect(() => () => store?.close(), [store]);
  return { store, settings, onSettings, text, onText, hidden, onHide };
}
