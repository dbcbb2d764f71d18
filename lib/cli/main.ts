#!/usr/bin/env node
import { constants } from 'node:os';

import { removeTemporaries } from '../io';
import { run } from './run';
import { lineText } from './terminal/text';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type Signal = (typeof SIGNALS)[number];

let interrupted = false;

// Node's own listener, which prints warnings; absent with --no-warnings.
const [printWarning] = process.listeners('warning');
process.removeAllListeners('warning');
process.on('warning', warn);

for (const signal of SIGNALS) process.on(signal, end);

// The handlers come first, because the command may take them away at once.
const running = run(process.argv.slice(2), process, endAtSignals);
void running.code.then((exitCode) => {
  process.exitCode = exitCode;
});

/** The first signal exits as soon as no unfinished file is left, without waiting for a busy reader; a second one at once. */
function end(signal: Signal): void {
  if (interrupted) {
    endBy(signal);
    return;
  }
  interrupted = true;
  void running.interrupt().then(() => {
    if (running.exitWaits()) endBy(signal);
    else process.exit(128 + constants.signals[signal]);
  });
}

/** Has the system end the process, whatever its threads do. */
function endBy(signal: Signal): void {
  removeTemporaries();
  endAtSignals();
  process.kill(process.pid, signal);
}

/** Prints warnings of the library as lines of the command, but for those of replaced files: --force asks for that. */
function warn(warning: Error & { readonly code?: string }): void {
  if (warning.name !== 'TFRecordWarning') printWarning?.(warning);
  else if (warning.code !== 'TFR_REPLACED') process.stderr.write(`tfrecord: warning: ${lineText(warning.message)}\n`);
}

function endAtSignals(): void {
  for (const signal of SIGNALS) process.off(signal, end);
}
