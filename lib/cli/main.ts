#!/usr/bin/env node
import { EXIT } from './reporter';
import { run } from './run';

const { code, interrupt } = run(process.argv.slice(2), process);

process.once('SIGINT', () => {
  interrupt();
  // Exits at once, without waiting for a second signal or for a busy reader.
  process.exit(EXIT.interrupted);
});

void code.then((exitCode) => {
  process.exitCode = exitCode;
});
