import { invalidArgValue } from '../../base';
import type { RecordBatch } from '../../record';
import type { Faults } from '../format';
import type { JobColumns } from '../table/job-table';
import type { FeatureChoice } from './feature-choice';
import { Filter } from './filter';
import { Projection } from './project';

/** Changes the records between input and output: leaves out some records, and features of the others. */
export class Transform {
  readonly #filter: Filter | undefined;
  readonly #projection: Projection | undefined;

  private constructor(filter: Filter | undefined, projection: Projection | undefined) {
    this.#filter = filter;
    this.#projection = projection;
  }

  /**
   * Prepares the condition `where`, for records of `columns`, and the projection to the features of `choice`
   * (undefined: keeps all). Close the transform at the end. Returns undefined if there is nothing to do.
   * @throws TFRecordError TFR_FEATURE for a feature that no record has
   */
  static async open(
    where: string | undefined,
    columns: JobColumns | undefined,
    choice: FeatureChoice | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Transform | undefined> {
    const projection = choice === undefined || choice.keepsAll ? undefined : new Projection(choice);
    if (where === undefined) return projection && new Transform(undefined, projection);
    const { names } = columns!;
    if (names !== undefined) choice?.checkAmong(names);
    return new Transform(await openFilter(where, columns!, signal), projection);
  }

  async apply(batch: RecordBatch, faults: Faults): Promise<RecordBatch> {
    const kept = this.#filter === undefined ? batch : await this.#filter.apply(batch, faults);
    return this.#projection === undefined || kept.length === 0 ? kept : this.#projection.apply(kept, faults);
  }

  /** Call it at the end. @throws TFRecordError TFR_FEATURE for a feature to keep that no record had */
  checkSeen(): void {
    // Records that the condition leaves out may have the feature.
    if (this.#filter === undefined) this.#projection?.checkSeen();
  }

  close(): void {
    this.#filter?.close();
  }
}

function openFilter(where: string, columns: JobColumns, signal: AbortSignal | undefined): Promise<Filter> {
  const table = columns.condition();
  if (table.columns.length === 0) {
    throw invalidArgValue('options.where', 'absent, because no record has a feature', where);
  }
  return Filter.open(where, table, signal);
}
