/** Makes protobuf bytes by hand, also unusual ones. Nothing here uses the package, so that it can test it. */
export type Wire = readonly number[];

/** Encodes an integer. `padding`: number of needless bytes after it. */
export function varint(value: bigint | number, padding = 0): Wire {
  // Almost all tags and lengths, and thousands of them in a file.
  if (typeof value === 'number' && value >= 0 && value < 0x80 && padding === 0) return [value];
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  for (let i = 0; i < padding; i++) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(0);
  }
  return bytes;
}

export function tag(field: number, wireType: number): Wire {
  return varint(field * 8 + wireType);
}

/** Encodes a length-delimited field. */
export function field(number: number, ...contents: readonly Wire[]): Wire {
  // Faster than `flat`.
  const content = ([] as number[]).concat(...contents);
  return tag(number, 2).concat(varint(content.length), content);
}

/** Encodes a length-delimited field that claims `more` bytes than it has. */
export function lyingField(number: number, more: number, ...contents: readonly Wire[]): Wire {
  const content = contents.flat();
  return [...tag(number, 2), ...varint(content.length + more), ...content];
}

export function group(number: number, ...contents: readonly Wire[]): Wire {
  return [...tag(number, 3), ...contents.flat(), ...tag(number, 4)];
}

export function text(value: string): Wire {
  return [...Buffer.from(value)];
}

export function float32(value: number): Wire {
  return [...new Uint8Array(Float32Array.of(value).buffer)];
}

export function wireOf(hex: string): Wire {
  return [...Buffer.from(hex.replaceAll(' ', ''), 'hex')];
}

export function record(...parts: readonly Wire[]): Uint8Array {
  return new Uint8Array(([] as number[]).concat(...parts));
}

// ---- tf.train ----------------------------------------------------------------------------------------------

/** The functions below encode the bodies of Features. */
export function int64s(...values: readonly (bigint | number)[]): Wire {
  return field(3, field(1, ...values.map((value) => varint(value))));
}

export function floats(...values: readonly number[]): Wire {
  return field(2, field(1, ...values.map(float32)));
}

export function strings(...values: readonly (string | Uint8Array)[]): Wire {
  return field(1, ...values.map((value) => field(1, [...Buffer.from(value as string)])));
}

/** Encodes the same values, unpacked. */
export function looseInt64s(...values: readonly (bigint | number)[]): Wire {
  return field(3, ...values.map((value) => [...tag(1, 0), ...varint(value)]));
}

export function looseFloats(...values: readonly number[]): Wire {
  return field(2, ...values.map((value) => [...tag(1, 5), ...float32(value)]));
}

/** A Feature without a kind. */
export const KINDLESS: Wire = [];

/** Encodes an entry of Features or FeatureLists. */
export function entry(key: string, value: Wire): Wire {
  return field(1, field(1, text(key)), field(2, value));
}

/** Encodes an Example of Feature bodies. */
export function exampleOf(features: Readonly<Record<string, Wire>>): Uint8Array {
  return record(field(1, ...Object.entries(features).map(([key, body]) => entry(key, body))));
}

/** Encodes a SequenceExample of Feature bodies and lists of them. */
export function sequenceOf(
  context: Readonly<Record<string, Wire>>,
  lists: Readonly<Record<string, readonly Wire[]>>,
): Uint8Array {
  return record(
    field(1, ...Object.entries(context).map(([key, body]) => entry(key, body))),
    field(
      2,
      ...Object.entries(lists).map(([key, steps]) =>
        entry(
          key,
          steps.flatMap((body) => field(1, body)),
        ),
      ),
    ),
  );
}
