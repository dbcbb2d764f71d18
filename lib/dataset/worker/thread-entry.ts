import { join } from 'node:path';

/** The file that worker threads run. */
export function threadEntry(): string {
  return join(__dirname, 'thread-main.js');
}
