import type { Column } from '../../tensor';

/** `fixedLenSequence` of some records as it was parsed: what rows are read out of. Batches pad it. */
export class UnpaddedSteps {
  readonly values: Column;
  /** Record → values. */
  readonly splits: Int32Array;

  constructor(values: Column, splits: Int32Array) {
    this.values = values;
    this.splits = splits;
  }
}
