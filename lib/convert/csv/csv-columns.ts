/** The columns of files: by a spec, or by the fields of all rows. */
import { invalidArgValue, TFRecordError } from '../../errors';
import { tableOfPlan, type FeatureKind } from '../../example';
import { sizeOf } from '../../tensor';
import type { RowSpec } from '../format';
import { RowFault } from '../jsonl/parse-line';
import { NO_TEXT, type FieldRule } from './field-columns';
import type { Header } from './header';
import type { InputRows } from './input-rows';
import { literalKind, widened } from './literals';
import { isText } from './row-splitter';

/** The columns of all inputs. */
export interface CsvColumns {
  /** Columns that are read; others have no value in any row. */
  readonly rules: ReadonlyMap<string, FieldRule>;
  /** @throws RowFault if a header does not fit */
  check(names: readonly string[]): void;
}

/**
 * The columns that `spec` names.
 * @throws TypeError for a spec of SequenceExamples; TFRecordError TFR_SPEC for a feature that has no column
 */
export function columnsOfSpec({ plan, features }: RowSpec): CsvColumns {
  if (features === undefined) {
    throw invalidArgValue('options.spec', 'a spec of Examples: CSV has no feature lists', undefined);
  }
  const rules = new Map<string, FieldRule>();
  for (const { key, dtype, shape, nullable, fallback } of tableOfPlan(plan).columns) {
    if (shape !== undefined && sizeOf(shape) !== 1) {
      throw new TFRecordError(
        'TFR_SPEC',
        `The spec gives feature ${JSON.stringify(key)} ${sizeOf(shape)} values, and a field of CSV has one.`,
        { feature: key, expected: 'one value', found: `shape [${shape.join(', ')}]` },
      );
    }
    rules.set(key, { name: key, dtype, required: !nullable && fallback === undefined, anyBytes: dtype === 'bytes' });
  }
  const check = (names: readonly string[]): void => {
    const stranger = names.find((name) => !rules.has(name));
    if (stranger !== undefined) {
      const message = `column ${JSON.stringify(stranger)} is not in the spec`;
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

/** The fields of one column, in the rows so far. */
interface Found {
  kind: FeatureKind | undefined;
  /** A row has no value. */
  missing: boolean;
  /** A row has quotes around nothing. */
  quotedEmpty: boolean;
}

/** Looks at the fields of all rows. Each row is to be taken once. */
export class ColumnSurvey {
  readonly #found = new Map<string, Found>();
  /** The names of the first header. */
  #names: readonly string[] | undefined;
  /** By the fields of a row. */
  #columns: readonly Found[] = [];

  /** Takes the header of an input. @throws RowFault if it has other columns than those before */
  begin({ names }: Header): void {
    this.#check(names);
    this.#names ??= names;
    this.#columns = names.map((name) => {
      const found = this.#found.get(name) ?? { kind: undefined, missing: false, quotedEmpty: false };
      this.#found.set(name, found);
      return found;
    });
  }

  /** Takes the row that `rows` took last. @throws RowFault */
  add({ header, splitter }: InputRows, row: Uint8Array): void {
    const { quotesCount } = header!;
    const { bytes, starts, ends } = splitter.fields;
    for (const [i, found] of this.#columns.entries()) {
      if (splitter.isEmpty(i)) {
        if (!splitter.isQuoted(i)) found.missing = true;
        else if (quotesCount) found.kind = 'bytes';
        else found.quotedEmpty = true;
      } else if (found.kind !== 'bytes') {
        const isText = quotesCount && splitter.isQuoted(i);
        found.kind = isText ? 'bytes' : widened(found.kind, literalKind(bytes[i]!, starts[i]!, ends[i]!));
      }
    }
    if (isText(row)) return;
    const at = this.#columns.findIndex((_, i) => !isText(splitter.bytes(i)));
    const name = header!.names[at]!;
    const message = `feature ${JSON.stringify(name)} is no text; expected ${NO_TEXT}`;
    throw new RowFault('TFR_FEATURE', message, name, NO_TEXT, 'other bytes');
  }

  /** Call it after all rows: returns the columns that fit them. */
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

const DTYPES = { int64: 'int64', float: 'float32', bytes: 'text' } as const satisfies Record<FeatureKind, string>;
