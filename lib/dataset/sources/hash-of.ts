import { createHash } from 'node:crypto';

/** What a state keeps of a list of files, to know it again. */
export function hashOf(files: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 8);
}
