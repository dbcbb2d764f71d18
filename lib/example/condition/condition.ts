/** Conditions on the values of features: `label=3`, `name~^A`, `score>0.5`, `image/encoded`, `!label`. */
import { thrownText } from '../../base';
import { isUtf8 } from 'node:buffer';

import { nearestHint, type DecodedSequenceExample } from '../feature';

type Operation = '=' | '~' | '<' | '<=' | '>' | '>=';
type Operator = Operation | '!=' | '!~';
interface Values<V> extends Iterable<V> {
  readonly length: number;
}

/** The values of a feature, or of a member of a message, whose numbers may be doubles and beyond int64. */
export type ConditionValues =
  | { readonly kind: 'int64'; readonly values: Values<bigint> }
  | { readonly kind: 'float' | 'double'; readonly values: Values<number> }
  | { readonly kind: 'bytes'; readonly values: Values<Uint8Array> };

/** The values that conditions test. */
interface Conditioned {
  readonly context: Readonly<Record<string, ConditionValues | undefined>>;
  readonly featureLists: DecodedSequenceExample['featureLists'];
}

/** True if a value fits. */
type Test<V> = (value: V) => boolean;

const NAME = /^\s*(?:("(?:[^"\\]|\\.)*")|([^=!<>~]*[^=!<>~\s]))\s*/;
const OPERATOR = /^(==?|!=|!~|<=|>=|[<>~])\s*/;

/** A condition on one feature of a record. */
export class Condition {
  /** The name of the feature. */
  readonly name: string;
  /** True if texts are matched with a regular expression, whose time has no limit. */
  readonly isPattern: boolean;
  readonly #text: string;
  /** True if the condition holds for records without a matching value. */
  readonly #negated: boolean;
  /** The tests of values by their kind; undefined if the condition concerns the feature, not its values. */
  readonly #tests: ValueTests | undefined;
  #fitting = false;
  #present = false;
  /** True after a record had the feature without a kind, which messages can have. */
  #isKindless = false;
  /** A kind of found values that the condition cannot test. */
  #unfit: string | undefined;

  private constructor(text: string, name: string, negated: boolean, tests: ValueTests | undefined, isPattern = false) {
    this.#text = text;
    this.name = name;
    this.#negated = negated;
    this.#tests = tests;
    this.isPattern = isPattern;
  }

  /** Parses a condition. @throws SyntaxError, whose message names what is expected */
  static parse(text: string): Condition {
    const missing = /^\s*!/.exec(text)?.[0] ?? '';
    const found = NAME.exec(text.slice(missing.length));
    if (found === null) throw new SyntaxError('It begins with the name of a feature, or with ! and a name.');
    const name = found[1] === undefined ? found[2]! : quotedName(found[1]);
    const rest = text.slice(missing.length + found[0].length);
    if (rest === '') return new Condition(text, name, missing !== '', undefined);
    const operator = OPERATOR.exec(rest);
    if (operator === null || missing !== '')
      throw new SyntaxError(`Expected one of = != ~ !~ < <= > >= after the name.`);
    const given = operator[1] === '==' ? '=' : (operator[1] as Operator);
    const value = rest.slice(operator[0].length);
    if (value === '' && /[<>]/.test(given)) throw new SyntaxError(`Expected a value after ${given}.`);
    const negated = given === '!=' || given === '!~';
    const operation = given === '!=' ? '=' : given === '!~' ? '~' : given;
    return new Condition(text, name, negated, valueTests(operation, value), operation === '~');
  }

  /** True if the record fulfils the condition. */
  holds({ context, featureLists }: Conditioned): boolean {
    const feature = context[this.name];
    if (feature === undefined && Object.hasOwn(context, this.name)) this.#isKindless = true;
    let found = this.#any(feature);
    for (const step of featureLists[this.name] ?? []) found = this.#any(step) || found;
    if (this.#tests === undefined && featureLists[this.name] !== undefined) this.#present = found = true;
    return found !== this.#negated;
  }

  /**
   * Returns the reason why the condition may not be what the user intends; undefined if it could test values. `names`
   * are features of the records, for a hint.
   */
  remark(names: Iterable<string> = []): string | undefined {
    const name = JSON.stringify(this.name);
    if (this.#tests === undefined && this.#negated) return undefined;
    if (!this.#present && this.#isKindless) return `the feature ${name} has no kind, so it has no values`;
    if (!this.#present) {
      const hint = nearestHint(this.name, names);
      return `no record has a feature ${name}${hint === '' ? '' : `.${hint}`}`;
    }
    if (this.#fitting || this.#unfit === undefined) return undefined;
    return `${this.#text}: the values of ${name} are ${this.#unfit}`;
  }

  #any(feature: ConditionValues | undefined): boolean {
    if (feature === undefined) return false;
    this.#present = true;
    if (this.#tests === undefined) return true;
    const test = this.#tests[feature.kind] as Test<unknown> | undefined;
    if (test === undefined) {
      if (feature.values.length > 0) this.#unfit = feature.kind;
      return false;
    }
    if (feature.values.length > 0) this.#fitting = true;
    for (const value of feature.values) if (test(value)) return true;
    return false;
  }
}

/** Tests by the kind of the feature; undefined for a kind that has no such values. */
interface ValueTests {
  readonly int64: Test<bigint> | undefined;
  readonly float: Test<number> | undefined;
  readonly double: Test<number> | undefined;
  readonly bytes: Test<Uint8Array>;
}

function quotedName(json: string): string {
  try {
    return JSON.parse(json) as string;
  } catch {
    throw new SyntaxError('A name in quotes is a JSON string.');
  }
}

function valueTests(operator: Operation, value: string): ValueTests {
  if (operator === '~') return { int64: undefined, float: undefined, double: undefined, bytes: textTest(value) };
  const wanted = Buffer.from(value);
  const holds = ORDERS[operator];
  const exact = exactNumber(value);
  const float = nearestFloat(value);
  return {
    int64: exact === undefined ? undefined : (found) => holds(orderOf(found, exact)),
    float: float === undefined ? undefined : (found) => holds(orderOfFloats(found, float)),
    double:
      float === undefined
        ? undefined
        : (found) => holds(orderOfFloats(found, exact === undefined ? float : Number(value))),
    bytes: (found) => holds(Buffer.compare(found, wanted)),
  };
}

/**
 * For each operator, a function that is true for the matching orders of a found value and the given one: below 0, 0,
 * above 0, or NaN.
 */
const ORDERS = {
  '=': (order: number) => order === 0,
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
} as const;

function textTest(pattern: string): Test<Uint8Array> {
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, 'u');
  } catch (error) {
    throw new SyntaxError(`${thrownText(error)}.`);
  }
  return (found) =>
    isUtf8(found) && expression.test(Buffer.from(found.buffer, found.byteOffset, found.length).toString());
}

/** A number that was parsed from decimal digits: its integer part, and whether it has a fraction. */
interface ExactNumber {
  readonly floor: bigint;
  readonly fraction: boolean;
}

/** A decimal exponent beyond any int64 and any float. */
const MAX_SCALE = 400;
const DECIMAL = /^\s*([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?\s*$/i;

/** Parses decimal digits without rounding; undefined for other text. */
function exactNumber(text: string): ExactNumber | undefined {
  const [, sign = '', whole = '', decimals = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  if (whole === '' && decimals === '') return undefined;
  const digits = BigInt(`${whole}${decimals}`) * (sign === '-' ? -1n : 1n);
  const scale = Number(exponent) - decimals.length;
  if (scale >= 0) return { floor: digits * 10n ** BigInt(Math.min(scale, MAX_SCALE)), fraction: false };
  // After that many digits, only the sign of the number matters.
  const unit = 10n ** BigInt(Math.min(-scale, whole.length + decimals.length + MAX_SCALE));
  const fraction = digits % unit !== 0n;
  return { floor: digits / unit - (fraction && digits < 0n ? 1n : 0n), fraction };
}

function orderOf(found: bigint, { floor, fraction }: ExactNumber): number {
  if (found === floor) return fraction ? -1 : 0;
  return found < floor ? -1 : 1;
}

const NOT_FINITE: Readonly<Record<string, number>> = { nan: NaN, inf: Infinity, infinity: Infinity };

/** Returns the float32 nearest to a number, which is what files contain; undefined for text that is not a number. */
function nearestFloat(text: string): number | undefined {
  if (exactNumber(text) === undefined) {
    const [, sign, word = ''] = /^\s*([+-]?)(\w+)\s*$/.exec(text.toLowerCase()) ?? [];
    const value = NOT_FINITE[word];
    return value !== undefined && sign === '-' ? -value : value;
  }
  const value = Number(text);
  const nearest = Math.fround(value);
  // A number beyond float32 is not a value of files, but is still ordered among them.
  return Number.isFinite(nearest) && (nearest !== 0 || value === 0) ? nearest : value;
}

/** Compares floats: NaN is equal to itself, and neither below nor above a number. */
function orderOfFloats(found: number, given: number): number {
  if (Number.isNaN(found) && Number.isNaN(given)) return 0;
  if (found === given) return 0;
  return found < given ? -1 : found > given ? 1 : NaN;
}
