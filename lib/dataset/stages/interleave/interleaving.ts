import type { Input } from '../../engine/input';
import {
  misplaced,
  placeCount,
  placeList,
  placeListUpTo,
  placeMark,
  placeOrNull,
  type Json,
  type Mark,
} from '../../engine/operator';
import type { Scope } from '../../engine/scope';

/** Checked options of an interleave. */
export interface InterleaveSettings {
  readonly cycleLength: number;
  readonly blockLength: number;
  /** Number of inputs that are opened ahead. */
  readonly prefetch: number;
  /** True if each input waits for its turn. */
  readonly ordered: boolean;
}

/** The context of an interleave. */
export interface Holder {
  readonly scope: Scope;
  /** The stage's path. */
  readonly path: string;
  readonly input: Input;
  /** `Run.again` of the interleave as a whole. */
  readonly again: (() => Promise<boolean>) | undefined;
  /**
   * Opens the dataset of input `value`, number `index`, from `mark` on. `again`: see `Run.again`. @throws the error of
   * the user's function
   */
  open(value: unknown, index: number, mark: Mark, again: () => Promise<boolean>): Input;
}

/** Maximum number of inputs that can end while an older one is still read, if the number of inputs is unknown. */
const MAX_PASSED = 2 ** 18;
const MAX_SLOTS = 65_536;

/**
 * The place of an interleave: the mark and number of the oldest input in a slot, or of the next input; the number of
 * the next input; the current slot, and the number of elements of its block that were read; the slots, each as the
 * number and mark of its input, or null.
 */
export type InterleavePosition = readonly [
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
  { cycleLength, blockLength, ordered }: InterleaveSettings,
  size: number | undefined,
): InterleavePosition {
  const [oldest, from, to, visited, given, list] = placeList(path, at, 6);
  const known = size !== undefined && Number.isFinite(size);
  const first = placeCount(path, 'the number of an input', from, known ? size : undefined);
  const next = placeCount(path, 'the number of an input', to, known ? size : first + MAX_PASSED);
  const slotOf = (slot: Json): readonly [number, Mark] => {
    const [number, mark] = placeList(path, slot, 2);
    return [placeCount(path, 'the number of an input', number, next - 1), placeMark(path, mark)];
  };
  const slots = ordered
    ? placeList(path, list, cycleLength).map((slot) => placeOrNull(slot, slotOf))
    : placeListUpTo(path, list, MAX_SLOTS).map(slotOf);
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

/**
 * @throws TFRecordError TFR_STATE_MISMATCH if the input has `missing` elements less than the state needs, unless the
 * scope is closed
 */
export function checkRestored({ scope, path }: Holder, missing: number): void {
  if (missing > 0 && !scope.closed) throw misplaced(path, `${missing} inputs more`, 'the end of the input');
}

/**
 * The turn of one dataset of an interleave: the time in which the interleave waits for it. A file that could not be
 * opened because no descriptor was free is opened again then.
 */
export class Turn {
  #come = false;
  #over = false;
  #waiting: (() => void)[] = [];

  get come(): boolean {
    return this.#come;
  }

  /** Resolves at the next turn; at once during a turn, and after `end`. */
  async wait(): Promise<void> {
    if (!this.#come && !this.#over) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** True while a caller of `wait` is pending. */
  get awaited(): boolean {
    return this.#waiting.length > 0;
  }

  begin(): void {
    this.#come = true;
    this.#wake();
  }

  leave(): void {
    this.#come = false;
  }

  /** Resolves all waits: there is no further turn. */
  end(): void {
    this.#over = true;
    this.#wake();
  }

  #wake(): void {
    for (const go of this.#waiting.splice(0)) go();
  }
}
