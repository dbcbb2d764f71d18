/** The curves of logs as a host answers a page: values that are added, new runs, damage, bounds, and CSV. */
import { appendFileSync, mkdirSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';

import { bounds } from '../../../../lib/view/host/curves/log-curves';
import { BUCKET_WIDTH, MEAN, STEP, unpackNumbers, type LogsState } from '../../../../lib/view/protocol';
import { event, fileVersion, scalar, scalarTensor } from '../../../support/records/event-logs';
import { Folder } from '../../../support/records/record-files';
import { flipBit, tfrecord } from '../../../support/records/tfrecord';
import { HostClient } from '../../../support/view/host-client';

const folder = new Folder();
const BOUNDS = { ...bounds };
const hosts: HostClient[] = [];
afterEach(async () => {
  Object.assign(bounds, BOUNDS);
  for (const host of hosts.splice(0)) await host.close();
});
afterAll(() => folder.remove());

/** A log folder, and a page that watches it. */
class Watching {
  readonly at: (name: string) => string;
  readonly host: HostClient;
  /** The last state, with all curves. */
  state: LogsState | undefined;
  #curves: LogsState['curves'][number][] = [];
  #changed: () => void = () => undefined;

  constructor(files: Readonly<Record<string, Uint8Array>>, byFolder = true) {
    const { path, at } = folder.place();
    this.at = at;
    for (const [name, bytes] of Object.entries(files)) this.put(name, bytes);
    const paths = Object.keys(files).map((name) => at(name));
    this.host = new HostClient(paths, byFolder ? { logs: [path] } : {});
    hosts.push(this.host);
    const onBatch = (state: LogsState): void => {
      if (state.reading !== this.state?.reading) this.#curves = [];
      for (const each of state.curves) this.#curves[each.curve] = each;
      this.state = { ...state, curves: this.#curves };
      this.#changed();
    };
    this.host.client.ask('logs', {}, { onBatch, credits: 1 }).catch(() => undefined);
  }

  put(name: string, bytes: Uint8Array): void {
    mkdirSync(dirname(this.at(name)), { recursive: true });
    appendFileSync(this.at(name), bytes);
  }

  /** Resolves when `holds` is true of a state. */
  async until(holds: (state: LogsState) => boolean): Promise<LogsState> {
    while (this.state === undefined || !holds(this.state)) await new Promise<void>((next) => (this.#changed = next));
    return this.state;
  }

  /** Resolves with the steps and means of a curve's buckets from `from` on. */
  async buckets(curve: number, from = 0, generation = 0): Promise<[number, number][]> {
    const { reading } = this.state!;
    const { batches } = await this.host.ask('curves', { reading, wanted: [{ curve, generation, from }] });
    const numbers = batches.length === 0 ? new Float64Array() : unpackNumbers(batches[0]!.buckets);
    return Array.from({ length: numbers.length / BUCKET_WIDTH }, (_, i) => [
      numbers[i * BUCKET_WIDTH + STEP]!,
      numbers[i * BUCKET_WIDTH + MEAN]!,
    ]);
  }

  async csv(...curves: number[]): Promise<{ text: string; rows: number; faults: number }> {
    const { batches, done } = await this.host.ask('csv', { reading: this.state!.reading, curves });
    return { text: Buffer.concat(batches).toString(), ...done };
  }
}

const valuesOf = ({ curves }: LogsState): unknown => curves.map(({ run, tag, values }) => [run, tag, values]);
const total = ({ curves }: LogsState): number => curves.reduce((sum, { values }) => sum + values, 0);

test('runs and tags of both forms; values, files and runs that appear later', async () => {
  const watching = new Watching({
    'a/events.out.tfevents.1': tfrecord([fileVersion(), scalar('loss', 1, 4), scalarTensor('acc', 1, 0.5)]),
  });
  expect(valuesOf(await watching.until((state) => total(state) === 2))).toEqual([
    ['a', 'loss', 1],
    ['a', 'acc', 1],
  ]);
  watching.put('a/events.out.tfevents.1', tfrecord([scalar('loss', 2, 3)]));
  watching.put('b/events.out.tfevents.1', tfrecord([fileVersion(), scalar('loss', 7, NaN)]));
  expect(valuesOf(await watching.until((state) => total(state) === 4))).toEqual([
    ['a', 'loss', 2],
    ['a', 'acc', 1],
    ['b', 'loss', 1],
  ]);
  expect(watching.state!.curves.map(({ gaps }) => gaps)).toEqual([0, 0, 1]);
  expect(await watching.buckets(0)).toEqual([
    [1, 4],
    [2, 3],
  ]);
  expect(await watching.buckets(0, 1)).toEqual([[2, 3]]);
  // Another generation: all buckets, whatever the page has.
  expect(await watching.buckets(0, 1, 9)).toHaveLength(2);
  expect(await watching.buckets(99)).toEqual([]);
});

test('the event files among the paths are the logs of a host without a log folder', async () => {
  const files = { 'r/events.out.tfevents.1': tfrecord([scalar('x', 1, 1)]), other: tfrecord([scalar('y', 1, 1)]) };
  const watching = new Watching(files, false);
  const { curves } = await watching.until((state) => total(state) === 1);
  expect(curves.map(({ run, tag }) => [run === dirname(watching.at('r/x')).replaceAll('\\', '/'), tag])).toEqual([
    [true, 'x'],
  ]);
});

test('many values share buckets, and CSV has each of them', async () => {
  bounds.ofCurve = 32;
  const steps = Array.from({ length: 1000 }, (_, i) => i);
  const watching = new Watching({
    'a/events.out.tfevents.1': tfrecord(steps.flatMap((step) => [scalar('x', step, step / 4), scalar('x*', step, 0)])),
    'b/events.out.tfevents.1': tfrecord([scalar('x', 2n ** 60n, 1), scalar('q"\n,', 1, Infinity)]),
  });
  const { curves } = await watching.until((state) => total(state) === 2002);
  const number = (run: string, tag: string): number =>
    curves.find((each) => each.run === run && each.tag === tag)!.curve;
  expect((await watching.buckets(number('a', 'x'))).length).toBeLessThanOrEqual(32);
  const lines = steps.map(
    (step) => `a,x,${step},${1_700_000_000 + step}.25,${step / 4}${step % 4 === 0 ? '.0' : ''}\n`,
  );
  expect(await watching.csv(number('a', 'x'))).toEqual({
    text: `run,tag,step,wall_time,value\n${lines.join('')}`,
    rows: 1000,
    faults: 0,
  });
  // A star is a star, and no pattern.
  expect(await watching.csv(number('a', 'x*'))).toMatchObject({ rows: 1000 });
  expect((await watching.csv(number('b', 'x'), number('b', 'q"\n,'))).text.split('\n')).toEqual([
    'run,tag,step,wall_time,value',
    `b,x,${2n ** 60n},${1_700_000_000.25 + 2 ** 60}.0,1.0`,
    'b,"q""',
    ',",1,1700000001.25,Infinity',
    '',
  ]);
});

test('all curves together have a bounded number of buckets, and there is a bounded number of curves', async () => {
  Object.assign(bounds, { curves: 6, buckets: 128, ofCurve: 64 });
  const tags = Array.from({ length: 8 }, (_, i) => `t${i}`);
  const events = Array.from({ length: 200 }, (_, step) => tags.map((tag) => scalar(tag, step, step)));
  const watching = new Watching({ 'events.out.tfevents.1': tfrecord(events.flat()) });
  const { curves } = await watching.until((state) => total(state) === 1200 && state.leftOut === 400);
  expect(curves.map(({ tag }) => tag)).toEqual(tags.slice(0, 6));
  const counts = await Promise.all(curves.map(async ({ curve }) => (await watching.buckets(curve)).length));
  expect(Math.max(...counts)).toBeLessThanOrEqual(16);
  expect(Math.min(...counts)).toBeGreaterThan(8);
  expect(await watching.csv(0, 5)).toMatchObject({ rows: 400 });
});

test('names that are too long are left out', async () => {
  const watching = new Watching({
    'events.out.tfevents.1': tfrecord([scalar('x'.repeat(2000), 1, 1), scalar('y', 1, 1)]),
  });
  const state = await watching.until((each) => total(each) === 1);
  expect(state).toMatchObject({ curves: [{ tag: 'y' }], leftOut: 1 });
});

test('damage costs what is damaged, and is told', async () => {
  const first = tfrecord([scalar('x', 1, 1)]);
  const watching = new Watching({
    'a/events.out.tfevents.1': Buffer.concat([
      first,
      flipBit(tfrecord([scalar('x', 2, 2)]), 14),
      tfrecord([scalar('x', 3, 3)]),
    ]),
    'b/events.out.tfevents.1': Buffer.from('no events, but a text of some length\n'),
  });
  const state = await watching.until((each) => total(each) === 2 && each.faults === 2);
  expect(state.problems.map(({ code }) => code).sort()).toEqual(['TFR_CORRUPT_DATA', 'TFR_NOT_TFRECORD']);
  expect(state.ended).toBeNull();
  expect(await watching.csv(0)).toMatchObject({ rows: 2, faults: 2 });
});

test('a log that lost bytes is read again from its start, with new numbers of curves', async () => {
  const all = tfrecord([scalar('x', 1, 1), scalar('y', 1, 1)]);
  const watching = new Watching({ 'events.out.tfevents.1': all });
  await watching.until((state) => total(state) === 2);
  truncateSync(watching.at('events.out.tfevents.1'), tfrecord([scalar('x', 1, 1)]).length);
  expect(valuesOf(await watching.until(({ reading, curves }) => reading === 1 && curves.length > 0))).toEqual([
    ['.', 'x', 1],
  ]);
  const { batches } = await watching.host.ask('curves', { reading: 0, wanted: [{ curve: 0, generation: 0, from: 0 }] });
  expect(batches).toEqual([]);
  await expect(watching.host.ask('csv', { reading: 0, curves: [0] })).rejects.toMatchObject({
    problem: { code: 'TFR_STATE_MISMATCH' },
  });
});

test('reading again leaves out what a restart made obsolete', async () => {
  const watching = new Watching({
    'events.out.tfevents.1': tfrecord([fileVersion(), event(0, { sessionLog: { status: 1 } })]),
  });
  await watching.until(() => true);
  watching.put('events.out.tfevents.1', tfrecord([scalar('x', 1, 1), scalar('x', 2, 2)]));
  await watching.until((state) => total(state) === 2);
  watching.put('events.out.tfevents.1', tfrecord([event(2, { sessionLog: { status: 1 } }), scalar('x', 2, 5)]));
  await watching.until((state) => total(state) === 3);
  await watching.host.ask('readLogsAgain', {});
  await watching.until((state) => state.reading === 1 && total(state) === 2);
  expect(await watching.buckets(0)).toEqual([
    [1, 1],
    [2, 5],
  ]);
});
