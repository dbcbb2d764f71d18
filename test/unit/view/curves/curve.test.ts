/** Curves in bounded memory: what merging keeps exactly. */
import fc from 'fast-check';

import { Curve } from '../../../../lib/view/host/curves/curve';
import {
  BUCKET_WIDTH,
  COUNT,
  MAX,
  MAX_STEP,
  MEAN,
  MIN,
  MIN_TIME,
  STEP,
  TIME,
  unpackNumbers,
} from '../../../../lib/view/protocol';

function bucketsOf(curve: Curve): Float64Array[] {
  const numbers = unpackNumbers(curve.packed(0));
  return Array.from({ length: curve.buckets }, (_, i) => numbers.subarray(i * BUCKET_WIDTH, (i + 1) * BUCKET_WIDTH));
}

const value = fc.oneof({ weight: 9, arbitrary: fc.double({ min: -1e9, max: 1e9, noNaN: true }) }, fc.double());

test('a bucket for each value while they fit, then the number, the mean and the extremes of neighbours', () => {
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 200 }),
      fc.constantFrom(2, 4, 16, 64),
      fc.option(fc.nat(200)),
      (values, limit, lowered) => {
        const curve = new Curve(limit);
        values.forEach((each, i) => {
          if (i === lowered) curve.limitTo(2);
          curve.add(i, 1000 + i, each);
        });
        const most = lowered !== null && lowered < values.length ? 2 : limit;
        const buckets = bucketsOf(curve);
        expect(buckets.length).toBeLessThanOrEqual(most);
        if (values.length <= most) expect(buckets).toHaveLength(values.length);
        let from = 0;
        for (const bucket of buckets) {
          const end = bucket[STEP]! + 1;
          const own = values.slice(from, end).filter(Number.isFinite);
          expect([bucket[COUNT], bucket[TIME]]).toEqual([own.length, 1000 + end - 1]);
          if (own.length > 0) {
            const [min, max] = [Math.min(...own), Math.max(...own)];
            const found = [bucket[MIN]!, bucket[MAX]!, values[bucket[MIN_TIME]! - 1000]!, values[bucket[MAX_STEP]!]!];
            // Zeros may have any sign.
            expect(found.map((each) => each + 0)).toEqual([min, max, min, max].map((each) => each + 0));
            const mean = own.reduce((sum, each) => sum + each / own.length, 0);
            const size = Math.max(...own.map(Math.abs));
            if (size > 1e-200) expect(Math.abs(bucket[MEAN]! - mean)).toBeLessThanOrEqual(size * 1e-12);
          }
          from = end;
        }
        expect(from).toBe(values.length);
        expect([curve.values, curve.gaps]).toEqual([
          values.length,
          values.filter((each) => !Number.isFinite(each)).length,
        ]);
      },
    ),
  );
});

test('only the last bucket changes between two merges', () => {
  const curve = new Curve(8);
  let before = bucketsOf(curve);
  let { generation } = curve;
  for (let i = 0; i < 100; i++) {
    curve.add(i, i, Math.sin(i));
    const now = bucketsOf(curve);
    if (curve.generation === generation) expect(now.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    [before, generation] = [now, curve.generation];
  }
  expect(generation).toBe(4);
  expect(unpackNumbers(curve.packed(curve.buckets - 1))).toEqual(before.at(-1));
});
