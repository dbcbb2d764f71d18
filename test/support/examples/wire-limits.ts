/**
 * Examples at and beyond the limits of protobuf's wire format: over-long tags, lengths and integers at every place of a
 * message, and groups as deep as allowed. `accepted` is the outcome of protobuf 6.31 for Python (upb), which
 * test/interop/messages.test.ts checks.
 */
import { entry, exampleOf, field, float32, int64s, record, tag, text, varint, type Wire } from './wire';

export interface WireLimit {
  readonly name: string;
  readonly record: Uint8Array;
  readonly accepted: boolean;
  /** The type of the feature `a`. */
  readonly dtype: 'int64' | 'float32' | 'bytes';
}

const UNKNOWN = 15;
const FEATURE = int64s(7);
const ENTRY = entry('a', FEATURE);
const EXAMPLE = [...exampleOf({ a: FEATURE })];

/** Encodes a number in `size` bytes, more than it needs. */
const long = (value: bigint | number, size: number): Wire => varint(value, size - varint(value).length);
const longTag = (number: number, wireType: number, size: number): Wire => long(number * 8 + wireType, size);
/** Encodes a length-delimited field whose tag, or length, takes `size` bytes. */
const withTag = (number: number, size: number, content: Wire): Wire => [
  ...longTag(number, 2, size),
  ...varint(content.length),
  ...content,
];
const withLength = (number: number, size: number, content: Wire): Wire => [
  ...tag(number, 2),
  ...long(content.length, size),
  ...content,
];
const group = (content: Wire): Wire => [...tag(UNKNOWN, 3), ...content, ...tag(UNKNOWN, 4)];
const groups = (depth: number): Wire => [
  ...Array.from({ length: depth }, () => tag(UNKNOWN, 3)).flat(),
  ...Array.from({ length: depth }, () => tag(UNKNOWN, 4)).flat(),
];
const one = float32(1);
const key = field(1, text('a'));
const inMap = (entryContent: Wire): Wire => field(1, field(1, entryContent));
const inFeature = (feature: Wire): Wire => inMap([...key, ...field(2, feature)]);
const inList = (kind: number, list: Wire): Wire => inFeature(field(kind, list));

type Made = (size: number) => Wire;

/** Numbers of 32 bits: tags and lengths. */
const SHORT: Readonly<Record<string, Made>> = {
  'the tag of features': (size) => withTag(1, size, field(1, [...key, ...field(2, FEATURE)])),
  'the tag of an entry': (size) => field(1, withTag(1, size, [...key, ...field(2, FEATURE)])),
  'the tag of a name': (size) => inMap([...withTag(1, size, text('a')), ...field(2, FEATURE)]),
  'the tag of a value': (size) => inMap([...key, ...withTag(2, size, FEATURE)]),
  'the tag of a kind': (size) => inFeature(withTag(3, size, field(1, [7]))),
  'the tag of packed int64': (size) => inList(3, withTag(1, size, [7])),
  'the tag of an int64': (size) => inList(3, [...longTag(1, 0, size), 7]),
  'the tag of a float': (size) => inList(2, [...longTag(1, 5, size), ...one]),
  'the tag of bytes': (size) => inList(1, withTag(1, size, text('xy'))),
  'an unknown tag': (size) => [...EXAMPLE, ...longTag(UNKNOWN, 0, size), 1],
  'an unknown tag in a feature': (size) => inFeature([...longTag(UNKNOWN, 0, size), 1, ...FEATURE]),
  'a tag in a group': (size) => [...EXAMPLE, ...group([...longTag(16, 0, size), 1])],
  'the end of a group': (size) => [...EXAMPLE, ...tag(UNKNOWN, 3), ...longTag(UNKNOWN, 4, size)],
  'the length of features': (size) => withLength(1, size, ENTRY),
  'the length of an entry': (size) => field(1, withLength(1, size, [...key, ...field(2, FEATURE)])),
  'the length of a name': (size) => inMap([...withLength(1, size, text('a')), ...field(2, FEATURE)]),
  'the length of a value': (size) => inMap([...key, ...withLength(2, size, FEATURE)]),
  'the length of a kind': (size) => inFeature(withLength(3, size, field(1, [7]))),
  'the length of packed int64': (size) => inList(3, withLength(1, size, [7])),
  'the length of packed floats': (size) => inList(2, withLength(1, size, one)),
  'the length of bytes': (size) => inList(1, withLength(1, size, text('xy'))),
  'an unknown length': (size) => [...EXAMPLE, ...withLength(UNKNOWN, size, text('xy'))],
  'a length in a group': (size) => [...EXAMPLE, ...group(withLength(16, size, text('xy')))],
};

/** Integers of 64 bits. */
const LONG: Readonly<Record<string, Made>> = {
  'a packed int64': (size) => inList(3, field(1, long(7, size))),
  'an int64': (size) => inList(3, [...tag(1, 0), ...long(7, size)]),
  'an unknown integer': (size) => [...EXAMPLE, ...tag(UNKNOWN, 0), ...long(7, size)],
};

const FULL = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
const UNKNOWN_LENGTH = [...EXAMPLE, ...tag(UNKNOWN, 2)];

const SINGLE: readonly (readonly [name: string, accepted: boolean, record: Wire])[] = [
  ['the largest field number', true, [...EXAMPLE, ...varint((2 ** 29 - 1) * 8), 1]],
  ['a field number of 30 bits', false, [...EXAMPLE, ...varint(2 ** 29 * 8), 1]],
  ['a tag with more bits in its 5th byte', false, [...EXAMPLE, 0xf8, 0x80, 0x80, 0x80, 0x70, 1]],
  ['a known tag with more bits in its 5th byte', false, [0x8a, 0x80, 0x80, 0x80, 0x70, ...EXAMPLE.slice(1)]],
  ['field number 0', false, [...EXAMPLE, 0x00, 1]],
  ['field number 0 with a length', false, [...EXAMPLE, 0x02, 1, 1]],
  ['field number 0 in a feature', false, inFeature([0x00, 1, ...FEATURE])],
  ['group number 0', false, [...EXAMPLE, 0x03, 0x04]],
  ['a length of 2^31 - 1', false, [...UNKNOWN_LENGTH, ...varint(2 ** 31 - 1)]],
  ['a length of 2^31', false, [...UNKNOWN_LENGTH, ...varint(2 ** 31)]],
  ['a length of 2^32 + 2', false, [...UNKNOWN_LENGTH, ...varint(2 ** 32 + 2), ...text('xy')]],
  ['a length with more bits in its 5th byte', false, [...UNKNOWN_LENGTH, 0x82, 0x80, 0x80, 0x80, 0x70, ...text('xy')]],
  ['a length of 2^64 - 1', false, [...UNKNOWN_LENGTH, ...varint(-1)]],
  ['a known length of 2^32 too many', false, [0x0a, ...varint(2 ** 32 + EXAMPLE.length - 2), ...EXAMPLE.slice(2)]],
  ['a group without end', false, [...EXAMPLE, ...tag(UNKNOWN, 3)]],
  ['a group with the end of another', false, [...EXAMPLE, ...tag(UNKNOWN, 3), ...tag(16, 4)]],
  ['the end of no group', false, [...EXAMPLE, ...tag(UNKNOWN, 4)]],
  ['wire type 6', false, [...EXAMPLE, ...tag(UNKNOWN, 6), 1]],
  ['wire type 7', false, [...EXAMPLE, ...tag(UNKNOWN, 7), 1]],
  ['bits beyond 64 in a packed int64', true, inList(3, field(1, [...FULL, 0x7f]))],
  ['bits beyond 64 in an int64', true, inList(3, [...tag(1, 0), ...FULL, 0x02])],
  ['bits beyond 64 in an unknown integer', true, [...EXAMPLE, ...tag(UNKNOWN, 0), ...FULL, 0x7f]],
];

/** The places of groups, and the number of messages around each: messages and groups together nest at most 100 deep. */
const GROUPS: readonly (readonly [place: string, depth: number, make: (groups: Wire) => Wire])[] = [
  ['behind the features', 0, (some) => [...EXAMPLE, ...some]],
  ['in the features', 1, (some) => field(1, some, ENTRY)],
  ['in an entry', 2, (some) => inMap([...key, ...field(2, FEATURE), ...some])],
  ['in a feature', 3, (some) => inFeature([...some, ...FEATURE])],
  ['in a list', 4, (some) => inList(3, [...some, ...field(1, [7])])],
];

const sizes = (made: Readonly<Record<string, Made>>, most: number): WireLimit[] =>
  Object.entries(made).flatMap(([name, make]) =>
    [2, 5, 6, 10, 11].map((size) => ({
      name: `${name}, ${size} bytes long`,
      record: record(make(size)),
      accepted: size <= most,
      dtype: name.includes('float') ? 'float32' : name.endsWith(' bytes') ? 'bytes' : 'int64',
    })),
  );

export const WIRE_LIMITS: readonly WireLimit[] = [
  ...sizes(SHORT, 5),
  ...sizes(LONG, 10),
  ...SINGLE.map(([name, accepted, bytes]): WireLimit => ({ name, record: record(bytes), accepted, dtype: 'int64' })),
  ...GROUPS.flatMap(([place, depth, make]) =>
    [1, 50, 99 - depth, 100 - depth, 101 - depth, 5_000].map((count): WireLimit => ({
      name: `${count} groups ${place}`,
      record: record(make(groups(count))),
      accepted: depth + count <= 100,
      dtype: 'int64',
    })),
  ),
];
