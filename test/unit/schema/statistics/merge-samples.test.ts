/** Samples, lengths and moments of parts, added up. */
import fc from 'fast-check';

import { ListLengths } from '../../../../lib/schema/statistics/list-lengths';
import { Moments } from '../../../../lib/schema/statistics/moments';
import { Sample } from '../../../../lib/schema/statistics/sample';

const CAPACITY = 64;

function sampleOf(values: readonly number[], capacity = CAPACITY): Sample {
  const sample = new Sample(capacity);
  sample.add(Float64Array.from(values));
  return sample;
}

const numbers = fc.array(fc.integer({ min: -1000, max: 1000 }), { maxLength: 400 });

test('law: a sample of a part that has all its numbers gives what adding them gives', () => {
  fc.assert(
    fc.property(numbers, fc.array(fc.integer(), { maxLength: CAPACITY - 1 }), (first, second) => {
      const merged = sampleOf(first);
      merged.merge(sampleOf(second).state);
      const added = sampleOf(first);
      added.add(Float64Array.from(second));
      expect(merged.state).toEqual(added.state);
    }),
  );
});

test('law: the state of a sample is the sample', () => {
  fc.assert(
    fc.property(numbers, numbers, (first, second) => {
      const copy = new Sample(CAPACITY);
      copy.merge(sampleOf(first).state);
      copy.add(Float64Array.from(second));
      const whole = sampleOf(first);
      whole.add(Float64Array.from(second));
      expect(copy.state).toEqual(whole.state);
    }),
  );
});

test('law: each number that is kept stands for a stride of numbers', () => {
  fc.assert(
    fc.property(
      fc.array(numbers, { maxLength: 8 }),
      numbers,
      fc.constantFrom(16, CAPACITY),
      (parts, last, capacity) => {
        const all = [...parts.flat(), ...last];
        const sample = new Sample(capacity);
        for (const part of parts) sample.merge(sampleOf(part).state);
        sample.add(Float64Array.from(last));
        const { values, stride } = sample.state;
        expect(values.length).toBeLessThan(capacity);
        // The last block of each part, and of each halving, may be begun.
        expect(Math.abs(values.length * stride - all.length)).toBeLessThanOrEqual(2 * stride * (parts.length + 2));
        const known = new Set(all);
        expect(values.every((value) => known.has(value))).toBe(true);
        if (all.length < 16) expect([...values].sort()).toEqual([...all].sort());
      },
    ),
  );
});

test('two samples that fill the memory together go on', () => {
  const merged = sampleOf(Array.from({ length: CAPACITY }, (_, i) => i));
  merged.merge(sampleOf(Array.from({ length: CAPACITY }, (_, i) => i)).state);
  expect(merged.state.values.length).toBe(CAPACITY / 2);
  merged.add(new Float64Array(1000).fill(5));
  expect(merged.state.values.length).toBeLessThan(CAPACITY);
});

test('ranks of a large sample of 64 parts are right to 1 %', () => {
  const merged = new Sample(2 ** 16);
  // Some parts have all their numbers, others every second one, or every fourth.
  const sizeOf = (part: number): number => 2 ** 14 + (part % 7) * 40_000;
  for (let part = 0; part < 64; part++) {
    const sample = new Sample(2 ** 16);
    // Parts differ, as shards of sorted data do.
    const size = sizeOf(part);
    sample.add(Float64Array.from({ length: size }, (_, i) => part + i / size));
    merged.merge(sample.state);
  }
  const sorted = merged.sorted();
  const total = Array.from({ length: 64 }, (_, part) => sizeOf(part));
  const sum = total.reduce((all, each) => all + each, 0);
  let below = 0;
  for (const [part, size] of total.entries()) {
    const rank = sorted.findIndex((value) => value >= part) / sorted.length;
    expect(Math.abs(rank - below / sum)).toBeLessThan(0.005);
    below += size;
  }
});

test('law: lengths', () => {
  const runs = fc.array(fc.tuple(fc.nat(9), fc.integer({ min: 1, max: 60 })), { maxLength: 10 });
  fc.assert(
    fc.property(fc.array(runs, { maxLength: 5 }), (parts) => {
      const lengthsOf = (all: readonly (readonly [number, number])[]): ListLengths => {
        const lengths = new ListLengths(() => 2 ** 12);
        for (const [length, count] of all) lengths.addRun(length, count);
        return lengths;
      };
      const merged = lengthsOf([]);
      for (const part of parts) merged.merge(lengthsOf(part).state);
      const whole = lengthsOf(parts.flat());
      expect([...merged.sorted()]).toEqual([...whole.sorted()]);
      const { sample: _ours, only: _only, ...rest } = merged.state;
      const { sample: _theirs, only: _other, ...expected } = whole.state;
      expect(rest).toEqual(expected);
    }),
  );
});

test('law: moments', () => {
  const values = fc.array(fc.oneof(fc.float({ noNaN: true }), fc.constantFrom(1e30, 1e30 + 1e24, Infinity)), {
    maxLength: 50,
  });
  fc.assert(
    fc.property(fc.array(values, { maxLength: 5 }), (parts) => {
      const momentsOf = (all: readonly number[]): Moments => {
        const moments = new Moments();
        moments.add(Float64Array.from(all));
        return moments;
      };
      const merged = new Moments();
      for (const part of parts) merged.merge(momentsOf(part).state);
      const whole = momentsOf(parts.flat());
      expect(merged.count).toBe(whole.count);
      expect(merged.positiveInfinities).toBe(whole.positiveInfinities);
      expect(merged.negativeInfinities).toBe(whole.negativeInfinities);
      for (const name of ['mean', 'deviation'] as const) {
        const scale = Math.max(...parts.flat().filter(Number.isFinite).map(Math.abs), Number.MIN_VALUE);
        if (Number.isFinite(whole[name])) expect(Math.abs(merged[name] - whole[name]) / scale).toBeLessThan(1e-9);
        else expect(merged[name]).toEqual(whole[name]);
      }
    }),
  );
});
