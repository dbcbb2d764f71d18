import {
  type Json,
  type Mark,
  misplaced,
  placeCount,
  placeList,
  placeListUpTo,
  placeMark,
  placeOrNull,
} from '../engine/operator';
import type { InterleaveOptions } from './interleave-operator';

/** Most inputs that can be used up while an older one is still read, if their number is unknown. */
const MOST_PASSED = 2 ** 18;
const MOST_SLOTS = 65_536;

/**
 * The place of an interleave: the oldest input that is in a slot, or comes next, and its number; the number of the next
 * input; the current slot, and how many elements of its block were taken; the slots, each as the number and place of
 * its input, or null.
 */
export type InterleavePlace = readonly [
  oldest: Mark,
  first: number,
  next: number,
  visit: number,
  taken: number,
  slots: readonly (readonly [number: number, mark: Mark] | null)[],
];

/** Checks `at` for the stage at `path`, whose input has `size` elements. @throws TFRecordError TFR_STATE_MISMATCH */
export function interleavePlace(
  path: string,
  at: Json,
  { cycleLength, blockLength, ordered }: InterleaveOptions,
  size: number | undefined,
): InterleavePlace {
  const [oldest, from, to, visited, given, list] = placeList(path, at, 6);
  const known = size !== undefined && Number.isFinite(size);
  const first = placeCount(path, 'the number of an input', from, known ? size : undefined);
  const next = placeCount(path, 'the number of an input', to, known ? size : first + MOST_PASSED);
  const slotOf = (slot: Json | undefined): readonly [number, Mark] => {
    const [number, mark] = placeList(path, slot, 2);
    return [placeCount(path, 'the number of an input', number, next - 1), placeMark(path, mark)];
  };
  const slots = ordered
    ? placeList(path, list, cycleLength).map((slot) => placeOrNull(slot, slotOf))
    : placeListUpTo(path, list, MOST_SLOTS).map(slotOf);
  const numbers = slots.flatMap((slot) => (slot === null ? [] : slot[0]));
  if (next < first || numbers.some((number) => number < first) || new Set(numbers).size < numbers.length) {
    throw misplaced(path, `inputs from ${first} to ${next - 1}, each once`, list);
  }
  const visit = placeCount(path, 'a slot', visited, ordered ? cycleLength - 1 : undefined);
  return [
    placeMark(path, oldest),
    first,
    next,
    visit,
    placeCount(path, 'elements of a block', given, blockLength - 1),
    slots,
  ];
}
