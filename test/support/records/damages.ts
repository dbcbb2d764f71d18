/** Damages Examples, files of them, compressed files and texts, each in one of many ways. */
import fc from 'fast-check';

import {
  entry,
  exampleOf,
  field,
  floats,
  group,
  int64s,
  lyingField,
  record,
  strings,
  varint,
  type Wire,
} from '../examples/wire';
import { claimLength, cut, flipBit, insert } from './tfrecord';

export type Below = (limit: number) => number;

/** Returns damaged bytes. */
export type Damage = (bytes: Uint8Array, below: Below) => Uint8Array;

const join = (...parts: readonly Uint8Array[]): Buffer => Buffer.concat(parts);

/** Damages to any bytes. */
export const BYTE_DAMAGES: Readonly<Record<string, Damage>> = {
  'flip a bit': (bytes, below) => (bytes.length === 0 ? bytes : flipBit(bytes, below(bytes.length), below(8))),
  cut: (bytes, below) => cut(bytes, below(bytes.length + 1)),
  'cut the end': (bytes, below) => cut(bytes, Math.max(0, bytes.length - 1 - below(20))),
  insert: (bytes, below) =>
    insert(
      bytes,
      below(bytes.length + 1),
      Uint8Array.from({ length: 1 + below(below(4) === 0 ? 300 : 8) }, () => below(256)),
    ),
  delete: (bytes, below) => {
    const from = below(bytes.length + 1);
    return join(bytes.subarray(0, from), bytes.subarray(from + 1 + below(below(4) === 0 ? 300 : 8)));
  },
  repeat: (bytes, below) => {
    const from = below(bytes.length + 1);
    const to = Math.min(bytes.length, from + 1 + below(below(2) === 0 ? 30 : 600));
    return join(bytes.subarray(0, to), bytes.subarray(from));
  },
  zero: (bytes, below) => {
    const copy = Buffer.from(bytes);
    const from = below(bytes.length + 1);
    return copy.fill(0, from, Math.min(copy.length, from + 1 + below(64)));
  },
};

/** Damages to a file of records whose headers are at `offsets`. */
export const FILE_DAMAGES: Readonly<
  Record<string, (bytes: Uint8Array, offsets: readonly number[], below: Below) => Uint8Array>
> = {
  'swap lengths': (bytes, offsets, below) => {
    const copy = Buffer.from(bytes);
    const [a, b] = [offsets[below(offsets.length - 1)]!, offsets[below(offsets.length - 1)]!];
    Buffer.from(bytes.subarray(a, a + 12)).copy(copy, b);
    Buffer.from(bytes.subarray(b, b + 12)).copy(copy, a);
    return copy;
  },
  'claim a length': (bytes, offsets, below) => {
    const lengths = [0, 1, 2 ** 20, 2 ** 31 - 1, 2 ** 31, 2n ** 63n, 2n ** 64n - 1n, below(4096)];
    return claimLength(bytes, offsets[below(offsets.length - 1)]!, lengths[below(lengths.length)]!);
  },
  'delete a record': (bytes, offsets, below) => {
    const at = below(offsets.length - 1);
    return join(bytes.subarray(0, offsets[at]), bytes.subarray(offsets[at + 1]));
  },
};

/** Records in place of Examples, or Examples that do not fit: `t` is a text, `i` one int64, `box` four floats. */
export const EXAMPLE_DAMAGES: Readonly<Record<string, (below: Below) => Uint8Array>> = {
  'wrong field types': (below) =>
    exampleOf([{ i: floats(1) }, { t: int64s(1, 2) }, { box: strings('x') }, { lf: int64s(7) }][below(4)]!),
  'truncated varint': (below) =>
    record(field(1, entry('i', field(3, field(1, Array<number>(1 + below(12)).fill(0x80)))))),
  'padded varint': (below) => record(field(1, entry('i', field(3, field(1, varint(5, below(12))))))),
  'deep unknown groups': (below) => {
    let inner: Wire = [];
    for (let i = 0, depth = [50, 99, 100, 101, 300][below(5)]!; i < depth; i++) inner = group(7, inner);
    return record(field(1, entry('i', int64s(1))), inner);
  },
  'an open group': () => record(field(1, entry('i', int64s(1))), [0x3b]),
  'invalid UTF-8': (below) =>
    exampleOf({ t: strings(Uint8Array.from([[0xe2, 0x82], [0xff], [0xed, 0xa0, 0x80], [0xc0, 0x80]][below(4)]!)) }),
  'invalid UTF-8 in a list': (below) =>
    exampleOf({ lt: strings('a', 'longer than twelve', Uint8Array.of(0x80 + below(64))) }),
  'wrong list lengths': (below) =>
    exampleOf([{ box: floats(1, 2, 3) }, { box: floats() }, { i: int64s(1, 2) }, { t: strings() }][below(4)]!),
  'a lying length': (below) => record(field(1, lyingField(1, [1, 100, 2 ** 31, 2 ** 40][below(4)]!, field(1, [0x69])))),
  'a key twice': () => record(field(1, entry('i', int64s(1)), entry('i', int64s(2)), entry('t', strings('x')))),
  'a reserved wire type': () => record([0x0f, 0x00]),
  'field number zero': () => record([0x02, 0x00]),
  'another text': () => Buffer.from('no Example'),
  nothing: () => new Uint8Array(0),
};

/** Generates functions that damage up to four places of a text. `likely`: the Latin-1 characters that they mostly insert. */
export function textDamage(likely: readonly string[]): fc.Arbitrary<(text: string) => Buffer> {
  const place = fc.record({
    at: fc.nat(),
    byte: fc.oneof(fc.constantFrom(...likely.map((each) => each.charCodeAt(0))), fc.nat(255)),
    way: fc.constantFrom('replace', 'insert', 'remove', 'cut'),
  });
  return fc.array(place, { minLength: 1, maxLength: 4 }).map((places) => (text) => {
    let bytes = Buffer.from(text);
    for (const { at: anywhere, byte, way } of places) {
      const at = anywhere % (bytes.length + 1);
      const after = way === 'insert' ? at : way === 'cut' ? bytes.length : at + 1;
      const between = way === 'replace' || way === 'insert' ? [byte] : [];
      bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(between), bytes.subarray(after)]);
    }
    return bytes;
  });
}
