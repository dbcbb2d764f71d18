/** The part of `node:zlib` that the rooms use, for a page. It is a file of its own, because it is loaded late. */
import { noFiles } from './system';

/** Only files in folders are inflated so. */
export const gunzipSync = noFiles;
export const inflateSync = noFiles;
export const constants = { Z_SYNC_FLUSH: 2 };
