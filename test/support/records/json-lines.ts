/** Generates JSON Lines, right and wrong, and converts them with and without native code. */
import { readFileSync, readdirSync } from 'node:fs';

import fc from 'fast-check';

import { convert, type ConvertOptions } from '../../../lib/convert';
import { native } from '../../../lib/native';
import type { Folder } from './record-files';

/** The records, notes and bytes of a conversion of `text` to TFRecords, or its error. */
export async function outcome(folder: Folder, text: string | Buffer, options: ConvertOptions = {}): Promise<unknown> {
  const at = folder.place().at;
  try {
    const { records, skipped, notes } = await convert(Buffer.from(text), at('out'), { from: 'jsonl', ...options });
    return { records, skipped, notes, bytes: readFileSync(at('out')).toString('hex') };
  } catch (error) {
    expect(readdirSync(at('.'))).toEqual([]);
    const { name, message, code, record, feature, expected, found } = error as Record<string, unknown>;
    return { name, message, code, record, feature, expected, found };
  }
}

/** Calls `run` while the binding has no functions for rows, as in WebAssembly. */
export async function byJavaScript<T>(run: () => Promise<T>): Promise<T> {
  const binding = native() as { jsonRowsNew: unknown };
  const { jsonRowsNew } = binding;
  binding.jsonRowsNew = undefined;
  try {
    return await run();
  } finally {
    binding.jsonRowsNew = jsonRowsNew;
  }
}

export async function expectSame(folder: Folder, text: string | Buffer, options?: ConvertOptions): Promise<void> {
  expect(await outcome(folder, text, options)).toEqual(await byJavaScript(() => outcome(folder, text, options)));
}

export const oneOf = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
export const int64 = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -300, max: 300 }).map(String) },
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  oneOf('true', 'false', '0', '16777217', '16777216', '9223372036854775807', '-9223372036854775808'),
);
export const float = fc.oneof(
  fc
    .float({ noNaN: true, noDefaultInfinity: true })
    .map((value) => (Number.isInteger(value) ? `${value.toString()}e0` : String(value)))
    .filter((text) => !/e.*e/.test(text)),
  fc.double({ min: -3e38, max: 3e38, noNaN: true }).map((value) => value.toExponential()),
  fc.tuple(fc.integer(), fc.nat(), fc.integer({ min: -60, max: 28 })).map(([a, b, e]) => `${a}.${b}E${e}`),
  oneOf('-0', '1.0', '1e-400', '0.1', '3.4028235e38', '16777217.0', '1.000000059604644775390625', '-0.0e5', '1E+2'),
);
const word = oneOf('"NaN"', '"Infinity"', '"-Infinity"', '"-0"');
const digits = fc.oneof(
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map((value) => `"${value}"`),
  oneOf('"0"', '"007"', '"+1"', '"-00"'),
);
export const text = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((value) => JSON.stringify(value)),
  fc.string({ unit: 'binary' }).map((value) => JSON.stringify(value)),
  oneOf(
    '""',
    '"\\u00e9\\/\\b"',
    '"\\ud83d\\ude00"',
    '"\\uD83D\\uDE00é"',
    '{"base64":""}',
    '{ "base64" : "AAH/" }',
    '{"base64":"/w=="}',
  ),
);
/** Values that are errors, or that only JavaScript reads. */
const odd = oneOf(
  '[]',
  'null',
  '[null]',
  '[[1]]',
  '{}',
  '{"a":1}',
  '"\\ud800"',
  '"\\x"',
  '{"base64":"/x=="}',
  '{"base64":"/w="}',
  '1e39',
  '-1e400',
  '01',
  '.5',
  '9223372036854775808',
  '100000000000000000000',
  '123456790',
  '1'.repeat(50),
  'tru',
  'nul',
  '"',
  '"\t"',
  '[1,]',
  '[,]',
  '-',
  '{"x":{"y":[1,"z"]},"w":null}',
  '{"x":1,"x":1}',
  '{"x":1,"x":2}',
  '{"base64":"AA==","base64":"AA=="}',
);
const THEMES = [
  int64,
  float,
  fc.oneof(int64, float, word),
  word,
  digits,
  text,
  fc.oneof(text, digits, word),
  fc.oneof(digits, int64),
];
export const NAMES = [
  'a',
  'b',
  'image/width',
  '10',
  '2',
  '01',
  '4294967295',
  'é',
  '\\u0061\\u0062',
  '__proto__',
  'constructor',
  '',
  '\\n',
  'context',
  'sequence',
];
const space = oneOf('', '', '', ' ', ' \t', '\r');

/** A list with `item`, one value, or no values. */
function valuesOf(item: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: item },
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.array(item, { maxLength: 4 }), space)
        .map(([items, gap]) => `[${gap}${items.join(`${gap},`)}${gap}]`),
    },
    oneOf('[]', 'null'),
  );
}

function membersOf(values: (name: number) => fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .uniqueArray(fc.nat(NAMES.length - 1), { maxLength: 5 })
    .chain((names) =>
      fc.tuple(space, ...names.map((name) => values(name).map((value) => `"${NAMES[name]!}":${value}`))),
    )
    .map(([gap, ...members]) => `{${gap}${members.join(`${gap},${gap}`)}${gap}}`);
}

/** Rows whose features mostly have one kind each. */
export const lines = fc
  .tuple(fc.array(fc.nat(THEMES.length - 1), { minLength: NAMES.length, maxLength: NAMES.length }), fc.boolean())
  .chain(([themes, isClean]) => {
    const item = (name: number): fc.Arbitrary<string> =>
      isClean ? THEMES[themes[name]!]! : fc.oneof({ weight: 30, arbitrary: THEMES[themes[name]!]! }, odd, text);
    const features = membersOf((name) => valuesOf(item(name)));
    const lists = membersOf((name) =>
      fc.array(valuesOf(item(name)), { maxLength: 3 }).map((steps) => `[${steps.join()}]`),
    );
    const sequence = fc
      .tuple(features, lists, oneOf('featureLists', 'sequence'), fc.boolean())
      .map(([context, steps, name, first]) =>
        first ? `{"${name}":${steps},"context":${context}}` : `{"context":${context},"${name}":${steps}}`,
      );
    const broken = oneOf(
      '',
      '  ',
      '[]',
      '{',
      '{}',
      '{"a":1,"a":1}',
      '{"a":1,"a":2}',
      '{"a":1}}',
      '{"a" 1}',
      'x',
      '{"a":1,}',
    );
    const row = isClean
      ? fc.oneof({ weight: 4, arbitrary: features }, sequence)
      : fc.oneof({ weight: 20, arbitrary: features }, { weight: 4, arbitrary: sequence }, broken);
    return fc.array(row, { maxLength: 12 });
  });
