import type { Client, Row } from '../../protocol';
import { MAX_ROWS } from '../../protocol';

/** Maximum number of rows in the cache. */
const CACHED_ROWS = 4096;

/** Caches the rows of a file, and requests missing ones. */
export class RowCache {
  readonly #rows = new Map<number, Row>();
  readonly #client: Client;
  readonly #file: number;
  readonly #changed: () => void;
  #asking: { readonly records: ReadonlySet<number>; readonly cancel: AbortController } | undefined;

  /** @param changed called after rows were received */
  constructor(client: Client, file: number, changed: () => void) {
    this.#client = client;
    this.#file = file;
    this.#changed = changed;
  }

  get(record: number): Row | undefined {
    return this.#rows.get(record);
  }

  /** Requests the rows of `records` that are missing, and cancels earlier requests. */
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
    // Errors are ignored: the list of files shows why a file cannot be read.
    this.#client.ask('rows', { file: this.#file, records: missing }, { signal, onBatch }).then(ended, ended);
  }

  close(): void {
    this.#asking?.cancel.abort();
  }

  #keep(row: Row): void {
    this.#rows.delete(row.record);
    this.#rows.set(row.record, row);
    if (this.#rows.size <= CACHED_ROWS) return;
    const { value } = this.#rows.keys().next();
    if (value !== undefined) this.#rows.delete(value);
  }
}
