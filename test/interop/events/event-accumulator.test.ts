/** TensorBoard's accumulators give the values that `readEvents` gives: of TensorFlow's writers, and of real files. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { readEvents, type EventValue } from '../../../lib';
import { held } from '../../../lib/events/run-reading';
import { restoreHeld } from '../../support/records/event-logs';
import { Folder } from '../../support/records/record-files';
import { ROOT } from '../../support/running/compiled-sources';
import { withPackage } from '../python';

const TENSORFLOW = process.env['TFRECORD_TF_PYTHON'];
const REAL = process.env['TFRECORD_REAL_DATA'] ?? join(ROOT, '..', 'shared', 'data');
const LOGS = 40;
const { describe: withTensorboard, python } = withPackage('tensorboard', join(__dirname, 'read_logs.py'));

/** `[step, wall time, dtype, shape, hex of the values]` */
type Read = [number, number, string, number[], string | string[]];
interface Log {
  readonly runs: Readonly<Record<string, Readonly<Record<string, { plugin: string; events: Read[] }>>>>;
  readonly legacy: Readonly<Record<string, Readonly<Record<string, [number, number, string][]>>>>;
}

const hex = (values: NodeJS.ArrayBufferView): string =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('hex');
const hexOf = (values: readonly (string | Uint8Array)[]): string[] =>
  values.map((value) => Buffer.from(value).toString('hex'));

/** The values of ours in the form of TensorBoard's, which turns all into tensors. `dtype`: that of its scalar. */
function formOf(value: EventValue, dtype: string): [string, number[], string | string[]] {
  switch (value.kind) {
    case 'scalar':
      return [dtype, [], hex(dtype === 'float64' ? Float64Array.of(value.value) : Float32Array.of(value.value))];
    case 'histogram': {
      const { left, right, count, message } = value;
      const rows = [...left].flatMap((from, i) => [from, right[i]!, count[i]!]);
      const values = message === undefined ? Float64Array.from(rows) : Float32Array.from(rows);
      return [message === undefined ? 'float64' : 'float32', [left.length, 3], hex(values)];
    }
    case 'text':
      return ['bytes', [...value.shape], hexOf(value.texts)];
    case 'image':
      return ['bytes', [value.images.length + 2], hexOf([String(value.width), String(value.height), ...value.images])];
    case 'audio':
      return ['bytes', [value.clips.length], hexOf(value.clips)];
    case 'tensor': {
      const { dtype: own, shape, data } = value.tensor;
      return [own, [...shape], own === 'bytes' ? hexOf([...data]) : hex(data)];
    }
  }
}

async function compare(logs: readonly string[]): Promise<number> {
  let files = 0;
  const lines = python(...logs)
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(logs.length);
  for (const [i, folder] of logs.entries()) {
    const { runs, legacy } = JSON.parse(lines[i]!) as Log;
    const ours: Record<string, Record<string, Read[]>> = {};
    const scalars: Record<string, Record<string, [number, number, string][]>> = {};
    for await (const value of readEvents(folder)) {
      const { run, tag, step, wallTime } = value;
      const dtype = runs[run]?.[tag]?.events[0]?.[2] ?? 'none';
      const events = ((ours[run] ??= {})[tag] ??= []);
      events.push([Number(step), wallTime, ...formOf(value, dtype)]);
      if (value.kind !== 'scalar') continue;
      ((scalars[run] ??= {})[tag] ??= []).push([Number(step), wallTime, hex(Float64Array.of(value.value))]);
    }
    const theirs = Object.fromEntries(
      Object.entries(runs).flatMap(([run, tags]) => {
        // A graph is no value of a log here; and TensorBoard keeps tags whose values a restart dropped.
        const values = Object.entries(tags).filter(
          ([, { plugin, events }]) => !plugin.startsWith('graph') && events.length > 0,
        );
        return values.length === 0 ? [] : [[run, Object.fromEntries(values.map(([tag, { events }]) => [tag, events]))]];
      }),
    );
    expect({ folder, values: ours }).toEqual({ folder, values: theirs });
    for (const [run, tags] of Object.entries(legacy)) {
      // The two accumulators differ in files without starts of sessions.
      if (readdirSync(join(folder, run)).some((name) => /tfevents\.\d{3}$/.test(name))) continue;
      for (const [tag, values] of Object.entries(tags)) {
        if (values.length === 0) continue;
        expect({ folder, run, tag, values: scalars[run]?.[tag] }).toEqual({ folder, run, tag, values });
      }
    }
    files += filesIn(folder).length;
  }
  return files;
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return entries.filter((name) => name.includes('tfevents')).map((name) => join(folder, name));
}

withTensorboard('TensorBoard reads', () => {
  const folder = new Folder();
  afterAll(() => {
    folder.remove();
  });
  restoreHeld();

  test('the logs of all of TensorFlow’s writers', async () => {
    if (TENSORFLOW === undefined) throw new Error('TFRECORD_TF_PYTHON is not set: start with npm run test:interop');
    const script = join(__dirname, 'write_logs.py');
    execFileSync(TENSORFLOW, [script, folder.path, String(LOGS), python('--packages').trim()], { stdio: 'pipe' });
    const logs = readdirSync(folder.path).map((name) => folder.at(name));
    expect(await compare(logs)).toBeGreaterThanOrEqual(200);
    held.bytes = -1;
    await compare(logs);
  });

  const real = existsSync(REAL) ? [...new Set(filesIn(REAL).map(dirname))] : [];
  if (real.length === 0) process.stderr.write('test:interop: skipped, no real event files (TFRECORD_REAL_DATA)\n');
  else test('the real event files', async () => expect(await compare(real)).toBeGreaterThan(0));
});
