/** How many records readers of Examples request, and where they cut pieces into batches. */
import fc from 'fast-check';

import { PieceSizer } from '../../../../lib/example/read/piece-sizer';

/** A piece of so many rows of so many bytes each. */
const part = (rows: number, bytes = 100): Parameters<PieceSizer['came']>[1][number] => ({
  columns: { rows },
  lengths: new Uint32Array(rows),
  payload: rows * bytes,
});

test('rows one by one: pieces of a quarter of a MiB, never cut', () => {
  const sizer = new PieceSizer();
  expect(sizer.ask()).toBe(128);
  expect(sizer.cuts(128)).toEqual([128]);
  sizer.came(128, [part(128, 1024)]);
  expect(sizer.ask()).toBe(256);
  sizer.came(256, [part(256, 1)]);
  expect(sizer.ask()).toBeGreaterThan(256);
});

test('small batches: pieces of several, large ones: of one', () => {
  const sizer = new PieceSizer();
  sizer.align(100, 0);
  expect(sizer.ask()).toBe(100);
  sizer.came(100, [part(100)]);
  expect(sizer.ask()).toBe(1000);
  expect(sizer.cuts(1000)).toEqual([100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]);
  sizer.came(1000, [part(1000)]);
  sizer.align(5000, 1100);
  expect(sizer.ask()).toBe(5000);
});

test('batches that begin behind rows', () => {
  const sizer = new PieceSizer();
  const first = sizer.ask();
  sizer.came(first, [part(first)]);
  // 10 of them were handed out one by one, then batches were asked for.
  sizer.align(64, 10);
  expect((first - 10 + sizer.ask()) % 64).toBe(0);
});

test('batches of another size, and rows between two batches', () => {
  const sizer = new PieceSizer();
  sizer.came(sizer.ask(), [part(128)]);
  sizer.align(64, 10);
  const asked = sizer.ask();
  sizer.came(asked, [part(asked)]);
  // All was handed out, and the next batches are of 50.
  const taken = 128 + asked;
  sizer.align(50, taken);
  expect(sizer.ask() % 50).toBe(0);
  expect(sizer.cuts(120)).toEqual([50, 100, 120]);
  // Of what was taken, 97 rows are in hand.
  sizer.align(50, taken - 97);
  expect(sizer.cuts(120)).toEqual([3, 53, 103, 120]);
  sizer.align(1, 0);
  expect(sizer.cuts(120)).toEqual([120]);
});

test('large records: few pieces under way', () => {
  const sizer = new PieceSizer();
  expect(sizer.maxPieces).toBeGreaterThan(100);
  sizer.came(sizer.ask(), [part(1, 2 ** 20), part(1, 2 ** 20)]);
  expect(sizer.maxPieces).toBe(2);
});

test('whatever comes short, parts are whole batches again as soon as pieces come in full', () => {
  const answers = fc.array(fc.record({ short: fc.nat(50), ahead: fc.integer({ min: 1, max: 4 }) }), { maxLength: 20 });
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 300 }), answers, (batch, steps) => {
      const sizer = new PieceSizer();
      sizer.align(batch, 0);
      const asked: number[] = [];
      let rows = 0;
      const come = (missing: number): number[] => {
        const records = asked.shift()!;
        const came = Math.max(0, records - missing);
        const ends = sizer.cuts(came);
        expect(ends.at(-1)).toBe(came);
        // Between any two cuts lies one batch at most, and none of them is left uncut.
        const inner = ends.slice(0, -1);
        expect(inner.every((end) => (rows + end) % batch === 0)).toBe(true);
        expect(inner.length).toBe(Math.max(0, Math.ceil((rows + came) / batch) - Math.floor(rows / batch) - 1));
        sizer.came(records, [part(came)]);
        rows += came;
        return ends;
      };
      for (const { short, ahead } of steps) {
        while (asked.length < ahead) asked.push(sizer.ask());
        come(short);
      }
      while (asked.length > 0) come(0);
      asked.push(sizer.ask());
      come(0);
      expect(rows % batch).toBe(0);
    }),
  );
});
