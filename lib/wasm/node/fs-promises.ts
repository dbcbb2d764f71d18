/** What the rooms use of `node:fs/promises`, for a page, which has no files. */
import { noFiles } from './fs';

const rejects = async (): Promise<never> => noFiles();

export const stat = rejects;
export const link = rejects;
export const lstat = rejects;
export const open = rejects;
export const readdir = rejects;
export const realpath = rejects;
export const rename = rejects;
export const rm = rejects;
export const unlink = rejects;
