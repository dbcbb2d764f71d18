import type { FeatureKind } from '../../example';
import { kindOf, RowFault, type LiteralKind, type Row, type RowValues } from './parse-line';

/** The kind of a feature, as far as its values told so far. */
interface Known {
  kind: LiteralKind;
  /** The words of floats were seen, too. */
  words: boolean;
}

/** The kinds of the features of one section, by their literals in all rows. */
export class Kinds {
  readonly #known = new Map<string, Known>();

  /** Takes the values of feature `name`. @throws RowFault if they are of another kind than those before */
  add(name: string, values: RowValues): void {
    if (values === null) return;
    for (const value of values) {
      const kind = kindOf(value);
      const known = this.#known.get(name);
      if (known === undefined) this.#known.set(name, { kind, words: kind === 'word' });
      else if (known.kind !== kind) known.kind = merged(name, known, kind);
    }
  }

  /** The kind of feature `name`; undefined if it never had a value. Float words alone are floats. */
  of(name: string): FeatureKind | undefined {
    const kind = this.#known.get(name)?.kind;
    return kind === 'word' ? 'float' : kind;
  }
}

function merged(name: string, known: Known, kind: LiteralKind): LiteralKind {
  if (kind === 'word') {
    if (known.kind === 'int64') throw mixed(name, known.kind, kind);
    known.words = true;
    return known.kind;
  }
  if (known.kind === 'word' && kind !== 'int64') return kind;
  throw mixed(name, known.kind, kind);
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
