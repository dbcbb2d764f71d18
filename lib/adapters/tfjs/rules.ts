import type { PadValue } from '../../dataset';
import { invalidArgType, invalidArgValue } from '../../errors';
import { checkChoice } from '../../record';
import type { TensorOptions, TfjsDType } from './types';

/** Checked {@link TensorOptions}. */
export interface TensorRules {
  readonly dtypes: ReadonlyMap<string, TfjsDType>;
  readonly defaults: ReadonlyMap<string, PadValue>;
  /** Of columns that `defaults` does not name. */
  readonly defaultOfAll: PadValue | undefined;
}

const DTYPES: readonly TfjsDType[] = ['float32', 'int32', 'string', 'bool'];

/** @throws TypeError with Node's codes */
export function tensorRules({ dtypes, defaults }: TensorOptions): TensorRules {
  const one = isValue(defaults);
  return {
    dtypes: byName('options.dtypes', dtypes, (name, value) => checkChoice(name, value, DTYPES, 'float32')),
    defaults: one ? new Map() : byName('options.defaults', defaults, checkValue),
    defaultOfAll: one ? defaults : undefined,
  };
}

/** @throws TypeError ERR_INVALID_ARG_VALUE for a rule of a column that is not there */
export function checkNames({ dtypes, defaults }: TensorRules, names: readonly string[]): void {
  for (const [option, rules] of Object.entries({ dtypes, defaults })) {
    for (const name of rules.keys()) {
      if (!names.includes(name)) throw invalidArgValue(`options.${option}`, `of ${listed(names)}`, name);
    }
  }
}

/** The columns of a batch, to be read by people. */
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
