/* eslint-disable @typescript-eslint/no-require-imports -- an optional package, loaded when it is first needed */
/**
 * Reads objects of HTTP servers through a dispatcher of `undici` of your own, which sets the size of the pool, a proxy, or
 * certificates. Without this door, `https:` and `http:` URLs go through Node's `fetch`.
 *
 * @packageDocumentation
 */
import { checkObjectUrl, invalidArgType, isObject, peerError } from '../../base';
import { byDispatcher, HttpStore, objectSource, setStore, type HttpDispatcherLike, type RecordSource } from '../../io';

export type { HttpDispatcherLike };

/** Versions from 8 on need Node 22.19. */
const [MAJOR = 0, MINOR = 0] = process.versions.node.split('.').map(Number);
const INSTALL = MAJOR > 22 || (MAJOR === 22 && MINOR >= 19) ? '^8.0.0' : '^7.30.0';

/**
 * Makes `dispatcher` the one for all `https:` and `http:` URLs that this thread opens from now on. Default: a new `Agent` of
 * `undici`, which is faster than `fetch`, and closes unused connections.
 *
 * @throws TFRecordError ERR_MODULE_NOT_FOUND without `dispatcher` and `undici`; TypeError ERR_INVALID_ARG_TYPE if `dispatcher`
 *   has no `request()`
 *
 * @example
 * useHttpDispatcher(agent);
 * for await (const record of readRecords('https://example.org/train.tfrecord')) console.log(record.length);
 */
export function useHttpDispatcher(dispatcher: HttpDispatcherLike = newAgent()): void {
  const store = storeOver(dispatcher);
  setStore('https', store);
  setStore('http', store);
}

/**
 * Returns a source for readers and datasets: the object at `url`, an `https:` or `http:` URL, requested through `dispatcher`. Any
 * range of it can be read, if its server supports ranges.
 *
 * @throws TypeError ERR_INVALID_ARG_VALUE for any other URL, ERR_INVALID_ARG_TYPE if `dispatcher` has no `request()`
 *
 * @example
 * for await (const record of readRecords(httpSource(agent, 'https://example.org/train.tfrecord'))) console.log(record.length);
 */
export function httpSource(dispatcher: HttpDispatcherLike, url: string): RecordSource {
  return objectSource(checkObjectUrl('url', url, 'https', 'http'), storeOver(dispatcher));
}

function storeOver(dispatcher: HttpDispatcherLike): HttpStore {
  const given: unknown = dispatcher;
  if (isObject(given) && typeof given['request'] === 'function') return new HttpStore(byDispatcher(dispatcher));
  throw invalidArgType('dispatcher', 'a dispatcher of undici', given);
}

/** @throws TFRecordError ERR_MODULE_NOT_FOUND, with the command that installs it */
function newAgent(): HttpDispatcherLike {
  try {
    const { Agent } = require('undici');
    return new Agent();
  } catch (cause) {
    throw peerError(cause, 'tfrecord-native/http', { undici: INSTALL });
  }
}
