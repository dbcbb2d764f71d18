/** Finds the slices that records belong to. */
import { isUtf8 } from 'node:buffer';

import { TFRecordError, type LoopTurns, type Origin } from '../../../base';
import type { RecordBatch } from '../../../record';
import { newTable, parseTable, type FeatureSurvey, type SurveySoFar, type Table, type Vector } from '../../../table';
import { refuseAbsent } from '../../feature-names';
import { firstKind, mixed } from '../collect';
import { MAX_SLICES, sliceError, type SliceRule } from './slice-by';

/** Maximum length of a value that makes a slice, in bytes. */
const MAX_VALUE_BYTES = 1024;
/** Number of records between two checks of the clock. */
const AT_ONCE = 4096;

/** A slice: the records with some values. */
export interface Slice {
  /** Its name, as in TensorFlow Data Validation. */
  readonly name: string;
  /** The index of the rule that makes it. */
  readonly rule: number;
  /** The value of each feature of the rule. */
  readonly values: readonly string[];
}

/** The records of a batch that are in one slice. */
export interface SlicedRows {
  /** The number of the slice, in the order of the first record of each. */
  readonly slice: number;
  /** The indices of the records, in ascending order. */
  readonly rows: readonly number[];
}

/** Finds the slices of records, and numbers them from 0. */
export class Slicer {
  /** The slices, by their numbers. */
  readonly slices: Slice[] = [];
  readonly #rules: readonly SliceRule[];
  readonly #wanted: ReadonlySet<string>;
  readonly #turns: LoopTurns;
  /** The numbers of slices: by rule, then by the JSON of their values. */
  readonly #numbers: readonly Map<string, number>[];
  readonly #names = new SliceNames();
  /** Number of features of the survey that were looked at. */
  #surveyed = 0;
  /** Indices of wanted features without a kind so far. */
  readonly #unknown = new Set<number>();
  readonly #columns: { readonly name: string; readonly section: 0 | 1; readonly kind: 'bytes' | 'int64' }[] = [];
  #table: Table | undefined;

  constructor(rules: readonly SliceRule[], turns: LoopTurns) {
    this.#rules = rules;
    this.#turns = turns;
    this.#numbers = rules.map(() => new Map());
    this.#wanted = new Set(rules.flatMap(({ features }) => features.map(({ name }) => name)));
  }

  /**
   * Returns the slices of the records of `batch`. `known`: the survey of these and all before.
   * @throws TFRecordError TFR_FEATURE for values that cannot make slices, and for too many slices
   */
  async rowsOf(batch: RecordBatch, known: SurveySoFar): Promise<readonly SlicedRows[]> {
    this.#learn(known);
    if (this.#columns.length === 0) return [];
    if (this.#table?.sequenceExample !== known.lists) this.#table = undefined;
    this.#table ??= newTable(
      this.#columns.map(
        ({ name, section, kind }) => ({ key: name, section, dtype: kind, shape: undefined, nullable: true }) as const,
      ),
      known.lists,
    );
    const { value, error } = await parseTable(batch, this.#table, true);
    if (error !== undefined) throw mixed(error);
    const columns = value.vectors.map((vector, i) => ({ ...this.#columns[i]!, vector }));
    const found = new Map<number, number[]>();
    for (let row = 0; row < batch.length; row++) {
      const texts = new Map<string, Set<string>>();
      for (const { name, vector } of columns) {
        let own = texts.get(name);
        if (own === undefined) texts.set(name, (own = new Set()));
        addTexts(own, name, vector, row, () => batch.origin(row)!);
      }
      for (const slice of this.#slicesOf(texts)) {
        const rows = found.get(slice);
        if (rows === undefined) found.set(slice, [row]);
        else rows.push(row);
      }
      if (row % AT_ONCE === 0) await this.#turns.breathe();
    }
    return [...found].map(([slice, rows]) => ({ slice, rows }));
  }

  /** @throws TFRecordError TFR_FEATURE if none of `found`, the names of all features, is one of a rule */
  refuseAbsent(found: readonly string[]): void {
    refuseAbsent(this.#wanted, found);
  }

  #learn(known: SurveySoFar): void {
    const looked = [...this.#unknown];
    for (; this.#surveyed < known.features; this.#surveyed++) looked.push(this.#surveyed);
    for (const index of looked) {
      const feature = known.feature(index);
      this.#unknown.delete(index);
      if (!this.#wanted.has(feature.name)) continue;
      const kind = sliceKind(feature);
      if (kind === undefined) {
        this.#unknown.add(index);
        continue;
      }
      this.#columns.push({ name: feature.name, section: feature.section === 'context' ? 0 : 1, kind });
      this.#table = undefined;
    }
  }

  /** The numbers of the slices of a record with these values. */
  #slicesOf(texts: ReadonlyMap<string, ReadonlySet<string>>): number[] {
    const slices: number[] = [];
    for (const [i, { features }] of this.#rules.entries()) {
      let combined: string[][] = [[]];
      for (const { name, values } of features) {
        const own = [...(texts.get(name) ?? [])].filter((text) => values?.has(text) !== false);
        if (combined.length * own.length > MAX_SLICES) throw tooMany();
        combined = combined.flatMap((before) => own.map((text) => [...before, text]));
      }
      for (const values of combined) slices.push(this.#number(i, values));
    }
    return slices;
  }

  #number(rule: number, values: readonly string[]): number {
    const numbers = this.#numbers[rule]!;
    const key = values.length === 1 ? values[0]! : JSON.stringify(values);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const { features } = this.#rules[rule]!;
    const name = values.map((value, i) => `${features[i]!.name}_${value}`).join('_');
    const slice = { name, rule, values };
    this.#names.add(slice);
    numbers.set(key, this.slices.length);
    return this.slices.push(slice) - 1;
  }
}

/** The names of slices, which must differ. */
export class SliceNames {
  readonly #slices = new Map<string, string>();

  /** @throws TFRecordError TFR_FEATURE if another slice has the name, and for too many slices */
  add({ name, rule, values }: Slice): void {
    const own = JSON.stringify([rule, values]);
    const known = this.#slices.get(name);
    if (known === undefined && this.#slices.size === MAX_SLICES) throw tooMany();
    if (known !== undefined && known !== own) throw sameName(name);
    this.#slices.set(name, own);
  }
}

/** The kind of values that make slices. Undefined: there are none yet. @throws TFRecordError TFR_FEATURE for floats */
function sliceKind(feature: FeatureSurvey): 'bytes' | 'int64' | undefined {
  const kind = firstKind(feature);
  if (kind === 'float32') throw sliceError(feature.name, EXPECTED, 'floats');
  return kind;
}

const EXPECTED = 'int64, or bytes that are UTF-8';

/** Adds the values in record `row` to `texts`. */
function addTexts(texts: Set<string>, name: string, vector: Vector, row: number, origin: () => Origin): void {
  const { steps, splits, offsets, values } = vector;
  const [begin, end] =
    steps === undefined ? [splits![row]!, splits![row + 1]!] : [splits![steps[row]!]!, splits![steps[row + 1]!]!];
  for (let i = begin; i < end; i++) {
    if (offsets === undefined) {
      texts.add(String(values[i]));
      continue;
    }
    const bytes = (values as Uint8Array).subarray(offsets[i], offsets[i + 1]);
    if (bytes.length > MAX_VALUE_BYTES) {
      throw sliceError(name, `at most ${MAX_VALUE_BYTES} bytes long`, `${bytes.length} bytes`, origin());
    }
    if (!isUtf8(bytes)) throw sliceError(name, EXPECTED, 'bytes that are not UTF-8', origin());
    texts.add(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  }
}

function tooMany(): TFRecordError {
  const [expected, found] = [`at most ${MAX_SLICES} slices`, `more than ${MAX_SLICES}`];
  return new TFRecordError(
    'TFR_FEATURE',
    `The values make more than ${MAX_SLICES} slices: name the values that matter.`,
    {
      expected,
      found,
    },
  );
}

/** Two rules, or a rule of several features, make the same name of different values. */
function sameName(name: string): TFRecordError {
  const message = `Two slices would both be called ${JSON.stringify(name)}: different values of different features make that name. Compute their statistics in separate runs.`;
  return new TFRecordError('TFR_FEATURE', message, { expected: 'different names', found: name });
}
