import { join } from 'node:path';

/** Returns the path of the script that worker threads run. */
export function threadEntry(): string {
  return join(__dirname, 'thread-main.js');
}
