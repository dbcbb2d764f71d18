/**
 * The part of `node:zlib` that the rooms use, for a page. It is a file of its own, because the rooms load it when it is
 * needed.
 */
import { noFiles } from './system';

/** Called only for files in folders, which a page does not have. */
export const gunzipSync = noFiles;
export const inflateSync = noFiles;
/** Called only for an index that is written to a file. */
export const deflate = noFiles;
/** Called only for an index in a file. */
export const inflate = noFiles;
export const constants = { Z_SYNC_FLUSH: 2 };
