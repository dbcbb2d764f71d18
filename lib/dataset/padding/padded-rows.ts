import { TFRecordError, type Origin, newRecord } from '../../base';
import { withMethods } from '../../tensor';
import { ArrayElements, valuesOf, type Elements } from '../engine/elements';
import { joinedOrigins } from '../engine/origins';
import { RecordElements } from '../engine/records';
import { Store } from '../engine/store';
import { ALL, type PadRules } from './pad-options';
import { padSequences } from './pad-sequences';
import { sequenceOf, type Sequence } from './sequence';

/** The value of an element under a name; members of inner objects have the name `outer.inner`. */
interface Leaf {
  readonly path: readonly string[];
  readonly sequence: Sequence | undefined;
  readonly value: unknown;
}

/** An element that was added. */
interface Row {
  readonly leaves: Map<string, Leaf>;
  readonly origin: Origin | undefined;
}

/** Gathers the elements of a padded batch. */
export class PaddedRows {
  readonly #rules: PadRules;
  readonly #stage: string;
  readonly #rows: Row[] = [];
  readonly #store = new Store();

  constructor(rules: PadRules, stage: string) {
    this.#rules = rules;
    this.#stage = stage;
  }

  get length(): number {
    return this.#rows.length;
  }

  /** Adds element `index` of `elements`. If it does not fit, returns the error, and does not add it. */
  add(elements: Elements, index: number): TFRecordError | undefined {
    const row: Row = { leaves: new Map(), origin: elements.origins.origin(index) };
    const fault = this.#leaves(elements.at(index), [], row) ?? this.#misfit(row);
    if (fault !== undefined) return fault;
    this.#rows.push(row);
    this.#store.push(elements, index);
    return undefined;
  }

  /** Returns the batch, as one element, and removes all rows. */
  take(): Elements {
    const elements = this.#store.take();
    const rows = this.#rows.splice(0);
    const first = rows[0]!;
    const lengths = newRecord<Int32Array>();
    const values: Record<string, unknown> = {};
    const columns = new ScalarColumns(elements);
    let bare: unknown;
    for (const [name, { path, sequence }] of first.leaves) {
      const leaves = rows.map((row) => row.leaves.get(name)!);
      const made = sequence === undefined ? columns.of(path, leaves) : this.#padded(name, leaves, columns.parsed);
      if (sequence !== undefined && sequence.shape.length > 0) {
        lengths[name] = Int32Array.from(leaves, (leaf) => leaf.sequence!.shape[0]!);
      }
      if (path.length === 0) bare = made;
      else put(values, path, made);
    }
    const isBare = first.leaves.has('');
    const batch = isBare
      ? { values: bare, lengths: lengths[''] ?? {} }
      : { values: withMethods(values), lengths: withMethods({ ...lengths }) };
    return new ArrayElements([withMethods(batch)], joinedOrigins(elements.origins, rows.length));
  }

  #padded(name: string, leaves: readonly Leaf[], parsed: boolean): unknown {
    const sequences = leaves.map(({ sequence }) => sequence!);
    const { shapes, values, multiples } = this.#rules;
    const multiple = multiples.get(name) ?? multiples.get(ALL) ?? 1;
    const { shape } = sequences[0]!;
    const inner = shape.map((_, dimension) => {
      const chosen = shapes.get(name)?.[dimension];
      if (chosen !== undefined && chosen !== null) return chosen;
      const longest = sequences.reduce((most, other) => Math.max(most, other.shape[dimension]!), 0);
      return Math.ceil(longest / multiple) * multiple;
    });
    return padSequences(sequences, { name, inner, value: values.get(name), parsed });
  }

  /** Splits an element into leaves by name. */
  #leaves(
    value: unknown,
    path: readonly string[],
    row: Row,
    within: readonly unknown[] = [],
  ): TFRecordError | undefined {
    const name = path.join('.');
    const sequence = sequenceOf(value);
    if (sequence === 'object') {
      const object = value as Readonly<Record<string, unknown>>;
      if (within.includes(value)) return this.#fault(name, row, 'values in objects', 'an object that holds itself');
      for (const key in object) {
        const fault = this.#leaves(object[key], [...path, key], row, [...within, value]);
        if (fault !== undefined) return fault;
      }
      return undefined;
    }
    const { leaves } = row;
    if (leaves.has(name)) return this.#fault(name, row, 'one value of that name', 'two, one of them within an object');
    if (sequence === 'scalar') {
      leaves.set(name, { path, sequence: undefined, value });
      return undefined;
    }
    if ('refused' in sequence) return this.#fault(name, row, 'an array or a dense tensor', sequence.refused);
    leaves.set(name, { path, sequence, value });
    const shape = this.#rules.shapes.get(name);
    if (shape === undefined) return undefined;
    const fits =
      shape.length === sequence.shape.length &&
      shape.every((size, dimension) => size === null || sequence.shape[dimension]! <= size);
    if (fits) return undefined;
    return this.#fault(
      name,
      row,
      `at most the shape [${shape.map((size) => size ?? 'any').join(', ')}]`,
      shown(sequence),
    );
  }

  /** Returns the error if the kinds of `row` differ from those of the first row. */
  #misfit(row: Row): TFRecordError | undefined {
    for (const name of this.#rules.shapes.keys()) {
      if (row.leaves.get(name)?.sequence === undefined) return this.#fault(name, row, 'a sequence', 'none');
    }
    const [first] = this.#rows;
    if (first === undefined) return undefined;
    const place = first.origin === undefined ? 'the first of the batch' : `record ${first.origin.record}`;
    for (const [name, { sequence: wanted }] of first.leaves) {
      const leaf = row.leaves.get(name);
      const found = leaf?.sequence;
      const alike = leaf !== undefined && found?.kind === wanted?.kind && found?.shape.length === wanted?.shape.length;
      if (alike) continue;
      return this.#fault(name, row, `${shown(wanted)}, as in ${place}`, leaf === undefined ? 'nothing' : shown(found));
    }
    const other = [...row.leaves.keys()].find((name) => !first.leaves.has(name));
    return other === undefined ? undefined : this.#fault(other, row, `nothing, as in ${place}`, 'a value');
  }

  #fault(name: string, { origin }: Row, expected: string, found: string): TFRecordError {
    const what = name === '' ? 'An element' : `Feature ${JSON.stringify(name)}`;
    const where = origin === undefined ? '' : ` of record ${origin.record} of ${origin.file}, byte ${origin.offset},`;
    return new TFRecordError(
      'TFR_FEATURE',
      `${what}${where} cannot be padded by ${this.#stage}: expected ${expected}, found ${found}`,
      {
        stage: this.#stage,
        feature: name === '' ? undefined : name,
        file: origin?.file,
        record: origin?.record,
        offset: origin?.offset,
        expected,
        found,
      },
    );
  }
}

/** Values that are not padded: columns for parsed records, arrays for other elements. */
class ScalarColumns {
  readonly #elements: Elements;
  #batch: unknown;

  constructor(elements: Elements) {
    this.#elements = elements;
  }

  get parsed(): boolean {
    return this.#elements instanceof RecordElements;
  }

  of(path: readonly string[], leaves: readonly Leaf[]): unknown {
    if (!(this.#elements instanceof RecordElements)) {
      return path.length === 0 ? valuesOf(this.#elements) : leaves.map(({ value }) => value);
    }
    this.#batch ??= this.#elements.form.batch(this.#elements);
    return path.reduce((inner, key) => (inner as Record<string, unknown>)[key], this.#batch);
  }
}

function put(values: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let inner = values;
  for (const key of path.slice(0, -1)) {
    if (!Object.hasOwn(inner, key)) define(inner, key, withMethods({}));
    inner = inner[key] as Record<string, unknown>;
  }
  define(inner, path.at(-1)!, value);
}

/** Defines an own property, because a feature may have the name `__proto__`. */
function define(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

function shown(sequence: Sequence | undefined): string {
  return sequence === undefined ? 'a single value' : `${sequence.kind} of shape [${sequence.shape.join(', ')}]`;
}
