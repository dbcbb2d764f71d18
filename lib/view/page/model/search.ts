import { HostError, type Client, type Progress } from '../../protocol';

/** A search for the records that fulfil the conditions of a filter. */
export class Search {
  readonly found: number[] = [];
  progress: Progress = { records: 0, readBytes: 0, totalBytes: 0 };
  over = false;
  /** Reasons why the filter is invalid, or may not be what the user intends. */
  remarks: readonly string[] = [];
  failed = false;
  readonly #cancel = new AbortController();

  /**
   * @param text conditions of `tfrecord grep`, with `&&` between them. @param changed called after records were found,
   * and at the end
   */
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

  /** Ends the search, and keeps the records found so far. */
  stop(): void {
    this.#cancel.abort(new Error('The search was stopped.'));
  }
}

/** Returns the conditions in `text`. */
export function conditionsOf(text: string): string[] {
  return text
    .split(/\s&&\s/)
    .map((condition) => condition.trim())
    .filter((condition) => condition !== '');
}
