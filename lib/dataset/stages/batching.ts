import { Stage } from '../engine/stage';

/** A stage that makes batches of `length` elements; what is left at the end is one, too, or dropped. */
export abstract class BatchingStage extends Stage {
  readonly length: number;
  readonly dropRemainder: boolean;

  constructor(input: Stage, length: number, dropRemainder: boolean) {
    super(input);
    this.length = length;
    this.dropRemainder = dropRemainder;
  }

  override get order(): readonly [number, boolean] {
    return [this.length, this.dropRemainder];
  }

  /** It gives one batch at a time. */
  override get mostSkipped(): number {
    return 1;
  }

  override get size(): number | undefined {
    const size = this.input?.size;
    if (size === undefined) return undefined;
    return this.dropRemainder ? Math.floor(size / this.length) : Math.ceil(size / this.length);
  }
}
