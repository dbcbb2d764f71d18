/** In place of `lib/dataset/worker/thread-entry`: what worker threads run, compiled from the sources as they are now. */
import { join } from 'node:path';

import { compiledSources } from './compiled-sources';

let entry: string | undefined;

export function threadEntry(): string {
  return (entry ??= join(compiledSources(), 'lib', 'dataset', 'worker', 'thread-main.js'));
}
