import {
  checkBoolean,
  checkChoice,
  checkOptions,
  invalidArgType,
  invalidArgValue,
  isBucketUrl,
  isUrl,
  objectScheme,
  pathOf,
  shownUrl,
  TFRecordError,
} from '../../base';
import { INDEX_SUFFIX } from '../../io';
import { INDEX_OPTION_NAMES, type IndexOptions } from './index-options';
import { indexBesideObject, isIndexMissing } from './index-object';
import { pathOfIndex, type IndexedSource } from './index-source';
import { RecordIndex } from './record-index';

/** Options of {@link openIndexed}. Unknown names throw. */
export interface OpenIndexedOptions extends IndexOptions {
  /**
   * The path or the URL of the index. Default: the path or the URL of the source, followed by `.tfindex`; none for a source
   * without a path, and for an `https:` or `http:` URL with a query.
   */
  readonly indexFile?: string | URL | undefined;
  /**
   * True: saves the index after a scan, and so replaces one that could not be used. An HTTP server stores no index: `indexFile`
   * then names a file. Default: false.
   */
  readonly save?: boolean | undefined;
  /**
   * The answer to a saved index that is damaged, does not fit the file, or lacks what the options ask for. Such an index is
   * never used: `scan` scans the file instead, `throw` throws TFR_STATE_MISMATCH. Default: `scan`.
   */
  readonly onStale?: 'scan' | 'throw' | undefined;
  /**
   * The answer to damage that hides the rest of the file: `throw` throws its error, `stop` opens the records before it. A record whose
   * data is damaged is always an error when it is read. Default: `throw`.
   */
  readonly onError?: 'throw' | 'stop' | undefined;
}

const OWN_NAMES = ['indexFile', 'save', 'onStale', 'onError'] as const;
/** The names of all options. */
export const OPEN_OPTION_NAMES = [
  ...INDEX_OPTION_NAMES,
  ...OWN_NAMES,
] as const satisfies readonly (keyof OpenIndexedOptions)[];

/**
 * Opens `source` to read any of its records: loads the index that was saved beside it as `FILE.tfindex`, or scans it. Resolves
 * when the index is complete. Close it after use, with `close()` or `await using`.
 *
 * @throws TypeError or RangeError for wrong arguments; TFRecordError if the source cannot be read, for damage that hides records
 *   unless `onError` is `stop`, TFR_STATE_MISMATCH if `onStale` is `throw`, Node's code if the index cannot be saved;
 *   `signal.reason` if aborted
 *
 * @example
 * await using index = await openIndexed('train.tfrecord.gz', { save: true });
 * console.log(index.records, await index.at(12_345));
 */
export async function openIndexed(source: IndexedSource, options?: OpenIndexedOptions): Promise<RecordIndex> {
  const given = checkOptions(options, OPEN_OPTION_NAMES);
  const { indexFile, save: saves, onStale: _onStale, onError: _onError, ...indexOptions } = given;
  const save = checkBoolean('options.save', saves, false);
  const onStale = checkChoice('options.onStale', given.onStale, ['scan', 'throw'] as const, 'scan');
  const onError = checkChoice('options.onError', given.onError, ['throw', 'stop'] as const, 'throw');
  const indexPath = indexFile === undefined ? indexBeside(source) : pathOfIndex(indexFile, 'options.indexFile');
  if (save && indexPath === undefined) {
    throw invalidArgType('options.indexFile', 'a path or a URL here, because the source has no path', indexFile);
  }
  if (save && objectScheme(indexPath!) !== undefined && !isBucketUrl(indexPath!)) {
    const expected = 'a path or an s3:, gs: or az: URL, to save the index: HTTP servers are read-only';
    throw invalidArgValue('options.indexFile', expected, shownUrl(indexPath!));
  }
  const loaded =
    indexPath === undefined
      ? undefined
      : await load(indexPath, source, indexOptions, onStale === 'throw' ? rethrow : ignoreStale);
  if (loaded !== undefined) {
    if (!loaded.isCut || onError === 'stop') return loaded;
    // The scan finds the error.
    await loaded.close();
  }
  const index = RecordIndex.scan(source, indexOptions);
  try {
    await index.done;
    indexOptions.signal?.throwIfAborted();
    if (index.cut !== undefined && onError === 'throw') throw index.cut;
    if (save && loaded === undefined) await index.save(indexPath!);
    return index;
  } catch (error) {
    await index.close();
    throw error;
  }
}

/**
 * Loads the index beside `source`. Resolves with undefined if there is none, or none that may be used: `unusable` gets the
 * error that says why. Default: an index that does not fit is ignored.
 * @throws TFRecordError if the source cannot be read, or its index, by default; what `unusable` throws
 */
export async function loadBeside(
  source: IndexedSource,
  options: IndexOptions,
  unusable: (error: TFRecordError) => void = ignoreStale,
): Promise<RecordIndex | undefined> {
  const indexPath = indexBeside(source);
  return indexPath === undefined ? undefined : load(indexPath, source, options, unusable);
}

/** Returns the path, or the URL, of the index beside `source`; undefined if it can have none. */
export function indexBeside(source: IndexedSource): string | undefined {
  if (typeof source !== 'string' && !isUrl(source)) return undefined;
  const url = typeof source === 'string' ? source : source.href;
  return objectScheme(url) === undefined ? `${pathOf(source, 'source')}${INDEX_SUFFIX}` : indexBesideObject(url);
}

/** Loads the index at `indexPath`. Resolves with undefined if the source must be scanned. */
async function load(
  indexPath: string,
  source: IndexedSource,
  options: IndexOptions,
  unusable: (error: TFRecordError) => void,
): Promise<RecordIndex | undefined> {
  try {
    return await RecordIndex.load(indexPath, source, options);
  } catch (error) {
    if (!(error instanceof TFRecordError) || error.file !== shownUrl(indexPath)) throw error;
    if (!isIndexMissing(error, indexPath)) unusable(error);
    return undefined;
  }
}

function ignoreStale(error: TFRecordError): void {
  if (error.code !== 'TFR_STATE_MISMATCH') throw error;
}

function rethrow(error: TFRecordError): never {
  throw error;
}
