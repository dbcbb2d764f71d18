/** Random cases: a spec, and records for it. Each seed is a case. */
import { Choices } from '../choices';
import { encode, ODDITIES, type Oddity, type Style } from './encode';
import {
  indexKeysOf,
  partitionsOf,
  shapeOf,
  sizeOf,
  valueKeyOf,
  violationOf,
  type RecordModel,
  type SpecModel,
  type Violation,
} from './model';
import type { ParseRequest } from './outcomes';
import { addFault, fittingRecord, slideValue } from './records';
import { randomSpec } from './specs';

export interface ParseCase {
  readonly request: ParseRequest;
  readonly spec: SpecModel;
  readonly fault: string | undefined;
  readonly oddity: Oddity | undefined;
  readonly violation: Violation | undefined;
}

export function parseCase(seed: number): ParseCase {
  const choices = new Choices(seed);
  const form = choices.chance(0.7) ? 'example' : 'sequence';
  const odd = choices.chance(0.15);
  const single = choices.chance(0.3);
  const spec = randomSpec(choices, { form, plain: odd });
  const size = single ? 1 : batchSize(choices);
  const models = choices.list(size, () => fittingRecord(choices, spec));
  const at = choices.below(Math.max(1, size));
  const record = models[at];
  const keys = keysOf(spec);
  const faulty = !odd && record !== undefined && keys.length > 0 && choices.chance(0.25);
  const slid = !odd && choices.chance(0.1) ? slideValue(choices, models, spec) : undefined;
  const fault = slid ?? (faulty ? addFault(choices, record, keys) : undefined);
  const oddity = odd && record !== undefined ? choices.one(ODDITIES) : undefined;
  const records = models.map((model, i) =>
    encode(choices, model, styleOf(choices, form, spec, i === at ? record : undefined, oddity)),
  );
  return {
    request: {
      form,
      single,
      spec: form === 'example' ? spec.context : spec,
      records: records.map((bytes) => bytes.toString('hex')),
      canonical: oddity !== undefined,
      // Protobuf's libraries differ about unknown fields in a map entry: upb drops the entry.
      ...(oddity === 'unknown field in an entry' && {
        plain: models.map((model) =>
          encode(choices, model, styleOf(choices, form, spec, undefined, undefined)).toString('hex'),
        ),
      }),
    },
    spec,
    fault,
    oddity,
    violation: models.map((model) => violationOf(model, spec)).find((found) => found !== undefined),
  };
}

/** Draws a batch size: mostly small, sometimes hundreds, which TensorFlow parses in parts. */
export function batchSize(choices: Choices): number {
  const kind = choices.next();
  if (kind < 0.05) return 0;
  if (kind < 0.75) return 1 + choices.below(6);
  return kind < 0.95 ? 7 + choices.below(30) : choices.below(301);
}

function keysOf({ context }: SpecModel): string[] {
  return Object.entries(context).flatMap(([name, feature]) => {
    if (feature.type === 'sparse') return [valueKeyOf(name, feature), ...indexKeysOf(feature)];
    if (feature.type !== 'ragged') return [name];
    return [valueKeyOf(name, feature), ...partitionsOf(feature).flatMap((by) => ('key' in by ? [by.key] : []))];
  });
}

export function styleOf(
  choices: Choices,
  form: 'example' | 'sequence',
  { context }: SpecModel,
  record: RecordModel | undefined,
  oddity: Oddity | undefined,
): Style {
  const keys = record === undefined ? [] : [...record.features.keys(), ...record.lists.keys()];
  return {
    sequence: form === 'sequence',
    packs: (key, { dtype, values }) => {
      const feature = context[key];
      return dtype === 'float32' && feature?.type === 'fixedLen' && values.length > sizeOf(shapeOf(feature));
    },
    odd: oddity === undefined || keys.length === 0 ? undefined : { oddity, key: choices.one(keys) },
  };
}
