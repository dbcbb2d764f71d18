/** States with right checksums but wrong members: each stage checks its own part of the state. */
import { setTimeout as sleep } from 'node:timers/promises';

import { Dataset, type DatasetState } from '../../../../lib';
import { sumOf } from '../../../../lib/dataset/engine/fingerprint';
import { Folder, numberedRecords } from '../../../support/records/record-files';
import { thrown } from '../../../support/thrown';

async function stateAfter(dataset: Dataset<unknown, unknown>, count: number): Promise<DatasetState> {
  const elements = dataset.iterate({ epoch: 0 });
  for (let i = 0; i < count; i++) await elements.next();
  const state = elements.state();
  await elements.return();
  return state;
}

/** `state` with another place, and the right checksum for it. */
function forged(state: DatasetState, place: unknown): DatasetState {
  const { version, order, graph, seed, call, epoch, exact, position } = state;
  return { ...state, place, sum: sumOf([version, order, graph, seed, call, epoch, exact, position, place]) };
}

test('what a shuffle says of its draws is checked before they are made again', async () => {
  const dataset = Dataset.range(1000)
    .filter(() => true)
    .shuffle(5);
  const state = await stateAfter(dataset, 300);
  const [[given, oldest, first, , step, drawn], skip] = state.place as [
    [number, unknown, number, null, number, number],
    number,
  ];
  const places: unknown[] = [
    [1e15, oldest, first, null, step, drawn],
    [given, oldest, first, null, 1e15, drawn],
    [given, oldest, first, null, step, -1],
    [given, oldest, 1e15, null, step, drawn],
    [given, oldest, first, -5, step, drawn],
    [given, oldest, first, null],
    [given, 'x', first, null, step, drawn],
    [given, [null, 1e15], first, null, step, drawn],
  ];
  for (const place of places) {
    const error = thrown(() => dataset.iterate({ state: forged(state, [place, skip]) }));
    expect(error).toMatchObject({ code: 'TFR_STATE_MISMATCH', stage: 'shuffle' });
  }
  // Draws that can be made again, but after the end of the input.
  const far = [given + 1000, oldest, first, null, step, drawn];
  const elements = dataset.iterate({ state: forged(state, [far, skip]) });
  await expect(elements.next()).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH', stage: 'shuffle' });
});

describe('what a state skips came of one chunk', () => {
  const folder = new Folder();
  const small = folder.write('small', numberedRecords(2, 10));
  afterAll(() => folder.remove());
  const records = (): Dataset<Uint8Array, unknown> => Dataset.tfrecord(small).repeat();

  test.each<[string, number, () => Dataset<unknown, unknown>]>([
    [
      'interleave',
      4097,
      () =>
        Dataset.from([small])
          .repeat()
          .interleave((file) => Dataset.tfrecord(file)),
    ],
    [
      'flatMap',
      4097,
      () =>
        Dataset.from([small])
          .repeat()
          .flatMap((file) => Dataset.tfrecord(file)),
    ],
    ['filter', 100, () => records().filter((_, { index }) => index % 50 === 0)],
    [
      'rejectionResample',
      4096,
      () =>
        records().rejectionResample((_, { index }) => Number(index % 50 === 0), {
          target: [0, 1],
          initial: [0.98, 0.02],
        }),
    ],
    ['shuffle', 4097, () => records().shuffle(3)],
    ['shuffle', 4100, () => records().shuffle(3, { bytes: 100 })],
    ['batch', 2, () => records().batch(2)],
    ['rebatch', 2, () => records().batch(2).rebatch(3)],
    [
      'paddedBatch',
      2,
      () =>
        records()
          .map(([byte]) => ({ list: [byte] }))
          .paddedBatch(2),
    ],
    [
      'bucketByLength',
      3,
      () =>
        records()
          .map(([byte]) => ({ list: [byte] }))
          .bucketByLength(() => 1, { boundaries: [2], batchSizes: [2, 2] }),
    ],
    ['sampleFrom', 4097, () => Dataset.sampleFrom([Dataset.tfrecord(small)], { exhausted: 'repeat' })],
    ['map', 4097, () => records().map((record) => record)],
  ])('%s, of which %i are too many', async (_, skip, make) => {
    const state = await stateAfter(make(), 5);
    const [at] = state.place as [unknown];
    const go = async (): Promise<unknown> =>
      make()
        .iterate({ state: forged(state, [at, skip]) })
        .next();
    await expect(go()).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
    await expect(
      (async () =>
        make()
          .iterate({ state: forged(state, [null, 1]) })
          .next())(),
    ).rejects.toMatchObject({
      code: 'TFR_STATE_MISMATCH',
    });
  });

  test('chunks of any size can be gone on from anywhere', async () => {
    const make = (): Dataset<number> => Dataset.range(30_000).filter((n) => n % 3 !== 0);
    const whole = await make().toArray();
    const chunks = make().chunks({ size: 65_536 });
    let given = 0;
    for await (const chunk of chunks) {
      given += chunk.length;
      const next = await make().iterate({ state: chunks.state() }).next();
      expect(next.value).toBe(whole[given]);
    }
    expect(given).toBe(whole.length);
  });
});

test('a shuffle goes on from a state of a state of a state, and makes few draws again', async () => {
  const dataset = Dataset.range(60_000)
    .filter(() => true)
    .shuffle(3)
    .seed(4);
  const whole = await dataset.toArray();
  let state = await stateAfter(dataset, 30_000);
  for (let position = 30_000; position < 30_100; position += 5) {
    const [[given, , , , step]] = state.place as [[number, unknown, number, null, number]];
    expect(given - step).toBeLessThan(5000);
    const elements = dataset.iterate({ state });
    const given5: number[] = [];
    for (let i = 0; i < 5; i++) given5.push((await elements.next()).value!);
    expect(given5).toEqual(whole.slice(position, position + 5));
    state = elements.state();
    await elements.return();
  }
});

test('results that were under way come again with fewer calls at a time', async () => {
  const slowly = async (n: number): Promise<number> => {
    if (n % 97 === 0) await sleep(30);
    return n;
  };
  const make = (parallel: number): Dataset<number> => Dataset.range(400).map(slowly, { ordered: false, parallel });
  const elements = make(64).iterate({ epoch: 0 });
  const given: number[] = [];
  for (let i = 0; i < 200; i++) given.push((await elements.next()).value!);
  const state = elements.state();
  await elements.return();
  for await (const n of make(1).iterate({ state })) given.push(n);
  expect(given.sort((a, b) => a - b)).toEqual(Array.from({ length: 400 }, (_, i) => i));
});
