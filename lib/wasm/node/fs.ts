/** What the rooms use of `node:fs`, for a page, which has no files: every call fails, and says so. */

/** Throws as a system does that lacks the call. */
export function noFiles(): never {
  throw Object.assign(new Error('ENOSYS'), { code: 'ENOSYS', errno: -38, syscall: 'open' });
}

export const constants = { O_RDONLY: 0, O_NONBLOCK: 0, W_OK: 2 };
export const statSync = noFiles;
export const lstatSync = noFiles;
export const fstatSync = noFiles;
export const readdirSync = noFiles;
export const openSync = noFiles;
export const readSync = noFiles;
export const rmSync = noFiles;
export const closeSync = noFiles;
export const createReadStream = noFiles;
export const close = noFiles;
export const read = noFiles;
