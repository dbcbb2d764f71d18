/** Makes random messages, byte by byte. */
import fc from 'fast-check';

import { field, float32, group, tag, text, varint, type Wire } from '../../../support/examples/wire';

export { field, float32, tag, text, varint, type Wire };

/** An Example of one feature `a`; `feature` is the body of its Feature message. */
export function exampleOf(...feature: readonly Wire[]): Uint8Array {
  return Uint8Array.from(field(1, field(1, field(1, text('a')), field(2, ...feature))));
}

/** A field that no message here knows, of every wire type. */
const unknownField: fc.Arbitrary<Wire> = fc
  .tuple(fc.integer({ min: 4, max: 2 ** 29 - 1 }), fc.integer({ min: 0, max: 4 }), fc.uint8Array({ maxLength: 8 }))
  .map(([number, form, noise]) => {
    const bytes = [...noise];
    const eight = [...bytes, 0, 0, 0, 0, 0, 0, 0, 0].slice(0, 8);
    switch (form) {
      case 0:
        return [...tag(number, 0), ...varint(BigInt(bytes.length) << 40n)];
      case 1:
        return [...tag(number, 1), ...eight];
      case 2:
        return field(number, bytes);
      case 3:
        return group(number, field(7, bytes), group(8), [...tag(9, 0), 1]);
      default:
        return [...tag(number, 5), ...eight.slice(0, 4)];
    }
  });

const some = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(item, { maxLength: 4 });
const flat = (parts: fc.Arbitrary<Wire>[]): fc.Arbitrary<Wire> => fc.oneof(...parts);
/** Mostly parts, now and then unknown fields between them. */
const message = (part: fc.Arbitrary<Wire>): fc.Arbitrary<Wire> =>
  some(fc.oneof({ arbitrary: part, weight: 6 }, { arbitrary: unknownField, weight: 1 })).map((parts) => parts.flat());

const int64Varint = fc
  .tuple(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.nat(63), fc.nat(2))
  .map(([value, shift, padding]) => {
    const bytes = varint(value >> BigInt(shift));
    return bytes.length + padding > 10 ? bytes : varint(value >> BigInt(shift), padding);
  });
const float32Bytes = fc.float().map(float32);

const lists: Readonly<Record<number, fc.Arbitrary<Wire>>> = {
  1: message(fc.uint8Array({ maxLength: 6 }).map((value) => field(1, [...value]))),
  2: message(
    flat([
      some(float32Bytes).map((values) => field(1, ...values)),
      float32Bytes.map((value) => [...tag(1, 5), ...value]),
    ]),
  ),
  3: message(
    flat([
      some(int64Varint).map((values) => field(1, ...values)),
      int64Varint.map((value) => [...tag(1, 0), ...value]),
    ]),
  ),
};

/**
 * Feature messages: no kind, one, or several; a kind's lists come in one row, because protobufjs differs from protobuf
 * when a kind comes back.
 */
const feature: fc.Arbitrary<Wire> = fc
  .shuffledSubarray([1, 2, 3], { maxLength: 2 })
  .chain((kinds) =>
    fc
      .tuple(...kinds.map((kind) => fc.array(lists[kind]!, { minLength: 1, maxLength: 3 })), unknownField)
      .map((parts) => [
        ...kinds.flatMap((kind, i) => (parts[i] as Wire[]).flatMap((list) => field(kind, list))),
        ...(parts.at(-1) as Wire),
      ]),
  );
const name = fc.constantFrom('', 'a', 'b', 'ä', '🙂', '__proto__', 'a name of more than thirty-two bytes', '\ufeff');

function map(value: fc.Arbitrary<Wire>): fc.Arbitrary<Wire> {
  const entry = flat([
    fc.tuple(name, value).map(([key, body]) => [...field(1, text(key)), ...field(2, body)]),
    fc.tuple(name, value).map(([key, body]) => [...field(2, body), ...field(1, text(key))]),
    fc
      .tuple(name, name, value)
      .map(([old, key, body]) => [...field(1, text(old)), ...field(1, text(key)), ...field(2, body)]),
    fc.tuple(value, unknownField).map(([body, unknown]) => [...field(2, body), ...unknown]),
    name.map((key) => field(1, text(key))),
  ]);
  return message(entry.map((body) => field(1, body)));
}

const features = map(feature);
const featureLists = map(message(feature.map((body) => field(1, body))));

/** Well-formed Examples, as strange as protobuf allows. */
export const anyExample: fc.Arbitrary<Uint8Array> = message(features.map((body) => field(1, body))).map((wire) =>
  Uint8Array.from(wire),
);

/** The same of SequenceExamples. */
export const anySequenceExample: fc.Arbitrary<Uint8Array> = message(
  flat([features.map((body) => field(1, body)), featureLists.map((body) => field(2, body))]),
).map((wire) => Uint8Array.from(wire));
