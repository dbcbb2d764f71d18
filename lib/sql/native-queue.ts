/** Batches that JavaScript pushes, and DuckDB's thread waits for. */
import { native, type QueueHandle } from '../native';
import { writtenLevelsOf, type WrittenBatch } from './column-types';
import { columnOf, onLibrary } from './native-function';
import type { ParquetQuery, RowQueue } from './parquet-query';
import { textForDuckDB } from './query-errors';

/** DuckDB's thread copies the columns of batches, and sleeps while there are none. */
export class NativeQueue implements RowQueue {
  readonly source = 'pushed(NULL)';
  readonly #handle: QueueHandle;

  private constructor(handle: QueueHandle) {
    this.#handle = handle;
  }

  /** Returns undefined if native code cannot call DuckDB. */
  static open({ db, connection, table }: ParquetQuery, taken: () => void): NativeQueue | undefined {
    const { duckdbQueue: newQueue } = native();
    if (newQueue === undefined) return undefined;
    const columns = table.columns.map((column) => columnOf(db, column, writtenLevelsOf(column)));
    const handle = onLibrary((library) => newQueue(library, connection, 'pushed', columns, { taken }));
    return handle && new NativeQueue(handle);
  }

  push({ rows, vectors }: WrittenBatch): void {
    const arrays = vectors.flatMap(({ validity, steps, splits, offsets, values }) => {
      return [validity, steps, splits, offsets, values];
    });
    native().duckdbPush!(this.#handle, rows, arrays);
  }

  end(): void {
    native().duckdbEndQueue!(this.#handle, undefined);
  }

  fail(error: unknown): void {
    native().duckdbEndQueue!(this.#handle, textForDuckDB(error));
  }
}
