/** Hands the settings of a reader to the module. */
import type { CheckpointHandle, IndexHandle, ReaderSpec } from '../binding';
import { Handles, type NativeObject } from './handles';
import type { Instance } from './instance';

/** Kind and settings of a framing. */
const FRAMING_NUMBERS = 5;

/** Specs of one instance, and the objects that they refer to. */
export class Specs {
  readonly indexes: Handles<NativeObject, IndexHandle>;
  readonly checkpoints: Handles<NativeObject, CheckpointHandle>;
  readonly #instance: Instance;

  constructor(instance: Instance) {
    this.#instance = instance;
    this.indexes = new Handles(instance, 'tfr_index_free');
    this.checkpoints = new Handles(instance, 'tfr_checkpoint_free');
  }

  /**
   * Returns the pointer that `open` returns for the address of the numbers of `spec`.
   * @throws RangeError if it is null: core refuses the spec
   */
  open(spec: ReaderSpec, open: (numbers: number) => number): number {
    const pointer = this.#instance.withBytes(new Uint8Array(this.#numbersOf(spec).buffer), open);
    if (pointer === 0) throw new RangeError("tfrecord: not a reader's spec");
    return pointer;
  }

  /** The numbers of `spec`, in the order of `ReaderSpecNumbers` in core/record/reader_spec.h. */
  #numbersOf(spec: ReaderSpec): Float64Array {
    const numbers = [
      spec.compression,
      spec.verify,
      spec.maxRecordBytes,
      Number(spec.continues),
      Number(spec.countsLost),
      Number(spec.salvages),
      Number(spec.membersAhead),
      spec.start?.record ?? 0,
      spec.start?.offset ?? 0,
      Number(spec.start?.checked ?? false),
      pointerOf(this.checkpoints, spec.start?.from),
      pointerOf(this.indexes, spec.index),
      pointerOf(this.indexes, spec.checkpoints),
    ];
    const block = new Float64Array(numbers.length + FRAMING_NUMBERS);
    block.set(numbers);
    block.set(spec.framing?.slice(0, FRAMING_NUMBERS) ?? [], numbers.length);
    return block;
  }
}

function pointerOf<Handle extends object>(handles: Handles<NativeObject, Handle>, handle: Handle | undefined): number {
  return handle === undefined ? 0 : handles.of(handle).pointer;
}
