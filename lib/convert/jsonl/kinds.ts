import { advice, named, worded, type Text } from '../../base';
import type { FeatureKind } from '../../example';
import { shortened } from '../job/notes';
import { kindOf, RowFault, type LiteralKind, type Row, type RowValues } from './parse-line';

/** Literals that are written as numbers. All others are strings, or bytes. */
const NUMBERS: ReadonlySet<LiteralKind> = new Set(['int64', 'float']);
/** Literals that a spec reads as int64. */
const DIGITS: ReadonlySet<LiteralKind> = new Set(['int64', 'digits']);
/** Strings for floats that JSON has no numbers for. They can be mixed with numbers and with text. */
const FLOAT_STRINGS: ReadonlySet<LiteralKind> = new Set(['word', 'minusZero']);

/** The kind of features whose values are all integers in strings. */
export type DigitsAs = 'text' | 'int64';

/** The kinds of the features in one section, found from their literals in all rows. */
export class Kinds {
  readonly #digits: DigitsAs;
  /** The literals of each feature so far. */
  readonly #known = new Map<string, Set<LiteralKind>>();

  constructor(digits: DigitsAs) {
    this.#digits = digits;
  }

  /** Adds the values of feature `name`. @throws RowFault if their kind differs from that of earlier values */
  add(name: string, values: RowValues): void {
    if (values === null) return;
    for (const value of values) this.addLiteral(name, kindOf(value));
  }

  /** Adds a literal of feature `name`. @throws RowFault if its kind differs from that of earlier values */
  addLiteral(name: string, kind: LiteralKind): void {
    let known = this.#known.get(name);
    if (known === undefined) this.#known.set(name, (known = new Set()));
    if (known.has(kind)) return;
    if (!FLOAT_STRINGS.has(kind)) {
      const other = [...known].find((each) => !this.#fit(each, kind));
      if (other !== undefined) throw mixed(name, other, kind);
    }
    known.add(kind);
  }

  /** True if both literals can occur in one feature. `kind` must not be a string of a float. */
  #fit(other: LiteralKind, kind: LiteralKind): boolean {
    if (FLOAT_STRINGS.has(other) || NUMBERS.has(other) === NUMBERS.has(kind)) return true;
    return this.#digits === 'int64' && DIGITS.has(other) && DIGITS.has(kind);
  }

  /**
   * The kind of feature `name`; undefined if it never had a value. One float makes the feature float. If there are no
   * other literals, "NaN" and the infinities are floats, and "-0" is text.
   */
  of(name: string): FeatureKind | undefined {
    const known = this.#known.get(name);
    if (known === undefined) return undefined;
    if (this.#digits === 'int64' && [...known].every((kind) => DIGITS.has(kind))) return 'int64';
    if (known.has('bytes') || known.has('digits')) return 'bytes';
    if (known.has('int64') && known.size === 1) return 'int64';
    return known.has('minusZero') && known.size === 1 ? 'bytes' : 'float';
  }

  /** The names of features whose values are all integers in strings. */
  get ofDigits(): readonly string[] {
    return [...this.#known].filter(([, kinds]) => kinds.has('digits') && kinds.size === 1).map(([name]) => name);
  }
}

const LITERALS: Readonly<Record<LiteralKind, string>> = {
  int64: 'int64 (digits alone)',
  float: 'float (a point or an exponent)',
  bytes: 'bytes (a string or base64)',
  digits: 'bytes (digits in a string)',
  word: 'float ("NaN", "Infinity")',
  minusZero: 'float ("-0")',
};

function mixed(name: string, before: LiteralKind, kind: LiteralKind): RowFault {
  const [expected, found] = [LITERALS[before], LITERALS[kind]];
  const cure = advice`; (${named('spec')}) gives it one`;
  const message = worded`feature ${JSON.stringify(name)} is of several kinds: ${expected} before, ${found} here${cure}`;
  return new RowFault('TFR_FEATURE', message, name, expected, found, true);
}

/** The kinds of the features of rows. Features of Examples and of contexts are in one section. */
export class RowKinds {
  readonly features: Kinds;
  readonly lists: Kinds;
  readonly #digits: DigitsAs;

  constructor(digits: DigitsAs) {
    this.features = new Kinds(digits);
    this.lists = new Kinds(digits);
    this.#digits = digits;
  }

  /** @throws RowFault */
  add({ features, lists }: Row): void {
    for (const [name, values] of features) this.features.add(name, values);
    if (lists === undefined) return;
    for (const [name, steps] of lists) for (const values of steps) this.lists.add(name, values);
  }

  /** Notes about features whose values are all integers in strings. */
  notes(): readonly Text[] {
    return digitsNotes([...this.features.ofDigits, ...this.lists.ofDigits], this.#digits);
  }
}

/** Notes about `names`: features whose values are all integers in strings. */
export function digitsNotes(names: readonly string[], digits: DigitsAs = 'text'): readonly Text[] {
  const kind =
    digits === 'text'
      ? worded`which stay text${advice`: (${named('spec')}) with dtype int64 makes them integers`}`
      : worded`which the draft makes int64${advice`: write the dtype text in it to keep them text`}`;
  return shortened(names.map((name) => worded`Feature ${JSON.stringify(name)} has integers in strings, ${kind}`));
}
