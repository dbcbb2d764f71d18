import { checkChoice, invalidArgType, invalidArgValue, TFRecordError, type Origin } from '../../base';
import type { PadValue } from '../../dataset';
import type { TensorOptions, TfjsDType } from './types';

/** Checked {@link TensorOptions}. */
export interface TensorRules {
  readonly dtypes: ReadonlyMap<string, TfjsDType>;
  readonly defaults: ReadonlyMap<string, PadValue>;
  /** Default of the columns that are not in `defaults`. */
  readonly defaultOfAll: PadValue | undefined;
}

const DTYPES: readonly TfjsDType[] = ['float32', 'int32', 'string', 'bool'];

/** Checks options. @throws TypeError with Node's codes. */
export function tensorRules({ dtypes, defaults }: TensorOptions): TensorRules {
  const one = isValue(defaults);
  return {
    dtypes: byName('options.dtypes', dtypes, (name, value) => checkChoice(name, value, DTYPES, 'float32')),
    defaults: one ? new Map() : byName('options.defaults', defaults, checkValue),
    defaultOfAll: one ? defaults : undefined,
  };
}

/** Checks that all rules refer to columns in `names`. @throws TypeError ERR_INVALID_ARG_VALUE */
export function checkNames({ dtypes, defaults }: TensorRules, names: readonly string[]): void {
  for (const [option, rules] of Object.entries({ dtypes, defaults })) {
    for (const name of rules.keys()) {
      if (!names.includes(name)) throw invalidArgValue(`options.${option}`, `one of ${listed(names)}`, name);
    }
  }
}

/** Lists the columns of a batch, for messages. */
export function listed(names: readonly string[]): string {
  return `the columns of the batch (${names.map((name) => JSON.stringify(name)).join(', ')})`;
}

function byName<V>(option: string, given: unknown, check: (name: string, value: unknown) => V): ReadonlyMap<string, V> {
  if (given === undefined) return new Map();
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw invalidArgType(option, 'an object by the names of columns', given);
  }
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return new Map(entries.map(([name, value]) => [name, check(`${option}.${name}`, value)]));
}

function checkValue(name: string, value: unknown): PadValue {
  if (isValue(value)) return value;
  throw invalidArgType(name, 'a number, a bigint, a string, a boolean or bytes', value);
}

function isValue(value: unknown): value is PadValue {
  return ['number', 'bigint', 'string', 'boolean'].includes(typeof value) || value instanceof Uint8Array;
}

/** Returns the origin of a row's record, if it is known. */
export type OriginOf = (row: number) => Origin | undefined;

/** A part of a batch, for error messages. */
export interface BatchPart {
  /** Name of the column; '' for a batch that is itself one column. */
  readonly name: string;
  readonly row?: number | undefined;
  /** True if the row was parsed: a Uint8Array in it is a byte string. */
  readonly parsed?: boolean | undefined;
  readonly originOf?: OriginOf | undefined;
}

/**
 * Returns a TFR_FEATURE error: the values at `place` cannot become a tensor. `advice`: a sentence without a full stop.
 * If the record of the row is unknown, the error's `record` is the number of the row.
 */
export function misfit(place: BatchPart, expected: string, found: string, advice?: string): TFRecordError {
  const { name, row } = place;
  const origin = row === undefined ? undefined : place.originOf?.(row);
  const what = name === '' ? 'The batch' : `Feature ${JSON.stringify(name)}`;
  return new TFRecordError(
    'TFR_FEATURE',
    `${what}${where(row, origin)} cannot become a tensor: expected ${expected}, found ${found}.` +
      (advice === undefined ? '' : ` ${advice}.`),
    {
      feature: name === '' ? undefined : name,
      file: origin?.file,
      record: origin?.record ?? row,
      offset: origin?.offset,
      expected,
      found,
    },
  );
}

function where(row: number | undefined, origin: Origin | undefined): string {
  if (origin !== undefined) return ` in record ${origin.record} of ${origin.file} (byte ${origin.offset})`;
  return row === undefined ? '' : ` in row ${row} of the batch`;
}
