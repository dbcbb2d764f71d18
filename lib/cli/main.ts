#!/usr/bin/env node
import { constants } from 'node:os';

import { run } from './run';

const { code, interrupt } = run(process.argv.slice(2), process);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    // Exits as soon as no unfinished file is left, without waiting for a busy reader. A second signal ends the process at
    // once, since nothing handles it.
    void interrupt().then(() => process.exit(128 + constants.signals[signal]));
  });
}

void code.then((exitCode) => {
  process.exitCode = exitCode;
});
