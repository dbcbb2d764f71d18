/**
 * Functions of a WebAssembly instance that parse single records are dropped. Says how many of their parsers were collected.
 * Argument: the file of the module. Needs --expose-gc.
 */
import { readFileSync } from 'node:fs';

import { encodeExample, int64 } from '../../../../lib/example';
import { wasmBinding } from '../../../../lib/native/wasm';
import { argument, say } from '../../../support/running/case';
import { settles } from '../../../support/settles';

const FUNCTIONS = 10;
const binding = wasmBinding(new WebAssembly.Module(readFileSync(argument(0))));

let collected = 0;
const parsers = new FinalizationRegistry(() => collected++);

function use(id: number): void {
  const column = { key: Buffer.from('id'), section: 0, kind: 3, count: -1, required: false, fallback: undefined };
  const parser = binding.parserNew([column as never], false, false);
  parsers.register(parser, undefined);
  const parse = binding.parserRow(parser);
  say(parse(encodeExample({ id: int64(id) }), new Uint8Array(1024)));
}

async function main(): Promise<void> {
  for (let id = 1; id <= FUNCTIONS; id++) use(id);
  // V8 may keep what compiled code, or code being compiled, used.
  const most = await settles(() => {
    globalThis.gc?.();
    return collected >= FUNCTIONS / 2;
  });
  say({ most });
}

void main();
