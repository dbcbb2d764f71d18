#!/usr/bin/env node
import { EXIT } from './reporter';
import { run } from './run';

const { code, interrupt } = run(process.argv.slice(2), process);

process.once('SIGINT', () => {
  interrupt();
  // At once: a second signal, or a reader in mid-work, must not be waited for.
  process.exit(EXIT.interrupted);
});

void code.then((exitCode) => {
  process.exitCode = exitCode;
});
