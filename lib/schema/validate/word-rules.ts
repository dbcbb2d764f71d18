/** Rules about bytes: words of a domain, numbers as text, the number of different values. */
import { isUtf8 } from 'node:buffer';

import { grouped } from '../../base';
import type { FeatureSurvey } from '../../table';
import type { FeatureMessage, FloatDomainMessage, IntDomainMessage } from '../message/schema-message';
import { plural, quoted, type AnomalyType } from './anomaly';
import {
  featureRule,
  presentIn,
  type Finding,
  type FeatureRef,
  type Rule,
  type RuleState,
  type Surveyed,
  type ValueRule,
} from './rule';
import { bufferOf, keyOf, keyOfText, textOfKey } from './value-key';

/** Maximum number of different words outside a domain that are kept; others are only counted. */
const MAX_WORDS = 4096;
/** Maximum number of words that a sentence lists. */
const NAMED = 10;

/** Base of rules that check each value of a feature. */
abstract class Values implements ValueRule {
  readonly section: ValueRule['section'];
  readonly path: readonly string[];
  readonly names: readonly string[];
  readonly integers: boolean;
  readonly #name: string;

  constructor({ section, name, path }: FeatureRef, integers = false) {
    this.integers = integers;
    this.section = section;
    this.path = path;
    this.#name = name;
    this.names = [name];
  }

  suspects(batch: Surveyed): boolean {
    const own = batch.feature(this.section, this.#name);
    return own !== undefined && this.wants(own);
  }

  /** Always false: the rule checks values instead of records. */
  breaks(): boolean {
    return false;
  }

  verdict(all: Surveyed): readonly Finding[] {
    const own = all.feature(this.section, this.#name);
    return own === undefined ? [] : this.findings(own);
  }

  wants(own: FeatureSurvey): boolean {
    if (own.bytes === undefined) return false;
    const { distinct } = own.bytes;
    return distinct === undefined || !this.knows(distinct.map((word) => keyOf(bufferOf(word), 0, word.length)));
  }

  /** Checks the different values of a batch. Returns false if it needs each value. */
  protected abstract knows(distinct: readonly string[]): boolean;
  abstract readonly counts: boolean;
  abstract take(key: string): boolean;
  protected abstract findings(all: FeatureSurvey): readonly Finding[];
}

/** Values must be among the words of a domain; or at least the fraction `minMass` of them. */
class WordsRule extends Values {
  readonly counts = true;
  readonly #domain: ReadonlySet<string>;
  readonly #minMass: number;
  readonly #others = new Map<string, number>();
  #outside = 0;

  constructor(place: FeatureRef, words: readonly string[], minMass: number) {
    super(place);
    this.#domain = new Set(words.map(keyOfText));
    this.#minMass = minMass;
  }

  protected knows(distinct: readonly string[]): boolean {
    return distinct.every((key) => this.#domain.has(key));
  }

  take(key: string): boolean {
    if (this.#domain.has(key)) return false;
    this.#outside++;
    const count = this.#others.get(key);
    if (count !== undefined || this.#others.size < MAX_WORDS) this.#others.set(key, (count ?? 0) + 1);
    return true;
  }

  state(): RuleState {
    return { count: this.#outside, values: [...this.#others] };
  }

  add({ count, values }: RuleState): void {
    this.#outside += count;
    for (const [key, times] of values) {
      const before = this.#others.get(key);
      if (before !== undefined || this.#others.size < MAX_WORDS) this.#others.set(key, (before ?? 0) + times);
    }
  }

  protected findings({ bytes, counts }: FeatureSurvey): readonly Finding[] {
    const total = counts?.total ?? 0;
    // Values that are not UTF-8 are another anomaly, and are not compared with the words.
    if (this.#outside === 0 || bytes!.notUtf8 > 0) return [];
    if (this.#minMass < 1 && this.#outside / total <= 1 - this.#minMass) return [];
    const words = [...this.#others].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    const named = words.slice(0, NAMED).map(([key, count]) => `${quoted(textOfKey(key))} (${shareOf(count, total)})`);
    const more = words.length - named.length;
    const atLeast = words.length === MAX_WORDS ? 'at least ' : '';
    const rest = more > 0 ? `, and ${atLeast}${grouped(more)} more words` : '';
    const allowed = this.#minMass < 1 ? ` (the schema allows ${shareOf(1 - this.#minMass, 1)})` : '';
    const message = `${grouped(this.#outside)} of ${plural(total, 'value')} ${this.#outside === 1 ? 'is' : 'are'} not in the domain${allowed}: ${named.join(', ')}${rest}.`;
    return [{ type: 'ENUM_TYPE_UNEXPECTED_STRING_VALUES', message }];
  }
}

function shareOf(count: number, total: number): string {
  const percent = (100 * count) / total;
  return percent < 1 ? '< 1 %' : `${Number(percent.toPrecision(2))} %`;
}

/** The rules of the domain `words`. `minMass`: minimum fraction of the values that must be among them. */
export function wordRules(place: FeatureRef, words: readonly string[], minMass: number): Rule[] {
  return [textRule(place), new WordsRule(place, words, minMass)];
}

/** The rule that values with a domain are UTF-8. */
function textRule(place: FeatureRef): Rule {
  const bad = (own: FeatureSurvey | undefined): number => own?.bytes?.notUtf8 ?? 0;
  return featureRule(place, {
    suspects: (own) => bad(own) > 0,
    breaks: (items) => items?.some((item) => item?.kind === 'bytes' && !isText(item.values)) === true,
    verdict: (all) => {
      const count = bad(all);
      if (count === 0) return [];
      const message = `${plural(count, 'value')} ${count === 1 ? 'is' : 'are'} not UTF-8, but the domain has words.`;
      return [{ type: 'ENUM_TYPE_INVALID_UTF8', message }];
    },
  });
}

function isText(values: { readonly length: number; at(index: number): Uint8Array | undefined }): boolean {
  for (let i = 0; i < values.length; i++) if (!isUtf8(values.at(i)!)) return false;
  return true;
}

/** A rule about each value. The sentence shows the first value that breaks it. */
class EachValue extends Values {
  readonly counts = false;
  readonly #type: AnomalyType;
  readonly #good: (text: string) => boolean;
  readonly #sentence: (first: string) => string;
  readonly #unless: EachValue | undefined;
  first: string | undefined;

  /** `unless`: a rule that, if it is broken, makes this one void. */
  constructor(
    place: FeatureRef,
    type: AnomalyType,
    good: (text: string) => boolean,
    sentence: (first: string) => string,
    unless?: EachValue,
  ) {
    super(place);
    this.#type = type;
    this.#good = good;
    this.#sentence = sentence;
    this.#unless = unless;
  }

  protected knows(distinct: readonly string[]): boolean {
    return distinct.every(this.#good);
  }

  take(key: string): boolean {
    if (this.#good(key)) return false;
    this.first ??= key;
    return true;
  }

  state(): RuleState {
    return { count: 0, values: this.first === undefined ? [] : [[this.first, 1]] };
  }

  add({ values: [value] }: RuleState): void {
    this.first ??= value?.[0];
  }

  protected findings(): readonly Finding[] {
    if (this.first === undefined || this.#unless?.first !== undefined) return [];
    return [{ type: this.#type, message: this.#sentence(quoted(textOfKey(this.first))) }];
  }
}

/** The rule of a `bool_domain` for bytes. */
export function boolTextRule(
  place: FeatureRef,
  { trueValue, falseValue }: NonNullable<FeatureMessage['boolDomain']>,
): Rule {
  const words = [trueValue, falseValue].filter((word) => word !== undefined);
  const keys = new Set(words.map(keyOfText));
  const allowed = words.length === 0 ? 'none' : words.map(quoted).join(' and ');
  return new EachValue(
    place,
    'BOOL_TYPE_UNEXPECTED_STRING',
    (key) => keys.has(key),
    (first) => `Some values, such as ${first}, are not truth values: the schema has ${allowed}.`,
  );
}

const INTEGER = /^\s*[+-]?\d+\s*$/;
const FLOAT = /^\s*[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?|nan)\s*$/i;

function integerOf(text: string): bigint | undefined {
  if (!INTEGER.test(text)) return undefined;
  const value = BigInt(text.trim().replace('+', ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function floatOf(text: string): number | undefined {
  if (!FLOAT.test(text)) return undefined;
  if (/nan/i.test(text)) return NaN;
  if (/inf/i.test(text)) return text.includes('-') ? -Infinity : Infinity;
  return Math.fround(Number(text));
}

/** The rules of an `int_domain` for bytes: integers as text. */
export function intTextRules(place: FeatureRef, { min, max }: IntDomainMessage): Rule[] {
  return numberTextRules(
    place,
    integerOf,
    ['INT_TYPE_NOT_INT_STRING', 'INT_TYPE_SMALL_INT', 'INT_TYPE_BIG_INT'],
    'integers',
    [min, max],
  );
}

/** The rules of a `float_domain` for bytes: numbers as text. */
export function floatTextRules(place: FeatureRef, { min, max }: FloatDomainMessage): Rule[] {
  return numberTextRules(
    place,
    floatOf,
    ['FLOAT_TYPE_STRING_NOT_FLOAT', 'FLOAT_TYPE_SMALL_FLOAT', 'FLOAT_TYPE_BIG_FLOAT'],
    'numbers',
    [min, max],
  );
}

function numberTextRules<T extends bigint | number>(
  place: FeatureRef,
  valueOf: (text: string) => T | undefined,
  [none, small, big]: readonly [AnomalyType, AnomalyType, AnomalyType],
  noun: string,
  [min, max]: readonly [T | undefined, T | undefined],
): Rule[] {
  const not = new EachValue(
    place,
    none,
    (text) => valueOf(text) !== undefined,
    (first) => `Some values, such as ${first}, are not ${noun}.`,
  );
  const rules: Rule[] = [not];
  if (min !== undefined) {
    const good = (text: string): boolean => !((valueOf(text) ?? min) < min);
    rules.push(
      new EachValue(
        place,
        small,
        good,
        (first) => `Some values, such as ${first}, are below ${min}, the minimum of the schema.`,
        not,
      ),
    );
  }
  if (max !== undefined) {
    const good = (text: string): boolean => !((valueOf(text) ?? max) > max);
    rules.push(
      new EachValue(
        place,
        big,
        good,
        (first) => `Some values, such as ${first}, are above ${max}, the maximum of the schema.`,
        not,
      ),
    );
  }
  return rules;
}

/** Maximum number of different values to count. */
const MAX_COUNTED = 2 ** 20;

/** Counts the different values of a feature, up to one more than the schema allows. */
class UniqueRule extends Values {
  readonly #min: number;
  readonly #max: number;
  readonly #limit: number;
  readonly #seen = new Set<string>();

  /** `integers`: true to count integers, too, because they are categories. */
  constructor(place: FeatureRef, min: number, max: number, integers: boolean) {
    super(place, integers);
    this.#min = min;
    this.#max = max;
    this.#limit = Math.min(MAX_COUNTED, Math.max(min, max === Infinity ? 0 : max + 1));
  }

  get counts(): boolean {
    return this.#seen.size < this.#limit;
  }

  override wants(own: FeatureSurvey): boolean {
    if (this.integers && own.int64 !== undefined) {
      const { distinct } = own.int64;
      return distinct === undefined || !this.knows(distinct.map(String));
    }
    return super.wants(own);
  }

  protected knows(distinct: readonly string[]): boolean {
    const fresh = distinct.filter((key) => !this.#seen.has(key));
    if (this.#seen.size + fresh.length > this.#max) return false;
    for (const key of fresh) this.#add(key);
    return true;
  }

  take(key: string): boolean {
    if (this.#seen.has(key)) return false;
    const many = this.#seen.size >= this.#max;
    this.#add(key);
    return many;
  }

  #add(key: string): void {
    if (this.#seen.size < this.#limit) this.#seen.add(key);
  }

  state(): RuleState {
    return { count: 0, values: Array.from(this.#seen, (key) => [key, 1] as const) };
  }

  add({ values }: RuleState): void {
    for (const [key] of values) this.#add(key);
  }

  protected findings(all: FeatureSurvey): readonly Finding[] {
    if (presentIn(all) === 0) return [];
    if (all.bytes === undefined && !(this.integers && all.int64 !== undefined)) {
      const message =
        'The schema limits the number of different values, which are counted only for bytes and for categories.';
      return [{ type: 'FEATURE_TYPE_NO_UNIQUE', message }];
    }
    const count = this.#seen.size;
    if (count > this.#max) {
      const message = `There are more than ${plural(this.#max, 'different value')}, the maximum of the schema.`;
      return [{ type: 'FEATURE_TYPE_HIGH_UNIQUE', message }];
    }
    if (count >= this.#min || count === MAX_COUNTED) return [];
    const message = `There ${count === 1 ? 'is' : 'are'} ${plural(count, 'different value')}, and at least ${grouped(this.#min)} are expected.`;
    return [{ type: 'FEATURE_TYPE_LOW_UNIQUE', message }];
  }
}

/** The rule of `unique_constraints`. `integers`: true if integers are categories. */
export function uniqueRule(
  place: FeatureRef,
  { min, max }: NonNullable<FeatureMessage['uniqueConstraints']>,
  integers: boolean,
): Rule {
  return new UniqueRule(place, Number(min ?? 0n), max === undefined ? Infinity : Number(max), integers);
}
