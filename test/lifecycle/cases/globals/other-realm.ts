/** Loads the package in a `vm` context: all its results belong to that context. Argument: the file. */
import { argument, say } from '../../../support/running/case';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import vm from 'node:vm';

const context = vm.createContext({ Buffer, process, performance, setImmediate, queueMicrotask, file: argument(0) });
const modules = new Map<string, { exports: unknown }>();

/** A `require` that runs our files in the context, but neither Node's modules nor other packages. */
function load(file: string): unknown {
  const known = modules.get(file);
  if (known !== undefined) return known.exports;
  const module = { exports: {} as unknown };
  modules.set(file, module);
  const outer = createRequire(file);
  const inner = (name: string): unknown => (name.startsWith('.') ? load(outer.resolve(name)) : outer(name));
  const wrapper = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`;
  const run = vm.runInContext(wrapper, context, { filename: file }) as (...names: unknown[]) => void;
  run(module.exports, inner, module, file, dirname(file));
  return module.exports;
}

const test = `(async (lib) => {
  const caught = async (run) => { try { await run(); } catch (error) { return error; } };
  const missing = await caught(() => lib.RecordReader.open(file + '.missing'));
  const damaged = await caught(async () => { for await (const _ of lib.readRecords(new Uint8Array(5))); });
  const wrong = await caught(() => lib.RecordReader.open(file, { readAhead: 'two' }));
  const range = await caught(() => lib.RecordReader.open(file, { readAhead: -1 }));
  const reader = await lib.RecordReader.open(file);
  const step = reader.batches().next();
  const { value: batch } = await step;
  await reader.close();
  return {
    missing: [missing instanceof lib.TFRecordError, missing instanceof Error, missing.code],
    damaged: [damaged instanceof lib.TFRecordError, damaged instanceof Error, damaged.code],
    wrong: [wrong instanceof TypeError, wrong.code],
    range: [range instanceof RangeError, range.code],
    promise: step instanceof Promise,
    batch: batch instanceof lib.RecordBatch,
    record: batch.at(0) instanceof Uint8Array,
  };
})`;

async function main(): Promise<void> {
  const run = vm.runInContext(test, context) as (lib: unknown) => Promise<unknown>;
  say(await run(load(join(__dirname, '..', '..', '..', '..', 'lib', 'index.js'))));
}

void main();
