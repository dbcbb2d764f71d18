import { HostError, type Client, type Progress } from '../../protocol';

/** Records that fulfil the conditions of a filter, found one after the other. */
export class Search {
  readonly found: number[] = [];
  progress: Progress = { records: 0, readBytes: 0, totalBytes: 0 };
  over = false;
  /** The reason why the filter cannot be used, or may not be what the user means. */
  remarks: readonly string[] = [];
  failed = false;
  readonly #cancel = new AbortController();

  /** @param text conditions of `tfrecord grep`, with `&&` between them. @param changed called when more is known */
  constructor(
    client: Client,
    readonly file: number,
    readonly text: string,
    changed: () => void,
  ) {
    client
      .ask(
        'find',
        { file, conditions: conditionsOf(text) },
        {
          signal: this.#cancel.signal,
          onBatch: ({ found, progress }) => {
            for (const record of found) this.found.push(record);
            this.progress = progress;
            changed();
          },
        },
      )
      .then(
        ({ remarks }) => {
          this.remarks = remarks;
        },
        (error: unknown) => {
          this.failed = error instanceof HostError;
          this.remarks = [(error as Error).message];
        },
      )
      .finally(() => {
        this.over = true;
        changed();
      });
  }

  /** Ends the search. What was found stays. */
  stop(): void {
    this.#cancel.abort(new Error('The search was stopped.'));
  }
}

/** The conditions in `text`. */
export function conditionsOf(text: string): string[] {
  return text
    .split(/\s&&\s/)
    .map((condition) => condition.trim())
    .filter((condition) => condition !== '');
}
