/** Hands the settings of a reader to the module. */
import type { ReaderSpec } from '../binding';
import type { Instance } from './instance';

/** Kind and settings of a framing. */
const FRAMING_NUMBERS = 5;

/** The numbers of `spec`, in the order of `ReaderSpecNumbers` in core/record/reader_spec.h. */
function numbersOf(spec: ReaderSpec): Float64Array {
  const numbers = [
    spec.compression,
    spec.verify,
    spec.maxRecordBytes,
    Number(spec.continues),
    Number(spec.countsLost),
    Number(spec.membersAhead),
    spec.start?.record ?? 0,
    spec.start?.offset ?? 0,
  ];
  const block = new Float64Array(numbers.length + FRAMING_NUMBERS);
  block.set(numbers);
  block.set(spec.framing?.slice(0, FRAMING_NUMBERS) ?? [], numbers.length);
  return block;
}

/**
 * Returns the pointer that `open` returns for the address of the numbers of `spec`.
 * @throws RangeError if it is null: core refuses the spec
 */
export function openBySpec(instance: Instance, spec: ReaderSpec, open: (numbers: number) => number): number {
  const pointer = instance.withBytes(new Uint8Array(numbersOf(spec).buffer), open);
  if (pointer === 0) throw new RangeError("tfrecord: not a reader's spec");
  return pointer;
}
