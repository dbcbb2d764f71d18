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

// Handlers are added before the run, because the command may remove them at once.
const running = run(process.argv.slice(2), process, endAtSignals);
void running.code.then((exitCode) => {
  process.exitCode = exitCode;
});

/**
 * Exits at the first signal as soon as unfinished files are removed, without waiting for readers; at the second signal
 * at once.
 */
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

/** Lets the operating system end the process, whatever its threads do. */
function endBy(signal: Signal): void {
  removeTemporaries();
  endAtSignals();
  process.kill(process.pid, signal);
}

/** Prints warnings of the library as messages of the command, except about replaced files, which --force requests. */
function warn(warning: Error & { readonly code?: string }): void {
  if (warning.name !== 'TFRecordWarning') printWarning?.(warning);
  else if (warning.code !== 'TFR_REPLACED') process.stderr.write(`tfrecord: warning: ${lineText(warning.message)}\n`);
}

function endAtSignals(): void {
  for (const signal of SIGNALS) process.off(signal, end);
}
