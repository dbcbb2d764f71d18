import type { Client, Row } from '../../protocol';
import { MAX_ROWS } from '../../protocol';

/** Rows that are kept. */
const MOST_ROWS = 4096;

/** The rows of a file that a page has seen, and those that it waits for. */
export class RowCache {
  readonly #rows = new Map<number, Row>();
  readonly #client: Client;
  readonly #file: number;
  readonly #changed: () => void;
  #asking: { readonly records: ReadonlySet<number>; readonly cancel: AbortController } | undefined;

  /** @param changed called when rows have come */
  constructor(client: Client, file: number, changed: () => void) {
    this.#client = client;
    this.#file = file;
    this.#changed = changed;
  }

  get(record: number): Row | undefined {
    return this.#rows.get(record);
  }

  /** Asks for the rows of `records` that are not there. Only what was wanted last is waited for. */
  want(records: readonly number[]): void {
    const missing = records.filter((record) => !this.#rows.has(record)).slice(0, MAX_ROWS);
    if (missing.length === 0) return;
    if (this.#asking !== undefined) {
      if (missing.every((record) => this.#asking?.records.has(record))) return;
      this.#asking.cancel.abort();
    }
    const asking = { records: new Set(missing), cancel: new AbortController() };
    this.#asking = asking;
    const { signal } = asking.cancel;
    const onBatch = (rows: readonly Row[]): void => {
      for (const row of rows) this.#keep(row);
      this.#changed();
    };
    const ended = (): void => {
      if (this.#asking === asking) this.#asking = undefined;
    };
    // The list of files tells why a file cannot be read.
    this.#client.ask('rows', { file: this.#file, records: missing }, { signal, onBatch }).then(ended, ended);
  }

  close(): void {
    this.#asking?.cancel.abort();
  }

  #keep(row: Row): void {
    this.#rows.delete(row.record);
    this.#rows.set(row.record, row);
    if (this.#rows.size <= MOST_ROWS) return;
    const { value } = this.#rows.keys().next();
    if (value !== undefined) this.#rows.delete(value);
  }
}
