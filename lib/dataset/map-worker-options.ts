import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';

import { invalidArgType, invalidArgValue } from '../errors';
import { ErrorPolicy, isUrl, type OnError } from '../record';
import { checkOptionsObject, neededInteger } from './arguments';
import type { MapWorkerPlan } from './stages/map-worker';

const MAX_WORKERS = 256;
const MAX_PARALLEL = 65_536;

/** How a module is called in worker threads. Unknown names throw. */
export interface MapWorkerOptions {
  /** Threads: 1 to 256, or `auto`, as many as there are cores. They are started as there is work for them. Default `auto`. */
  workers?: number | 'auto' | undefined;
  /** Calls under way at a time in each worker, for functions that return promises. Default 1. */
  parallel?: number | undefined;
  /** For `context.data`: cloned once for each worker; a SharedArrayBuffer stays shared. Default undefined. */
  data?: unknown;
  /** What to do about elements for which the function fails. Default: what `onError()` of the dataset says. */
  onError?: OnError | undefined;
}

/** @throws TypeError, RangeError with Node's codes */
export function checkMapWorker(module: unknown, options: MapWorkerOptions | undefined): MapWorkerPlan {
  const given = checkOptionsObject('mapWorker', options, ['workers', 'parallel', 'data', 'onError']);
  const { workers = 'auto', parallel = 1, data, onError } = given;
  // Checked now, used later.
  if (onError !== undefined) new ErrorPolicy(onError);
  if (typeof workers === 'string' && workers !== 'auto')
    throw invalidArgValue('options.workers', 'a number or "auto"', workers);
  return {
    module: moduleUrl(module),
    data,
    workers: workers === 'auto' ? workers : neededInteger('options.workers', workers, 1, MAX_WORKERS),
    parallel: neededInteger('options.parallel', parallel, 1, MAX_PARALLEL),
    onError,
  };
}

/** The URL of what threads are to load: they know nothing of the folder that a relative path is meant from. */
function moduleUrl(module: unknown): string {
  if (isUrl(module)) return module.href;
  if (typeof module !== 'string') throw invalidArgType('module', 'a URL or an absolute path', module);
  if (/^(file|data):/.test(module)) return module;
  if (!isAbsolute(module)) {
    throw invalidArgValue('module', "an absolute path or a URL: new URL('./module.js', import.meta.url)", module);
  }
  return pathToFileURL(module).href;
}
