/**
 * The parts of `node:crypto`, `node:fs`, `node:fs/promises`, `node:net`, `node:os`, `node:path` and `node:url` that the rooms use, for
 * a page, which has no files: calls that would open one throw.
 */

/** Throws the error of a system that lacks a call. */
export function noFiles(): never {
  throw Object.assign(new Error('ENOSYS'), { code: 'ENOSYS', errno: -38, syscall: 'open' });
}

export const randomBytes = (size: number): Uint8Array => crypto.getRandomValues(new Uint8Array(size));

/** Constants of `node:fs` and `node:os`. */
export const constants = {
  O_RDONLY: 0,
  O_RDWR: 2,
  O_CREAT: 64,
  O_EXCL: 128,
  O_NONBLOCK: 0,
  W_OK: 2,
  errno: { EIO: 5, ENOMEM: 12, ENFILE: 23, EMFILE: 24, ENOSYS: 38, ENOTSUP: 95, ECANCELED: 125 },
};

export const existsSync = (): boolean => false;
export const statSync = noFiles;
export const lstatSync = noFiles;
export const fstatSync = noFiles;
export const readdirSync = noFiles;
export const openSync = noFiles;
export const readSync = noFiles;
export const readFileSync = noFiles;
export const rmSync = noFiles;
export const closeSync = noFiles;
export const createReadStream = noFiles;
export const close = noFiles;
export const read = noFiles;
export const write = noFiles;
export const fstat = noFiles;
export const fsync = noFiles;
export const ftruncate = noFiles;

const rejects = async (): Promise<never> => noFiles();

export const access = rejects;
export const stat = rejects;
export const link = rejects;
export const lstat = rejects;
export const mkdir = rejects;
export const open = rejects;
export const readdir = rejects;
export const readFile = rejects;
export const realpath = rejects;
export const rename = rejects;
export const rm = rejects;
export const rmdir = rejects;
export const unlink = rejects;
export const writeFile = rejects;

/** Devices are read through a socket in Node. */
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- `new` must fail
export class Socket {
  constructor() {
    throw new Error('Pages have no devices');
  }
}

/** WebAssembly has one thread here. */
export const availableParallelism = (): number => 1;

// Paths occur in messages only.
export const sep = '/';
export const isAbsolute = (path: string): boolean => path.startsWith('/');
export const join = (...parts: string[]): string => parts.filter((part) => part !== '').join('/');
export const resolve = (...parts: string[]): string => join(...parts);
export const basename = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const dirname = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export function fileURLToPath(url: URL | string): string {
  return decodeURIComponent(new URL(url).pathname);
}
