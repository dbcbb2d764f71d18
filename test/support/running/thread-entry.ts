/** Replaces `lib/dataset/worker/thread-entry`: the entry of worker threads, compiled from the current sources. */
import { join } from 'node:path';

import { compiledSources } from './compiled-sources';

let entry: string | undefined;

export function threadEntry(): string {
  return (entry ??= join(compiledSources(), 'lib', 'dataset', 'worker', 'thread-main.js'));
}
