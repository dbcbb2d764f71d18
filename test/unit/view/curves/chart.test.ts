/** Charts as the page of `tfrecord view` draws them: smoothing, axes, gaps, colours, and the file of SVG. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import fc from 'fast-check';

import { Curve } from '../../../../lib/view/host/curves/curve';
import { unpackNumbers } from '../../../../lib/view/protocol';
import { numberTicks, rangeOf, xText, xTicks } from '../../../../lib/view/page/model/axes';
import { chartOf, draw, linesOf, scaleOf, type ChartSettings } from '../../../../lib/view/page/model/chart';
import { svgOf } from '../../../../lib/view/page/model/chart-svg';
import { nearest, rawLine, smoothLine, type Buckets } from '../../../../lib/view/page/model/lines';
import { RunLooks } from '../../../../lib/view/page/model/run-colors';
import { fileNameOf } from '../../../../lib/view/page/model/save';

const PLAIN: ChartSettings = { axis: 'step', smoothing: 0, logX: false, logY: false };

function bucketsOf(values: readonly number[], limit = 4096, steps = values.map((_, i) => i)): Buckets {
  const curve = new Curve(limit);
  values.forEach((value, i) => curve.add(steps[i]!, 100 + 2 * steps[i]!, value));
  return { numbers: unpackNumbers(curve.packed(0)), start: curve.start };
}

/** The average with all weights written out: of each value, the weight to the power of the number of later ones. */
function average(values: readonly number[], weight: number): number {
  const finite = values.filter(Number.isFinite);
  const weights = finite.map((_, i) => weight ** (finite.length - 1 - i));
  const sum = weights.reduce((all, each) => all + each, 0);
  return finite.reduce((all, each, i) => all + (each * weights[i]!) / sum, 0);
}

test('smoothing is the debiased exponential moving average; values that are not finite are gaps', () => {
  const value = fc.oneof({ weight: 8, arbitrary: fc.double({ min: -1e6, max: 1e6, noNaN: true }) }, fc.constant(NaN));
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 60 }),
      fc.constantFrom(0, 0.3, 0.6, 0.99),
      (values, weight) => {
        const { xs, ys } = smoothLine(bucketsOf(values), 'step', weight);
        expect([...xs]).toEqual(values.map((_, i) => i));
        values.forEach((each, i) => {
          if (Number.isFinite(each))
            expect(Math.abs(ys[i]! - average(values.slice(0, i + 1), weight))).toBeLessThan(1e-4);
          else expect(ys[i]).toBeNaN();
        });
      },
    ),
  );
});

test('a bucket of equal values counts as each of them', () => {
  const values = Array.from({ length: 64 }, (_, i) => Math.floor(i / 4));
  const merged = smoothLine(bucketsOf(values, 16), 'step', 0.9);
  expect(merged.xs).toHaveLength(16);
  merged.xs.forEach((step, i) => expect(merged.ys[i]).toBeCloseTo(average(values.slice(0, step + 1), 0.9), 9));
});

test('points by step, by time and by the time since the first value, in ascending order', () => {
  const buckets = bucketsOf([5, 6, 7], 16, [10, 30, 20]);
  expect([...rawLine(buckets, 'step').xs]).toEqual([10, 20, 30]);
  expect([...rawLine(buckets, 'step').ys]).toEqual([5, 7, 6]);
  expect([...rawLine(buckets, 'time').xs]).toEqual([120, 140, 160]);
  expect([...smoothLine(buckets, 'relative', 0).xs]).toEqual([0, 20, 40]);
  const extremes = rawLine(bucketsOf([1, 9, 2, 3], 2), 'step');
  expect([[...extremes.xs], [...extremes.ys]]).toEqual([
    [0, 1, 2, 3],
    [1, 9, 2, 3],
  ]);
});

test('nearest point', () => {
  const xs = Float64Array.of(0, 10, 20);
  expect([-5, 4, 6, 14, 16, 99].map((x) => nearest(xs, x))).toEqual([0, 0, 1, 1, 2, 2]);
  expect(nearest(new Float64Array(), 1)).toBe(-1);
});

test('lines break at gaps and where a logarithmic axis ends; a lone point is a dot', () => {
  const drawn = (settings: ChartSettings, values: readonly number[]): string => {
    const parts: string[] = [];
    const pen = {
      move: (x: number, y: number) => parts.push(`M${x},${y}`),
      line: (x: number, y: number) => parts.push(`L${x},${y}`),
      dot: (x: number, y: number) => parts.push(`.${x},${y}`),
    };
    draw(rawLine(bucketsOf(values), 'step'), settings, pen, Number, Number);
    return parts.join(' ');
  };
  expect(drawn(PLAIN, [1, 2, NaN, 3, Infinity, 4, 5])).toBe('M0,1 L1,2 .3,3 M5,4 L6,5');
  expect(drawn({ ...PLAIN, logX: true }, [1, 2, 3])).toBe('M1,2 L2,3');
  expect(drawn({ ...PLAIN, logY: true }, [1, 0, -2, 3])).toBe('.0,1 .3,3');
});

test('ranges and ticks of all numbers are finite, few, ascending and within', () => {
  const number = fc.double();
  fc.assert(
    fc.property(fc.array(number, { maxLength: 6 }), fc.boolean(), (values, isLog) => {
      const line = { xs: Float64Array.from(values), ys: Float64Array.from(values) };
      for (const side of ['xs', 'ys'] as const) {
        const range = rangeOf([line], side, isLog);
        expect(range.every(Number.isFinite) && range[0] < range[1] && (!isLog || range[0] >= 0)).toBe(true);
        for (const ticks of [
          numberTicks(range, 5, isLog),
          ...(['step', 'relative', 'time'] as const).map((axis) => xTicks(range, 5, axis, isLog)),
        ]) {
          expect(ticks.length).toBeLessThanOrEqual(50);
          ticks.forEach(({ at, label }, i) => {
            expect(label).not.toBe('');
            expect(at > (ticks[i - 1]?.at ?? -Infinity)).toBe(true);
          });
        }
      }
    }),
  );
});

test.each([
  [[0, 6000], 'step', false, '0 2,000 4,000 6,000'],
  [[0, 60_000], 'step', false, '0 20K 40K 60K'],
  [[1, 10_000], 'step', true, '1 10 100 1,000 10K'],
  [[2, 60], 'step', true, '2 5 10 20 50'],
  [[0, 7200], 'relative', false, '0 h 0.5 h 1 h 1.5 h 2 h'],
  [[0, 90], 'relative', false, '0 s 20 s 40 s 60 s 80 s'],
] as const)('ticks of %j, %s', (range, axis, isLog, labels) => {
  expect(
    xTicks(range, 5, axis, isLog)
      .map(({ label }) => label)
      .join(' '),
  ).toBe(labels);
});

test('times are local', () => {
  const at = new Date(2024, 4, 7, 15, 30).getTime() / 1000;
  expect(xTicks([at - 1000, at + 1000], 4, 'time', false).map(({ label }) => label)).toContain('15:30');
  for (const { label } of xTicks([at - 9e5, at + 9e5], 4, 'time', false)) expect(label).toMatch(/^(?:Apr|May) \d+$/);
  expect(xText(at, 'time')).toBe('May 7, 2024, 15:30:00');
  expect([xText(1200, 'step'), xText(5400, 'relative')]).toEqual(['step 1,200', 'after 1.5 h']);
  expect(xText(1e300, 'time')).toBe('1.000e+300');
});

test('a scale maps the ends of its range to those of the pixels', () => {
  expect([0, 5, 10].map(scaleOf([0, 10], false, 100, 0))).toEqual([100, 50, 0]);
  expect([1, 10, 100].map(scaleOf([1, 100], true, 0, 8))).toEqual([0, 4, 8]);
});

test('a run keeps its look, whatever is added; few runs have different ones', () => {
  const looks = new RunLooks();
  const names = Array.from({ length: 48 }, (_, i) => `run ${i}`);
  const first = names.map((name) => looks.of(name));
  expect(new Set(first.map((look) => JSON.stringify(look))).size).toBe(48);
  expect(first.slice(0, 12).every(({ dash }) => dash.length === 0)).toBe(true);
  for (let i = 0; i < 200; i++) looks.of(`more ${i}`);
  expect(names.map((name) => looks.of(name))).toEqual(first);
  expect(new RunLooks().of('run 0')).toEqual(first[0]);
});

test('SVG has the lines of all runs, and names as text', () => {
  const hostile = '</title><script>alert(1)</script>&"\'\u0000\ud800';
  const looks = new RunLooks();
  const runs = [hostile, 'b'].map((run, i) => {
    return { run, look: looks.of(run), ...linesOf(bucketsOf([1 + i, 2, NaN, 4]), { ...PLAIN, smoothing: 0.5 }) };
  });
  const svg = svgOf(chartOf(hostile, runs, { ...PLAIN, smoothing: 0.5 }));
  expect(XMLValidator.validate(svg)).toBe(true);
  const shown = '</title><script>alert(1)</script>&"\'\ufffd\ufffd';
  const { svg: read } = new XMLParser({ ignoreAttributes: false, htmlEntities: true }).parse(svg) as {
    svg: { title: string; text: { '#text': string }[]; g: { path: Record<string, string>[] } };
  };
  expect(read.title).toBe(shown);
  expect(read.text.map((each) => each['#text'])).toEqual(expect.arrayContaining([shown, 'b']));
  expect(svg).not.toContain('<script');
  expect(read.g.path).toHaveLength(4);
  expect(read.g.path[0]!['@_d']).toMatch(/^M64 [\d.]+L304 [\d.]+M784 [\d.]+h0$/);
});

test('names of files have no folders and no hidden ones', () => {
  expect(fileNameOf('train/loss: total', '.csv')).toBe('train-loss-total.csv');
  expect(fileNameOf('../../etc', '.svg')).toBe('etc.svg');
  expect(fileNameOf('///', '.csv')).toBe('curve.csv');
});
