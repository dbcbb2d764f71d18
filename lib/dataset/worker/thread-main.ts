/**
 * The program of a worker thread of `mapWorker`: it loads the module, and calls its default export for chunks of
 * elements. It imports little of the package, so that it starts fast.
 */
import { createRequire } from 'node:module';
import { workerData } from 'node:worker_threads';

import { callForAll, type ChunkOutcome } from './chunk-calls';
import { formsWhenNeeded, type ClassForms } from './class-forms';
import type { ChunkMessage, ChunkReply, FromThread, ThreadData, ToThread } from './messages';
import { packThrown } from './packed-thrown';
import { unpackOrigins } from '../engine/origins';
import { packValues, unpackValues, type Packed, type Parcel } from './packed-values';
import { WorkerCallContext, type WorkerFunction } from './worker-context';

type Call = WorkerFunction<unknown, unknown>;

const thread = workerData as ThreadData;
const { port } = thread;
const ending = new AbortController();
const scope = { signal: ending.signal };
const waiting: ChunkMessage[] = [];
/** The current chunk; `wanted` is false after its results were dropped. */
let current: { readonly id: number; wanted: boolean } | undefined;

const forms = formsWhenNeeded(() => {
  const { OUR_CLASSES } = createRequire(__filename)('./our-classes') as { OUR_CLASSES: ClassForms };
  return OUR_CLASSES;
});

const loading = load();
port.on('message', (message: ToThread) => {
  if ('chunk' in message) {
    waiting.push(message.chunk);
    if (current === undefined) void work();
  } else if ('drop' in message) {
    drop(new Set(message.drop));
  } else {
    ending.abort();
    drop(new Set(waiting.map(({ id }) => id)));
    if (current === undefined) post({ ended: true });
    else current.wanted = false;
  }
});

async function load(): Promise<Call | undefined> {
  let thrown;
  try {
    const loaded = (await import(thread.module)) as { default?: unknown };
    const found = loaded.default;
    if (typeof found === 'function') return found as Call;
    // An ES module compiled to CommonJS has its default export here.
    const inner = (found as { default?: unknown } | null | undefined)?.default;
    if (typeof inner === 'function') return inner as Call;
  } catch (error) {
    thrown = packThrown(error);
  }
  post({ unusable: thrown === undefined ? 'has no default export that is a function' : 'could not be loaded', thrown });
  return undefined;
}

async function work(): Promise<void> {
  const first = waiting.shift();
  if (first === undefined) return;
  current = { id: first.id, wanted: true };
  const call = await loading;
  // The parent was notified.
  if (call === undefined) return;
  for (let chunk: ChunkMessage | undefined = first; chunk !== undefined; chunk = waiting.shift()) {
    current = { id: chunk.id, wanted: true };
    await answer(call, chunk, current);
  }
  current = undefined;
  if (ending.signal.aborted) post({ ended: true });
}

async function answer(call: Call, chunk: ChunkMessage, state: { readonly wanted: boolean }): Promise<void> {
  const begun = performance.now();
  const { id, elements, index, epoch, key, untilError } = chunk;
  const at = unpackValues(elements, forms);
  const origins = unpackOrigins(chunk.origins);
  const callScope = { epoch, key, scope };
  const outcome = await callForAll({
    length: lengthOf(elements),
    call: (i) => call(at(i), new WorkerCallContext(thread, callScope, origins, i, index + i)),
    without: new Set(chunk.without),
    parallel: thread.parallel,
    untilError,
    unwanted: () => !state.wanted,
  });
  if (!state.wanted) post({ dropped: id });
  else reply(id, outcome, elements, performance.now() - begun);
}

function reply(id: number, outcome: ChunkOutcome, elements: Packed, ms: number): void {
  try {
    postReply(id, outcome, elements, ms);
  } catch {
    // A result cannot be sent: finds which one, and reports an error for it.
    const { values, thrown } = outcome;
    values.forEach((value, i) => {
      const reason = thrown.has(i) ? undefined : whyUnsendable(value);
      if (reason === undefined) return;
      values[i] = undefined;
      thrown.set(i, reason);
    });
    postReply(id, outcome, elements, ms);
  }
}

function postReply(id: number, { values, thrown }: ChunkOutcome, elements: Packed, ms: number): void {
  const { packed, transfer } = packResults(values, elements);
  const errors = [...thrown].sort(([a], [b]) => a - b);
  const packedErrors = errors.map(([i, error]) => [i, packThrown(error)] as const);
  post(
    { reply: { id, results: packed, count: values.length, thrown: packedErrors, ms } satisfies ChunkReply },
    transfer,
  );
}

function packResults(values: readonly unknown[], elements: Packed): Parcel {
  const own = 'bytes' in elements ? elements.bytes.buffer : undefined;
  const memory = (bytes: number): ArrayBuffer => new ArrayBuffer(bytes);
  return packValues(values.length, (i) => values[i], { forms, memory, own });
}

/** Returns the reason why `value` cannot be sent; undefined if it can. */
function whyUnsendable(value: unknown): Error | undefined {
  try {
    const { packed, transfer } = packResults([value], { values: [], revive: false, rows: [] });
    structuredClone(packed, { transfer: [...transfer] });
    return undefined;
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : String(cause);
    return new TypeError(`What it returned cannot be sent to the main thread: ${what}`, { cause });
  }
}

function drop(unwanted: ReadonlySet<number>): void {
  if (current !== undefined && unwanted.has(current.id)) current.wanted = false;
  for (const { id } of waiting.filter((chunk) => unwanted.has(chunk.id))) post({ dropped: id });
  waiting.splice(0, waiting.length, ...waiting.filter(({ id }) => !unwanted.has(id)));
}

function post(message: FromThread, transfer: readonly ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

function lengthOf(elements: Packed): number {
  return 'bytes' in elements ? elements.lengths.length : elements.values.length;
}
