/** What the rooms use of `node:path`, for a page: paths occur in messages only. */
export const sep = '/';
export const isAbsolute = (path: string): boolean => path.startsWith('/');
export const join = (...parts: string[]): string => parts.filter((part) => part !== '').join('/');
export const resolve = (...parts: string[]): string => join(...parts);
export const basename = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const dirname = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
