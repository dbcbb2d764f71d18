/** The columns of CSV files: given by a spec, or found in the fields of all rows. */
import { counted, invalidArgValue, TFRecordError, advice, named, worded, type Message, type Text } from '../../base';
import type { CsvRowColumn, FeatureKind, SurveyedCsvRows } from '../../example';
import { tableOfPlan } from '../../table';
import { sizeOf } from '../../tensor';
import type { RowSpec } from '../format';
import { shortened } from '../job/notes';
import { RowFault } from '../jsonl/parse-line';
import type { FeatureChoice } from '../transform/feature-choice';
import { NO_TEXT, shownField, type FieldRule } from './field-columns';
import type { Header } from './header';
import type { InputRows } from './input-rows';
import { literalKind, widened } from './literals';
import { isText } from './row-splitter';

/** The columns of all inputs. */
export interface CsvColumns {
  /** Columns to read; the others have no value in any row. */
  readonly rules: ReadonlyMap<string, FieldRule>;
  /** @throws RowFault if a header lacks a required column, or has one that the spec does not name */
  check(names: readonly string[]): void;
}

/**
 * The columns that `spec` names and `choice` keeps.
 * @throws TypeError for a spec of SequenceExamples; TFRecordError TFR_SPEC for a feature that has no column
 */
export function columnsOfSpec({ plan, features }: RowSpec, choice: FeatureChoice): CsvColumns {
  if (features === undefined) {
    throw invalidArgValue('options.spec', 'a spec of Examples: CSV has no feature lists', undefined);
  }
  const rules = new Map<string, FieldRule>();
  for (const { key, dtype, shape, nullable, fallback } of tableOfPlan(plan).columns) {
    if (!choice.reads(key)) continue;
    if (shape !== undefined && sizeOf(shape) !== 1) {
      throw new TFRecordError(
        'TFR_SPEC',
        `The spec gives feature ${JSON.stringify(key)} ${sizeOf(shape)} values, but a field of CSV has one.`,
        { feature: key, expected: 'one value', found: `shape [${shape.join(', ')}]` },
      );
    }
    rules.set(key, { name: key, dtype, required: !nullable && fallback === undefined, anyBytes: dtype === 'bytes' });
  }
  const check = (names: readonly string[]): void => {
    const stranger = names.find((name) => !rules.has(name) && choice.keeps(name));
    if (stranger !== undefined) {
      const message = worded`column ${JSON.stringify(stranger)} is not in the spec${advice`; (${named('exclude')}) leaves it out`}`;
      throw new RowFault('TFR_FEATURE', message, stranger, [...rules.keys()].join(', '), stranger);
    }
    for (const { name, required } of rules.values()) {
      if (!required || names.includes(name)) continue;
      const message = `it has no column ${JSON.stringify(name)}, and the spec requires one`;
      throw new RowFault('TFR_FEATURE', message, name, name, names.join(', '));
    }
  };
  return { rules, check };
}

/** The first field of one kind in a column. */
interface First {
  readonly value: string;
  /** File and line. */
  readonly place: string;
}

/** Facts about one column from the rows so far. */
interface ColumnFields {
  /** True if decimals in the column are text. */
  readonly isName: boolean;
  kind: FeatureKind | undefined;
  /** Number of fields of each kind. */
  readonly counts: Record<FeatureKind, number>;
  readonly firsts: Partial<Record<FeatureKind, First>>;
  /** True if a row has no value. */
  missing: boolean;
  /** True if a row has an empty field in quotes. */
  quotedEmpty: boolean;
}

/** Rules of a survey for single columns, by name. */
export interface SurveyRules {
  /** False for columns to skip. */
  readonly reads: (name: string) => boolean;
  /** True for columns of names, whose decimals are text, never float. Default: false for all. */
  readonly areNames?: (name: string) => boolean;
}

/** Finds the kinds of columns from the fields of all rows. Pass each row once. */
export class ColumnSurvey {
  readonly #found = new Map<string, ColumnFields>();
  readonly #reads: SurveyRules['reads'];
  readonly #areNames: SurveyRules['areNames'];
  /** Notes about columns without a name, by the names that they get. */
  readonly #nameless = new Map<string, Message>();
  /** The names in the first header. */
  #names: readonly string[] | undefined;
  /** By the index of the field; undefined for columns that are left out. */
  #columns: readonly (ColumnFields | undefined)[] = [];

  constructor({ reads, areNames }: SurveyRules) {
    this.#reads = reads;
    this.#areNames = areNames;
  }

  /** The names in the first header; undefined if there was none. */
  get names(): readonly string[] | undefined {
    return this.#names;
  }

  /** Begins the input called `file`. @throws RowFault if its columns differ from those of the inputs before */
  begin({ names, nameless }: Header, file: string): void {
    this.#check(names);
    this.#names ??= names;
    this.#columns = names.map((name) => {
      if (!this.#reads(name)) return undefined;
      const found = this.#found.get(name) ?? newFields(this.#areNames?.(name) === true);
      this.#found.set(name, found);
      return found;
    });
    for (const i of nameless) {
      const name = names[i]!;
      if (!this.#nameless.has(name)) this.#nameless.set(name, namelessNote(i, name, file));
    }
  }

  /** Adds the row that `rows` took last. `place` returns its file and line. @throws RowFault */
  add(rows: InputRows, row: Uint8Array, place: () => string): void {
    const { header, splitter } = rows;
    const { quotesCount } = header!;
    const { bytes, starts, ends } = splitter.fields;
    for (const [i, found] of this.#columns.entries()) {
      if (found === undefined) continue;
      if (rows.isMissing(i, false)) {
        found.missing = true;
        continue;
      }
      const isQuoted = splitter.isQuoted(i);
      if (splitter.isEmpty(i) && !quotesCount) {
        found.quotedEmpty = true;
        continue;
      }
      const isText = quotesCount && isQuoted;
      const literal = isText ? 'bytes' : literalKind(bytes[i]!, starts[i]!, ends[i]!);
      const kind = literal === 'float' && found.isName ? 'bytes' : literal;
      found.kind = widened(found.kind, kind);
      found.counts[kind]++;
      found.firsts[kind] ??= { value: shownField(splitter.bytes(i)), place: place() };
    }
    if (isText(row)) return;
    const at = this.#columns.findIndex((found, i) => found !== undefined && !isText(splitter.bytes(i)));
    if (at < 0) return;
    const name = header!.names[at]!;
    const message = `feature ${JSON.stringify(name)} is not text; expected ${NO_TEXT}`;
    throw new RowFault('TFR_FEATURE', message, name, NO_TEXT, 'other bytes');
  }

  /** The columns of the input that has `header`, for native code. */
  forRows({ names }: Header): readonly CsvRowColumn[] {
    return names.map((name, i) => {
      return { name, kind: this.#columns[i] && 'bytes', required: false, anyBytes: false };
    });
  }

  /** Adds the fields of rows that native code has read, without their first ones. */
  addFields(columns: SurveyedCsvRows['columns']): void {
    for (const [i, { counts, missing, quotedEmpty }] of columns.entries()) {
      const found = this.#columns[i];
      if (found === undefined) continue;
      found.missing ||= missing;
      found.quotedEmpty ||= quotedEmpty;
      for (const kind of KINDS) {
        if (counts[kind] === 0) continue;
        found.kind = widened(found.kind, kind);
        found.counts[kind] += counts[kind];
      }
    }
  }

  /** True if no field of the kind `kind` was the first one in column number `column`. */
  lacksFirst(column: number, kind: FeatureKind): boolean {
    return this.#columns[column]?.firsts[kind] === undefined;
  }

  /** Takes field `column` of the row that `rows` took last as the first one of the kind `kind`. */
  addFirst(rows: InputRows, column: number, kind: FeatureKind, place: string): void {
    const found = this.#columns[column]!;
    found.firsts[kind] ??= { value: shownField(rows.splitter.bytes(column)), place };
  }

  /** The kind of the fields of column `name` so far; undefined if none of them has a value. */
  kindOf(name: string): FeatureKind | undefined {
    return this.#found.get(name)?.kind;
  }

  /** Returns the columns that fit all rows. Call it after the last row. */
  finish(): CsvColumns {
    const rules = new Map<string, FieldRule>();
    for (const [name, { kind: known, missing, quotedEmpty }] of this.#found) {
      const kind = known ?? (quotedEmpty ? 'bytes' : undefined);
      if (kind === undefined) continue;
      const dtype = DTYPES[kind];
      const required = !missing && !(quotedEmpty && kind !== 'bytes');
      rules.set(name, { name, dtype, required, anyBytes: false });
    }
    return { rules, check: (names) => this.#check(names) };
  }

  /** Notes about columns whose kind one value decided, and about columns without a name. */
  notes(): readonly Text[] {
    const notes: Text[] = [];
    for (const [name, found] of this.#found) {
      const nameless = this.#nameless.get(name);
      if (nameless !== undefined && (found.kind !== undefined || found.quotedEmpty)) notes.push(nameless);
      const note = kindNote(name, found);
      if (note !== undefined) notes.push(note);
    }
    return shortened(notes);
  }

  #check(names: readonly string[]): void {
    const expected = this.#names;
    if (
      expected === undefined ||
      (names.length === expected.length && names.every((name) => expected.includes(name)))
    ) {
      return;
    }
    const [first, here] = [expected.join(', '), names.join(', ')];
    const message = `its columns are ${here}; those of the first file are ${first}`;
    throw new RowFault('TFR_FEATURE', message, undefined, first, here);
  }
}

function newFields(isName: boolean): ColumnFields {
  const counts = { int64: 0, float: 0, bytes: 0 };
  return { isName, kind: undefined, counts, firsts: {}, missing: false, quotedEmpty: false };
}

/** A note if the fields of a column have several kinds; undefined if they have one. */
function kindNote(name: string, { kind, counts, firsts }: ColumnFields): Text | undefined {
  const first = kind === undefined ? undefined : firsts[kind];
  const others = kind === 'bytes' ? counts.int64 + counts.float : kind === 'float' ? counts.int64 : 0;
  if (first === undefined || others === 0) return undefined;
  const column = `column ${JSON.stringify(name)}`;
  const more = counts[kind!] - 1;
  const also = more === 0 ? '' : ` (and ${more} more)`;
  if (kind === 'float') {
    return `${first.place}: ${first.value}${also} makes ${column} float32, with ${counted(others, 'integer')} in it`;
  }
  const cure = advice` (${named('na')}) names texts that mean no value, (${named('spec')}) sets the kind`;
  return worded`${first.place}: ${first.value}${also} makes ${column} text, with ${counted(others, 'number')} in it.${cure}`;
}

function namelessNote(i: number, name: string, file: string): Message {
  const cure = advice` (${named('exclude')}) leaves it out`;
  return worded`Column ${i + 1} of ${file} has no name: it is the feature ${JSON.stringify(name)}.${cure}`;
}

const KINDS: readonly FeatureKind[] = ['int64', 'float', 'bytes'];
const DTYPES = { int64: 'int64', float: 'float32', bytes: 'text' } as const satisfies Record<FeatureKind, string>;
