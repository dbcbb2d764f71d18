import type { Asks, Client, Fault, Progress } from '../../protocol';

/** The state of work that reads a whole file: its progress, and its result. */
export interface Work<Done> {
  readonly progress: Progress;
  readonly done?: Done;
  readonly error?: string;
  readonly stop: () => void;
}

export type StatisticsWork = Work<Asks['statistics']['done']>;
export type DamageWork = Work<Asks['damage']['done']> & {
  readonly faults: readonly Fault[];
  /** Number of bytes of the uncompressed stream that were read. */
  readonly bytes: number;
};

const NOTHING: Progress = { records: 0, readBytes: 0, totalBytes: 0 };

/** Starts computing statistics of a file. Calls `changed` with each new state. */
export function startStatistics(client: Client, file: number, changed: (work: StatisticsWork) => void): void {
  const cancel = new AbortController();
  let work: StatisticsWork = { progress: NOTHING, stop: () => cancel.abort(new Error('Stopped.')) };
  const set = (more: Partial<StatisticsWork>): void => changed((work = { ...work, ...more }));
  set({});
  client.ask('statistics', { file }, { signal: cancel.signal, onBatch: (progress) => set({ progress }) }).then(
    (done) => set({ done }),
    (error: unknown) => set({ error: (error as Error).message }),
  );
}

/** Starts checking a file for damage. Calls `changed` with each new state. */
export function startDamage(client: Client, file: number, changed: (work: DamageWork) => void): void {
  const cancel = new AbortController();
  const faults: Fault[] = [];
  let work: DamageWork = { progress: NOTHING, faults, bytes: 0, stop: () => cancel.abort(new Error('Stopped.')) };
  const set = (more: Partial<DamageWork>): void => changed((work = { ...work, ...more }));
  set({});
  client
    .ask(
      'damage',
      { file },
      {
        signal: cancel.signal,
        onBatch: ({ faults: found, progress, bytes }) => {
          faults.push(...found);
          set({ progress, bytes });
        },
      },
    )
    .then(
      (done) => set({ done }),
      (error: unknown) => set({ error: (error as Error).message }),
    );
}
