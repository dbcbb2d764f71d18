/** Native lines of JSON are those of the printers in TypeScript, and unusual records are named in their places. */
import fc from 'fast-check';

import { bytes, encodeExample, encodeSequenceExample, float, int64 } from '../../../../lib';
import { LineForm, recordLines } from '../../../../lib/example';
import { MemoryPool } from '../../../../lib/io';
import { native } from '../../../../lib/native';
import { batchOf, compareLines, FORM_NAMES, nativeLines, scriptPrinter } from '../../../support/records/native-lines';
import { anyExample, anySequenceExample } from '../feature/wire';

/** WebAssembly prints no lines. */
const [onThreads, onNone] = native().linesNew === undefined ? [test.skip, test] : [test, test.skip];

const PLAIN = encodeExample({ b: int64([1n]), a: bytes(['x']) });
const EVENT = Buffer.from('09000000000000f03f', 'hex');

onThreads.each(FORM_NAMES)('%s: int64, floats, texts and names', async (form) => {
  const odd = encodeExample({
    id: int64([2n ** 63n - 1n, -(2n ** 63n), 0n, -1n, 9_007_199_254_740_993n]),
    'é\u2028"\u007f': float([
      NaN,
      Infinity,
      -Infinity,
      -0,
      1,
      0.1,
      3.4028234663852886e38,
      1e-45,
      1.00390625,
      7.0385306918512091e-26,
      7.038531e-26,
    ]),
    name: bytes(['', 'é "\\\n\t\r', Uint8Array.of(0xff, 0), 'NaN', '\u202e\u061c', '\u0085', '🙂 of eight and more']),
    unset: [],
  });
  const sequence = encodeSequenceExample({
    context: { z: int64([7]), a: float([0.5]) },
    featureLists: { words: [bytes(['a', 'b']), bytes([]), []], none: [] },
  });
  expect(await compareLines([odd, sequence, PLAIN, Buffer.alloc(0)], form)).toBe(4);
});

onThreads.each(FORM_NAMES)('%s: random records, as strange as protobuf allows', async (form) => {
  const records = fc.array(fc.oneof(anyExample, anySequenceExample), { minLength: 1, maxLength: 8 });
  let printed = 0;
  await fc.assert(
    fc.asyncProperty(records, async (some) => {
      printed += await compareLines(some, form);
    }),
    { numRuns: 100 },
  );
  expect(printed).toBeGreaterThan(20);
});

onThreads('records with a long value or list are left to the printer that cuts them', async () => {
  const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
  const records = [
    ...[32, 33].flatMap((count) => [
      encodeExample({ a: int64(many(count, 1n)) }),
      encodeExample({ a: float(many(count, 1)) }),
      encodeExample({ a: bytes(many(count, 'x')) }),
    ]),
    ...[256, 257].map((size) => encodeExample({ a: bytes(['x'.repeat(size)]) })),
    ...[48, 49].map((size) => encodeExample({ a: bytes([Buffer.alloc(size)]) })),
    ...[16, 17].map((count) => encodeSequenceExample({ context: {}, featureLists: { a: many(count, []) } })),
    ...[4096, 4097].map((count) =>
      encodeExample(Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, []]))),
    ),
  ];
  const lines = await nativeLines(records, 'records that are not cut');
  expect(lines.map((line) => line !== undefined)).toEqual([
    ...[true, true, true, false, false, false],
    ...[true, false, true, false, true, false, true, false],
  ]);
  const print = scriptPrinter('records that are not cut');
  expect(records.flatMap((record) => (print(record)!.includes('"more') ? [] : [print(record)]))).toEqual(
    lines.filter((line) => line !== undefined),
  );
});

onThreads('refused records come in their places', async () => {
  const line = '{"features":{"a":["x"],"b":[1]}}';
  const records = [EVENT, PLAIN, PLAIN, EVENT, EVENT, PLAIN, EVENT];
  expect(await nativeLines(records, 'records')).toEqual([undefined, line, line, undefined, undefined, line, undefined]);
});

onThreads('batches of several parts, and lines longer than their room', async () => {
  const long = encodeExample({ a: bytes([Buffer.alloc(1_300_000, 0xff), Buffer.alloc(200_000, 0x22)]) });
  const integers = encodeExample({ a: int64(new BigInt64Array(700_000)) });
  const records = [long, EVENT, integers, ...Array.from({ length: 5000 }, () => PLAIN), EVENT, long, PLAIN];
  const printed = await nativeLines(records, 'rows');
  const print = scriptPrinter('rows');
  expect(printed.map((line) => line?.length)).toEqual(
    records.map((record) => (record === EVENT ? undefined : print(record)!.length)),
  );
  expect(printed[0]).toBe(print(long));
});

onThreads('a line of more than twice the bytes of its record, in a room that is too large to keep', async () => {
  const long = encodeExample({ a: float(new Float32Array(1_200_000).fill(-0.123456789)) });
  const line = scriptPrinter('rows')(long)!;
  expect(line.length).toBeGreaterThan(2 * long.length + 4096);
  const printed = await nativeLines([PLAIN, long, PLAIN], 'rows');
  expect(printed.map((text) => text?.length)).toEqual([19, line.length, 19]);
  // No `toBe`, which would print both.
  expect(printed[1] === line).toBe(true);
});

onThreads('stops where the taker stops', async () => {
  const taken: number[] = [];
  const taker = {
    stopped: false,
    lines: (_text: Buffer, free: () => void, records: number): undefined => {
      taken.push(records);
      free();
    },
    other: (index: number): undefined => {
      taken.push(-index);
      taker.stopped = true;
    },
  };
  await recordLines(LineForm.Rows).print(batchOf([PLAIN, PLAIN, EVENT, PLAIN, EVENT]), taker);
  expect(taken).toEqual([2, -2]);
});

onThreads('an error of the taker comes after all threads have left the batch', async () => {
  const records = Array.from({ length: 20_000 }, () => PLAIN);
  const taker = {
    stopped: false,
    lines: (): Promise<void> => Promise.reject(new Error('full')),
    other: (): undefined => undefined,
  };
  await expect(recordLines(LineForm.Rows).print(batchOf(records), taker)).rejects.toThrow('full');
});

onThreads('a lack of memory is thrown after all threads have left the batch', async () => {
  const records = Array.from({ length: 100_000 }, () => encodeExample({ a: bytes(['a longer text']) }));
  const { lease } = MemoryPool.prototype;
  const leases = jest
    .spyOn(MemoryPool.prototype, 'lease')
    .mockImplementationOnce(function (this: MemoryPool, ...room) {
      return lease.apply(this, room);
    })
    .mockImplementationOnce(() => {
      throw new Error('no room');
    });
  let taken = 0;
  const taker = {
    stopped: false,
    lines: (_text: Buffer, free: () => void, some: number): undefined => {
      taken += some;
      free();
    },
    other: (): undefined => undefined,
  };
  try {
    await expect(recordLines(LineForm.Rows).print(batchOf(records), taker)).rejects.toThrow('no room');
  } finally {
    leases.mockRestore();
  }
  expect(taken).toBeGreaterThan(0);
  expect(taken).toBeLessThan(records.length);
});

onNone('without native lines, all records are for the other printer', async () => {
  expect(await nativeLines([PLAIN, EVENT, PLAIN], 'rows')).toEqual([undefined, undefined, undefined]);
});
