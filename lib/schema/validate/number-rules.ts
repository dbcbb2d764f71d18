/** Rules about numbers: bounds, NaN, infinities, truth values. */
import type { FeatureSurvey } from '../../table';
import { shortestFloat32 } from '../../tensor';
import type { FloatDomainMessage, IntDomainMessage } from '../message/schema-message';
import { plural, type AnomalyType } from './anomaly';
import { featureRule, type FeatureRef, type Rule } from './rule';

/** A rule about each number. `wrong` returns true for a number that breaks it. */
function numberRule<T extends bigint | number>(
  place: FeatureRef,
  type: AnomalyType,
  parts: {
    readonly kind: T extends bigint ? 'int64' : 'float';
    readonly suspects: (own: FeatureSurvey) => boolean;
    readonly wrong: (value: T) => boolean;
    readonly message: (all: FeatureSurvey, first: T | undefined) => string | undefined;
  },
): Rule {
  let first: T | undefined;
  const { kind, suspects, wrong, message } = parts;
  return featureRule(place, {
    suspects: (own) => own !== undefined && suspects(own),
    breaks: (items) => {
      for (const item of items ?? []) {
        if (item?.kind !== kind) continue;
        for (const value of item.values as Iterable<T>) {
          if (!wrong(value)) continue;
          first ??= value;
          return true;
        }
      }
      return false;
    },
    state: () => ({ count: 0, values: first === undefined ? [] : [[Object.is(first, -0) ? '-0' : String(first), 1]] }),
    add: ({ values: [value] }) => {
      if (value !== undefined) first ??= (kind === 'int64' ? BigInt(value[0]) : Number(value[0])) as T;
    },
    verdict: (all, _records, found) => {
      if (all === undefined || found === 0) return [];
      const text = message(all, first);
      return text === undefined ? [] : [{ type, message: text }];
    },
  });
}

/** The rules of an `int_domain` for integers. */
export function intRules(place: FeatureRef, { min, max }: IntDomainMessage): Rule[] {
  const rules: Rule[] = [];
  if (min !== undefined) {
    rules.push(
      numberRule<bigint>(place, 'INT_TYPE_SMALL_INT', {
        kind: 'int64',
        suspects: ({ int64 }) => int64 !== undefined && int64.min < min,
        wrong: (value) => value < min,
        message: ({ int64 }) => `The smallest value is ${int64!.min}, but the schema allows none below ${min}.`,
      }),
    );
  }
  if (max !== undefined) {
    rules.push(
      numberRule<bigint>(place, 'INT_TYPE_BIG_INT', {
        kind: 'int64',
        suspects: ({ int64 }) => int64 !== undefined && int64.max > max,
        wrong: (value) => value > max,
        message: ({ int64 }) => `The largest value is ${int64!.max}, but the schema allows none above ${max}.`,
      }),
    );
  }
  return rules;
}

/** The rules of a `float_domain` for floats. */
export function floatRules(place: FeatureRef, { min, max, disallowNan, disallowInf }: FloatDomainMessage): Rule[] {
  const rules: Rule[] = [];
  // A survey does not distinguish the signs of infinities.
  if (min !== undefined) {
    rules.push(
      numberRule<number>(place, 'FLOAT_TYPE_SMALL_FLOAT', {
        kind: 'float',
        suspects: ({ float32 }) => float32 !== undefined && (under(float32.min, min) || float32.infinities > 0),
        wrong: (value) => value < min,
        message: ({ float32 }, first) => {
          const least = first === -Infinity || !under(float32!.min, min) ? -Infinity : float32!.min!;
          return `The smallest value is ${shown(least)}, but the schema allows none below ${shown(min)}.`;
        },
      }),
    );
  }
  if (max !== undefined) {
    rules.push(
      numberRule<number>(place, 'FLOAT_TYPE_BIG_FLOAT', {
        kind: 'float',
        suspects: ({ float32 }) => float32 !== undefined && (over(float32.max, max) || float32.infinities > 0),
        wrong: (value) => value > max,
        message: ({ float32 }, first) => {
          const most = first === Infinity || !over(float32!.max, max) ? Infinity : float32!.max!;
          return `The largest value is ${shown(most)}, but the schema allows none above ${shown(max)}.`;
        },
      }),
    );
  }
  if (disallowNan === true) {
    rules.push(
      numberRule<number>(place, 'FLOAT_TYPE_HAS_NAN', {
        kind: 'float',
        suspects: ({ float32 }) => (float32?.nans ?? 0) > 0,
        wrong: Number.isNaN,
        message: ({ float32 }) =>
          `${plural(float32!.nans, 'value')} of it ${float32!.nans === 1 ? 'is' : 'are'} NaN, but the schema allows none.`,
      }),
    );
  }
  if (disallowInf === true) {
    rules.push(
      numberRule<number>(place, 'FLOAT_TYPE_HAS_INF', {
        kind: 'float',
        suspects: ({ float32 }) => (float32?.infinities ?? 0) > 0,
        wrong: (value) => Math.abs(value) === Infinity,
        message: ({ float32 }) =>
          `${plural(float32!.infinities, 'value')} of it ${float32!.infinities === 1 ? 'is' : 'are'} infinite, but the schema allows none.`,
      }),
    );
  }
  return rules;
}

/** The rules of a `bool_domain` for numbers: only 0 and 1 are allowed. */
export function boolRules(place: FeatureRef): Rule[] {
  return [
    numberRule<bigint>(place, 'BOOL_TYPE_SMALL_INT', {
      kind: 'int64',
      suspects: ({ int64 }) => int64 !== undefined && int64.min < 0n,
      wrong: (value) => value < 0n,
      message: ({ int64 }) => `The smallest value is ${int64!.min}, but truth values are 0 and 1.`,
    }),
    numberRule<bigint>(place, 'BOOL_TYPE_BIG_INT', {
      kind: 'int64',
      suspects: ({ int64 }) => int64 !== undefined && int64.max > 1n,
      wrong: (value) => value > 1n,
      message: ({ int64 }) =>
        int64!.min < 0n ? undefined : `The largest value is ${int64!.max}, but truth values are 0 and 1.`,
    }),
    numberRule<number>(place, 'BOOL_TYPE_UNEXPECTED_FLOAT', {
      kind: 'float',
      suspects: ({ float32, kinds, counts }) => {
        if (float32 === undefined) return false;
        const { min = 0, max = 1, nans, infinities, zeros } = float32;
        if (min < 0 || max > 1 || nans > 0 || infinities > 0) return true;
        // If all are zeros, or all are ones, the rule holds; otherwise there may be numbers between them.
        return min !== max || (min !== 1 && !(kinds.float32 > 0 && zeros === counts!.total));
      },
      wrong: (value) => value !== 0 && value !== 1,
      message: (_all, first) => `Some values, such as ${shown(first!)}, are neither 0 nor 1.`,
    }),
  ];
}

function under(value: number | undefined, bound: number): boolean {
  return value !== undefined && value < bound;
}

function over(value: number | undefined, bound: number): boolean {
  return value !== undefined && value > bound;
}

function shown(value: number): string {
  return Number.isFinite(value) ? String(shortestFloat32(value)) : String(value);
}
