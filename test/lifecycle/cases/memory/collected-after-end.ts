/**
 * Handles of a WebAssembly instance that has ended are collected. Argument: the file of the module. Needs --expose-gc.
 */
import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';

import { testSpec } from '../../../support/records/reader-spec';
import { argument, say } from '../../../support/running/case';
import { settles } from '../../../support/settles';
import { wasmBinding } from '../../../../lib/native/wasm';
import { NODE_FILES } from '../../../../lib/native/wasm/node-files';

const open = (): never => {
  throw new TypeError('an error of this package');
};
const compiled = new WebAssembly.Module(readFileSync(argument(0)));
const binding = wasmBinding(compiled, { files: { ...NODE_FILES, open } });

let collected = 0;
const handles = new FinalizationRegistry(() => collected++);

function leave(): void {
  const left = [
    binding.readerOpenFed(testSpec()),
    binding.parserNew([], false, false),
    binding.writerOpen(undefined, 0, 6, false, 1),
    binding.surveyNew(),
    binding.exampleDecoder(false),
  ];
  for (const handle of left) handles.register(handle, undefined);
}

async function main(): Promise<void> {
  leave();
  const reader = binding.readerOpenFile('any', testSpec());
  await binding.readerFill(reader, new Uint8Array(1024)).catch((error: unknown) => say(String(error).slice(0, 90)));
  const all = await settles(() => {
    globalThis.gc?.();
    return collected === 5;
  });
  // The callbacks of the binding may run after those of this registry.
  await turn();
  say({ all });
}

void main();
