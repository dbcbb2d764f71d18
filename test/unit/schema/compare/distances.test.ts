/** The distances of TensorFlow Data Validation, by its published cases and by their laws. */
import fc from 'fast-check';

import { compareStatistics, type FeatureDistance, type HistogramMessage } from '../../../../lib/schema';
import type { MessageInit } from '../../../../lib';

type Histogram = MessageInit<HistogramMessage>;
type Buckets = readonly (readonly [low: number, high: number, count: number])[];

const histogram = (buckets: Buckets, numNan = 0, type = 0): Histogram => ({
  numNan,
  type,
  buckets: buckets.map(([lowValue, highValue, sampleCount]) => ({ lowValue, highValue, sampleCount })),
});

function distanceOf(base: object, current: object): FeatureDistance {
  const list = (stats: object) => ({ datasets: [{ numExamples: 4n, features: [{ name: 'x', ...stats }] }] });
  return compareStatistics(list(base), list(current)).features[0]!;
}

const numbers = (...histograms: Histogram[]): object => ({ type: 1, numStats: { commonStats: {}, histograms } });
const texts = (counts: Readonly<Record<string, number>>): object => ({
  type: 2,
  stringStats: {
    rankHistogram: { buckets: Object.entries(counts).map(([label, sampleCount]) => ({ label, sampleCount })) },
  },
});

const divergence = (a: Buckets, b: Buckets, nansA = 0, nansB = 0): number | undefined =>
  distanceOf(numbers(histogram(a, nansA)), numbers(histogram(b, nansB))).jensenShannon;

describe('Jensen-Shannon divergence of histograms: published cases', () => {
  const SAME: Buckets = [
    [1, 2.3333333, 2.9866667],
    [2.3333333, 3.6666667, 1.0066667],
    [3.6666667, 5, 2.0066667],
  ];
  const UPPER: Buckets = [
    [2, 4, 2],
    [4, 6, 2],
  ];
  const POINT: Buckets = [[10, 10, 21]];
  test.each<readonly [string, Buckets, Buckets, number]>([
    ['the same', SAME, SAME, 0],
    [
      'other boundaries',
      [
        [1, 2, 2],
        [2, 3, 2],
      ],
      UPPER,
      0.65563906222,
    ],
    [
      'no overlap',
      [
        [0, 1, 2],
        [1, 2, 2],
      ],
      [
        [3, 4, 2],
        [4, 6, 2],
      ],
      1,
    ],
    ['one bucket without width', [[1, 1, 4]], UPPER, 1],
    ['two buckets without width', [[1, 1, 4]], [[2, 2, 4]], 1],
    [
      'a bucket without width within others',
      POINT,
      [
        [0, 4, 150],
        [4, 12, 200],
        [12, 20, 20],
      ],
      1,
    ],
  ])('%s', (_, a, b, expected) => {
    expect(divergence(a, b)).toBeCloseTo(expected, 8);
    expect(divergence(b, a)).toBeCloseTo(expected, 8);
  });

  test('NaN', () => {
    expect(divergence([[1, 2, 3]], [[1, 2, 4]], 1)).toBeCloseTo(0.13792538096, 8);
  });

  test('no values: none', () => {
    expect(divergence([], [[0, 4, 10]])).toBeUndefined();
    expect(divergence([[0, 4, 10]], [[0, 4, 0]])).toBeUndefined();
  });
});

describe('Jensen-Shannon divergence of histograms', () => {
  test('NaN and infinities of both sides count as different', () => {
    // A fourth of both sides is NaN, or infinite: a fourth of all has nothing in common.
    expect(divergence([[1, 2, 3]], [[1, 2, 3]], 1, 1)).toBeCloseTo(0.25, 12);
    const infinite: Buckets = [
      [-Infinity, -Infinity, 1],
      [1, 2, 3],
    ];
    expect(divergence(infinite, infinite)).toBeCloseTo(0.25, 12);
    expect(
      divergence(
        [
          [1, 2, 3],
          [2, Infinity, 1],
        ],
        [[1, 2, 4]],
      ),
    ).toBeCloseTo(0.13792538096, 8);
    // Other boundaries do not lose them.
    expect(divergence([[1, 2, 3]], [[3, 4, 3]], 1, 1)).toBe(1);
    expect(
      divergence(
        [[1, 3, 4]],
        [
          [1, 2, 2],
          [2, 3, 2],
        ],
        4,
        4,
      ),
    ).toBeCloseTo(0.5, 12);
  });

  test('the largest and the smallest numbers', () => {
    const { MAX_VALUE, MIN_VALUE } = Number;
    expect(
      divergence(
        [[-MAX_VALUE, MAX_VALUE, 4]],
        [
          [-MAX_VALUE, 0, 2],
          [0, MAX_VALUE, 2],
        ],
      ),
    ).toBeCloseTo(0, 12);
    expect(divergence([[0, MIN_VALUE, 4]], [[0, MIN_VALUE, 1]])).toBe(0);
  });

  test('of quantiles only if the schema says so', () => {
    const [a, b] = [numbers(histogram([[0, 1, 1]], 0, 1)), numbers(histogram([[2, 3, 1]], 0, 1))];
    expect(distanceOf(a, b)).toMatchObject({ base: 'numbers', current: 'numbers', jensenShannon: undefined });
  });

  const anyBuckets = fc
    .tuple(
      fc.uniqueArray(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 12 }),
      fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 12, maxLength: 12 }),
    )
    .map(([bounds, counts]): Buckets => {
      const sorted = [...bounds].sort((a, b) => a - b);
      return sorted.slice(1).map((high, i) => [sorted[i]!, high, i === 0 ? counts[i]! + 1 : counts[i]!] as const);
    });

  test('law: symmetric, 0 to 1, 0 for the same distribution', () => {
    fc.assert(
      fc.property(anyBuckets, anyBuckets, fc.integer({ min: 2, max: 9 }), (a, b, factor) => {
        const found = divergence(a, b)!;
        expect(found).toBeGreaterThanOrEqual(0);
        expect(found).toBeLessThanOrEqual(1);
        expect(divergence(b, a)).toBeCloseTo(found, 12);
        const scaled = a.map(([low, high, count]) => [low, high, count * factor] as const);
        expect(divergence(a, scaled)).toBeCloseTo(0, 12);
        expect(divergence(scaled, b)).toBeCloseTo(found, 12);
      }),
    );
  });

  test('law: buckets that are divided evenly change nothing', () => {
    fc.assert(
      fc.property(anyBuckets, anyBuckets, (a, b) => {
        const halves = a.flatMap(([low, high, count]): Buckets => {
          const middle = (low + high) / 2;
          return [
            [low, middle, count / 2],
            [middle, high, count / 2],
          ];
        });
        expect(divergence(halves, b)).toBeCloseTo(divergence(a, b)!, 12);
      }),
    );
  });

  test.each<readonly [string, Buckets]>([
    [
      'that overlap',
      [
        [0, 2, 1],
        [1, 3, 1],
      ],
    ],
    [
      'in descending order',
      [
        [2, 3, 1],
        [0, 1, 1],
      ],
    ],
    ['with a bound below the other', [[3, 2, 1]]],
    ['with a negative count', [[1, 2, -1]]],
    ['with an infinite count', [[1, 2, Infinity]]],
    ['with a count of NaN', [[1, 2, NaN]]],
  ])('refuses buckets %s', (_, buckets) => {
    for (const [a, b] of [
      [buckets, [[0, 1, 1]]],
      [[[0, 1, 1]], buckets],
    ] as const) {
      expect(() => divergence(a, b)).toThrow(expect.objectContaining({ code: 'TFR_DECODE', feature: 'x' }));
    }
  });
});

describe('distances of texts', () => {
  test.each<readonly [string, Readonly<Record<string, number>>, Readonly<Record<string, number>>, number, string]>([
    ['other fractions', { hello: 0.1, world: 0.9 }, { hello: 0.3, world: 0.7 }, 0.2, 'hello|world'],
    ['each lacks one', { b: 0.9, c: 0.1 }, { a: 0.3, b: 0.7 }, 0.3, 'a'],
    ['each lacks one, flipped', { a: 0.3, b: 0.7 }, { b: 0.9, c: 0.1 }, 0.3, 'a'],
    ['a new text', { a: 3, b: 1 }, { a: 4 }, 0.25, 'b'],
  ])('L-infinity: published case: %s', (_, a, b, expected, most) => {
    const { lInfinity, mostDifferent } = distanceOf(texts(a), texts(b));
    expect(lInfinity).toBeCloseTo(expected, 8);
    expect(mostDifferent).toMatch(new RegExp(`^(?:${most})$`));
  });

  test('no texts', () => {
    expect(distanceOf(texts({}), texts({}))).toMatchObject({ base: 'none', current: 'none', lInfinity: undefined });
    expect(distanceOf(texts({ a: 1 }), texts({}))).toMatchObject({ lInfinity: 1, jensenShannon: undefined });
    expect(distanceOf(texts({ a: 1 }), texts({ a: 7 }))).toMatchObject({ lInfinity: 0, mostDifferent: undefined });
  });

  test('of equal differences, the last text in the order of bytes explains it', () => {
    const [a, b] = [texts({ a: 1, '\u{1f600}': 1, '\uffee': 1 }), texts({ a: 1, b: 2 })];
    expect(distanceOf(a, texts({ '\uffee': 2, '\u{1f600}': 2 }))).toMatchObject({ mostDifferent: 'a' });
    expect(distanceOf(a, b).mostDifferent).toBe('b');
    expect(distanceOf(texts({ '\u{1f600}': 1, '\uffee': 1 }), texts({ x: 1, y: 1 })).mostDifferent).toBe('\u{1f600}');
  });

  test('Jensen-Shannon divergence, and normalized difference', () => {
    // P = (1/2, 1/2, 0), Q = (0, 1/2, 1/2): half of each has nothing in common.
    const found = distanceOf(texts({ a: 2, b: 2 }), texts({ b: 1, c: 1 }));
    expect(found.jensenShannon).toBeCloseTo(0.5, 12);
    // One side has two more of the six values: a.
    expect(found.normalizedDifference).toBeCloseTo(2 / 6, 12);
  });

  test('a text that is listed twice counts once', () => {
    const twice = {
      stringStats: {
        rankHistogram: {
          buckets: [
            { label: 'a', sampleCount: 1 },
            { label: 'a', sampleCount: 9 },
            { label: 'b', sampleCount: 1 },
          ],
        },
      },
    };
    expect(distanceOf(twice, texts({ a: 5, b: 5 })).lInfinity).toBe(0);
  });

  test('law: the L-infinity distance is at most the root of the divergence, doubled', () => {
    const counts = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', '__proto__'), fc.integer({ min: 1, max: 50 }), {
      minKeys: 1,
    });
    fc.assert(
      fc.property(counts, counts, (a, b) => {
        const { lInfinity, jensenShannon, normalizedDifference } = distanceOf(texts(a), texts(b));
        const reverse = distanceOf(texts(b), texts(a));
        expect(reverse.lInfinity).toBe(lInfinity);
        expect(reverse.jensenShannon).toBeCloseTo(jensenShannon!, 12);
        expect(reverse.normalizedDifference).toBe(normalizedDifference);
        // Pinsker's inequality, to the base 2, from either side to the middle of both.
        expect(lInfinity! / 2).toBeLessThanOrEqual(Math.sqrt((jensenShannon! * Math.LN2) / 2) + 1e-9);
      }),
    );
  });

  test.each([-1, NaN, Infinity])('refuses a count of %p', (count) => {
    expect(() => distanceOf(texts({ a: count }), texts({ a: 1 }))).toThrow(
      expect.objectContaining({ code: 'TFR_DECODE', feature: 'x' }),
    );
  });
});
