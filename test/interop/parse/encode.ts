/**
 * Encodes records: in forms that every reader reads alike, and in odd ones that TensorFlow and protobuf read
 * differently.
 */
import { entry, field, group, lyingField, tag, varint, type Wire } from '../../support/examples/wire';
import type { Choices } from '../choices';
import type { FeatureModel, FeaturesModel, RecordModel, Value } from './model';

const FIELDS = { bytes: 1, float32: 2, int64: 3 } as const;

/** The oddities of the table "departs from protobuf", section 1. */
export const ODDITIES = [
  'entry without key',
  'entry without value',
  'empty entry',
  'key twice in an entry',
  'unknown field in Features',
  'unknown field in an entry',
  'unknown field before the kind',
  'unknown field behind the kind',
  'two kinds',
  'a kind twice',
  'two packed chunks',
  'packed, then unpacked',
  'unpacked, then packed',
  'unknown field at the start of a list',
  'cut float chunk',
  'entry past its parent',
  'feature past its parent',
  'list past its parent',
  'chunk past its parent',
  'feature length too small',
  'unknown field past the end',
  'field number 0',
  'unknown group',
  'kindless last',
  'unknown kind in an earlier entry',
  'value before key',
] as const;
export type Oddity = (typeof ODDITIES)[number];

/** The encoding of a record. */
export interface Style {
  readonly sequence: boolean;
  /** True for keys that must be packed: too many unpacked floats make TensorFlow write past its buffer. */
  readonly packs: (key: string, feature: FeatureModel) => boolean;
  /** The oddity, and the key that has it. */
  readonly odd: { readonly oddity: Oddity; readonly key: string } | undefined;
}

export function encode(choices: Choices, { features, lists }: RecordModel, style: Style): Buffer {
  const parts: Wire[] = [];
  const odd = style.odd?.oddity;
  for (const some of split(choices, shuffled(choices, featureEntries(choices, features, style)))) {
    parts.push(field(1, ...(odd === 'unknown field in Features' ? [tag(7, 0), [1]] : []), ...some));
  }
  if (style.sequence) {
    for (const some of split(choices, shuffled(choices, listEntries(choices, lists, style))))
      parts.push(field(2, ...some));
  }
  // Beside features without kinds, unknown fields make a message of another type, which TensorFlow reads as an empty one.
  const known = [...features.values(), ...[...lists.values()].flat()].some(({ dtype }) => dtype !== undefined);
  if (choices.chance(0.2) && known) {
    parts.push(
      choices.one([
        [...tag(9, 0), 5],
        [...tag(10, 5), 1, 2, 3, 4],
        [...tag(11, 1), ...Array<number>(8).fill(3)],
        field(12, [1]),
      ]),
    );
  }
  const whole = shuffled(choices, parts);
  if (odd === 'unknown group') whole.push(group(20, [...tag(1, 0), 1]));
  if (odd === 'field number 0') whole.push([0, 1]);
  if (odd === 'unknown field past the end') whole.push(lyingField(15, 100, [1, 2]));
  return Buffer.from(whole.flat());
}

function featureEntries(choices: Choices, features: FeaturesModel, style: Style): Wire[][] {
  const units: Wire[][] = [];
  for (const [key, feature] of features) {
    const odd = style.odd?.key === key ? style.odd.oddity : undefined;
    const body = featureBody(choices, key, feature, style, odd);
    const unit = [oddEntry(choices, key, body, odd, style)];
    const earlier: FeatureModel = { dtype: choices.one(['int64', 'bytes']), values: [] };
    if (odd === 'kindless last') unit.push(entry(key, []));
    else if (odd === 'unknown kind in an earlier entry') unit.unshift(entry(key, field(9, [])));
    else if (odd === undefined && feature.dtype !== undefined && choices.chance(0.03)) {
      unit.unshift(entry(key, featureBody(choices, key, earlier, style, undefined)));
    }
    units.push(unit);
  }
  if (choices.chance(0.2)) units.push([entry('nobody asked', field(3, choices.chance(0.5) ? [8, 1] : []))]);
  return units;
}

function listEntries(choices: Choices, lists: RecordModel['lists'], style: Style): Wire[][] {
  return [...lists].map(([key, steps]) => {
    const odd = style.odd?.key === key ? style.odd.oddity : undefined;
    const at = choices.below(Math.max(1, steps.length));
    const bodies = steps.flatMap((feature, step) =>
      field(1, featureBody(choices, key, feature, style, step === at ? odd : undefined)),
    );
    return [oddEntry(choices, key, bodies, odd, style)];
  });
}

function oddEntry(choices: Choices, key: string, body: Wire, odd: Oddity | undefined, { sequence }: Style): Wire {
  const name: Wire = field(1, [...Buffer.from(key)]);
  switch (odd) {
    case 'entry without key':
      return field(1, field(2, body));
    case 'entry without value':
      return field(1, name);
    case 'empty entry':
      return [...field(1), ...entry(key, body)];
    case 'key twice in an entry':
      return field(1, field(1, [...Buffer.from('other')]), name, field(2, body));
    case 'unknown field in an entry':
      return field(
        1,
        ...choices.one([
          [field(7, [1]), name, field(2, body)],
          [name, field(2, body), [...tag(7, 0), 1]],
        ]),
      );
    case 'entry past its parent':
      return lyingField(1, 1000, name, field(2, body));
    case 'feature past its parent':
      return field(1, name, lyingField(2, 1000, body));
    case 'feature length too small':
      return body.length === 0 ? entry(key, body) : field(1, name, lyingField(2, -1, body));
    case 'value before key':
      return field(1, field(2, body), name);
    default:
      return !sequence && choices.chance(0.1) ? field(1, field(2, body), name) : entry(key, body);
  }
}

function featureBody(
  choices: Choices,
  key: string,
  feature: FeatureModel,
  style: Style,
  odd: Oddity | undefined,
): Wire {
  const { dtype } = feature;
  if (dtype === undefined) return odd === 'unknown field before the kind' ? field(9, [1]) : [];
  const list = listBody(choices, feature, style.packs(key, feature), odd);
  const kind = FIELDS[dtype];
  switch (odd) {
    case 'unknown field before the kind':
      return [...choices.one([field(9, [1, 2]), [...tag(3, 0), 1]]), ...field(kind, list)];
    case 'unknown field behind the kind':
      return [...field(kind, list), ...field(9, [1, 2])];
    case 'two kinds':
      return [...field((kind % 3) + 1), ...field(kind, list)];
    case 'a kind twice': {
      const { values } = feature;
      const cut = choices.below(values.length + 1);
      const half = (some: readonly Value[]): Wire =>
        field(kind, listBody(choices, { dtype, values: some }, true, undefined));
      return [...half(values.slice(0, cut)), ...half(values.slice(cut))];
    }
    case 'list past its parent':
      return lyingField(kind, 1000, list);
    default:
      return field(kind, list);
  }
}

function listBody(choices: Choices, { dtype, values }: FeatureModel, packs: boolean, odd: Oddity | undefined): Wire {
  if (dtype === 'bytes') {
    const body = values.flatMap((value) => field(1, [...(value as Buffer)]));
    return odd === 'unknown field at the start of a list' ? [...tag(5, 0), 1, ...body] : body;
  }
  const cut = choices.below(values.length + 1);
  const [front, back] = [values.slice(0, cut), values.slice(cut)];
  switch (odd) {
    case 'two packed chunks':
      return [...packed(choices, front), ...packed(choices, back)];
    case 'packed, then unpacked':
      return [...packed(choices, front), ...loose(choices, back)];
    case 'unpacked, then packed':
      return [...loose(choices, front), ...packed(choices, back)];
    case 'unknown field at the start of a list':
      return [...tag(5, 0), 1, ...packed(choices, values)];
    case 'cut float chunk':
      return dtype === 'float32' ? field(1, ...values.map(numberBytes), [1, 2]) : packed(choices, values);
    case 'chunk past its parent':
      return lyingField(1, 1000, ...values.map(numberBytes));
    default:
      if (values.length === 0) return choices.chance(0.5) ? field(1) : [];
      return packs || choices.chance(0.7) ? packed(choices, values) : loose(choices, values);
  }
}

function packed(choices: Choices, values: readonly Value[]): Wire {
  return field(1, ...values.map((value) => numberBytes(value, choices)));
}

function loose(choices: Choices, values: readonly Value[]): Wire {
  return values.flatMap((value) => [...tag(1, typeof value === 'bigint' ? 0 : 5), ...numberBytes(value, choices)]);
}

/** Encodes a number, with `choices` sometimes in more bytes than needed. */
function numberBytes(value: Value, choices?: Choices | number): Wire {
  if (typeof value === 'bigint') {
    const padding = typeof choices === 'object' && value >= 0n && value < 2n ** 40n && choices.chance(0.1) ? 2 : 0;
    return varint(value, padding);
  }
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value as number);
  return [...bytes];
}

/** Returns `units` in random order. */
function shuffled<T>(choices: Choices, units: readonly T[]): T[] {
  const order = [...units];
  if (choices.chance(0.5)) return order;
  for (let i = order.length - 1; i > 0; i--) {
    const j = choices.below(i + 1);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

/** Splits the units of a message: mostly into one message, sometimes into two, which readers merge. */
function split(choices: Choices, units: readonly (readonly Wire[])[]): Wire[][] {
  const cut = choices.chance(0.1) ? choices.below(units.length + 1) : units.length;
  const parts = [units.slice(0, cut), units.slice(cut)];
  return parts.filter((part, i) => i === 0 || part.length > 0).map((part) => part.flat());
}
