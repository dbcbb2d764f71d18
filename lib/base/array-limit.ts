/** The largest ArrayBuffer, which is smaller in Electron than in Node. */
import { constants } from 'node:buffer';

/**
 * Electron allocates ArrayBuffers in V8's memory cage by Chromium's allocator, whose largest piece is 2 GiB less a page
 * of 2 MiB. Measured in Electron 25.1.1 (main and utility processes, pages, processes that run as Node); other versions
 * have the same allocator.
 */
const ELECTRON_BYTES = 2 ** 31 - 2 ** 21;

const inElectron = 'electron' in process.versions;

/** Size of the largest ArrayBuffer, in bytes. */
export const LARGEST_ARRAY = inElectron ? ELECTRON_BYTES : constants.MAX_LENGTH;

/** The reason, for a message, why `bytes` do not fit into one array of Electron; undefined if that is not the reason. */
export function electronLimit(bytes: number): string | undefined {
  if (!inElectron || bytes <= LARGEST_ARRAY) return undefined;
  return `Electron allows at most ${LARGEST_ARRAY} bytes (2 GiB - 2 MiB) in one ArrayBuffer`;
}
