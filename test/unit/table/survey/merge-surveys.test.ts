/** Surveys of parts, added up, are the survey of the whole. */
import fc from 'fast-check';

import { readableSource } from '../../../../lib/io';
import { resolveReadOptions } from '../../../../lib/record';
import { mergeSurveys, surveyRecords, type FeatureSurvey } from '../../../../lib/table';
import { exampleOf, floats, int64s, KINDLESS, sequenceOf, strings } from '../../../support/examples/wire';
import { tfrecord } from '../../../support/records/tfrecord';

async function surveyed(records: readonly Uint8Array[]): Promise<readonly FeatureSurvey[]> {
  const source = readableSource(tfrecord(records));
  return (await surveyRecords(source, resolveReadOptions({}), {})).features;
}

function merged(parts: readonly (readonly FeatureSurvey[])[]): FeatureSurvey[] {
  const all = new Map<string, FeatureSurvey>();
  for (const feature of parts.flat()) {
    const key = `${feature.section} ${feature.name}`;
    const before = all.get(key);
    all.set(key, before === undefined ? feature : mergeSurveys(before, feature));
  }
  return [...all.values()];
}

const feature = fc.oneof(
  fc.array(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), { maxLength: 4 }).map((values) => int64s(...values)),
  fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 4 }).map((values) => int64s(...values)),
  fc
    .array(fc.oneof(fc.float(), fc.constantFrom(0, -0, NaN, Infinity, -Infinity)), { maxLength: 4 })
    .map((values) => floats(...values)),
  fc
    .array(fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('\u0000', 'GIF8')), { maxLength: 4 })
    .map((values) => strings(...values)),
  fc.array(fc.uint8Array({ maxLength: 150 }), { maxLength: 4 }).map((values) => strings(...values)),
  fc.constant(KINDLESS),
);
const features = fc.dictionary(fc.constantFrom('a', 'b', 'ä'), feature);
const record = fc.oneof(
  features.map((each) => exampleOf(each)),
  fc
    .tuple(features, fc.dictionary(fc.constantFrom('a', 'l'), fc.array(feature, { maxLength: 3 })))
    .map(([context, lists]) => sequenceOf(context, lists)),
);

test('law: for records of any features, divided anywhere', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 24 }), fc.nat(24), fc.nat(24), async (records, i, j) => {
      const [first, second] = [Math.min(i, j), Math.max(i, j)];
      const parts = [records.slice(0, first), records.slice(first, second), records.slice(second)];
      expect(merged(await Promise.all(parts.map(surveyed)))).toEqual(await surveyed(records));
    }),
    { numRuns: 200 },
  );
});

test.each<readonly [string, (i: number) => Uint8Array]>([
  ['integers', (i) => exampleOf({ a: int64s(i) })],
  ['texts', (i) => exampleOf({ a: strings(`text ${i}`) })],
  ['long texts', (i) => exampleOf({ a: strings('x'.repeat(60) + String(i)) })],
])('different %s up to the limits, and above', async (_, recordOf) => {
  for (const count of [40, 100, 101, 130]) {
    const records = Array.from({ length: count }, (_each, i) => recordOf(i));
    const parts = [records.slice(0, 35), records.slice(30, 90), records.slice(90)];
    const whole = await surveyed(parts.flat());
    expect(merged(await Promise.all(parts.map(surveyed)))).toEqual(whole);
  }
});
