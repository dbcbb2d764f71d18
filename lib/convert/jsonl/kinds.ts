import type { FeatureKind } from '../../example';
import { kindOf, RowFault, type LiteralKind, type Row, type RowValues } from './parse-line';

/** The kinds of the features of one section, by their literals in all rows. */
export class Kinds {
  /** The kind of each feature, as far as its values have told so far. */
  readonly #known = new Map<string, LiteralKind>();

  /** Takes the values of feature `name`. @throws RowFault if they are of another kind than those before */
  add(name: string, values: RowValues): void {
    if (values === null) return;
    for (const value of values) {
      const kind = kindOf(value);
      const known = this.#known.get(name);
      if (known !== kind) this.#known.set(name, known === undefined ? kind : merged(name, known, kind));
    }
  }

  /** The kind of feature `name`; undefined if it never had a value. Float words alone are floats. */
  of(name: string): FeatureKind | undefined {
    const kind = this.#known.get(name);
    return kind === 'word' ? 'float' : kind;
  }
}

/** The kind of values of two kinds. The words of floats go with floats, and with other text. @throws RowFault */
function merged(name: string, known: LiteralKind, kind: LiteralKind): LiteralKind {
  if (kind === 'word' && known !== 'int64') return known;
  if (known === 'word' && kind !== 'int64') return kind;
  throw mixed(name, known, kind);
}

const LITERALS: Readonly<Record<LiteralKind, string>> = {
  int64: 'int64 (digits alone)',
  float: 'float (a point or an exponent)',
  bytes: 'bytes (a string or base64)',
  word: 'float ("NaN", "Infinity")',
};

function mixed(name: string, before: LiteralKind, kind: LiteralKind): RowFault {
  const [expected, found] = [LITERALS[before], LITERALS[kind]];
  const message = `feature ${JSON.stringify(name)} is of several kinds: ${expected} before, ${found} here. A spec says which it is.`;
  return new RowFault('TFR_FEATURE', message, name, expected, found, true);
}

/** The kinds of the features of rows. Those of Examples and of contexts are one section. */
export class RowKinds {
  readonly features = new Kinds();
  readonly lists = new Kinds();

  /** @throws RowFault */
  add({ features, lists }: Row): void {
    for (const [name, values] of features) this.features.add(name, values);
    if (lists === undefined) return;
    for (const [name, steps] of lists) for (const values of steps) this.lists.add(name, values);
  }
}
