#!/usr/bin/env node
/**
 * Starts the command with a compile cache, which Node.js 22.1 and newer have: compiling is a quarter of a short run. The
 * code of this file is compiled before there is a cache, so it has nothing else.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

declare const require: (name: './process') => typeof import('./process');

/** Absent before Node.js 22.1. */
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: (folder: string) => unknown };

/** The folder of the cache. The caches of the user, unlike temporary files, are no place where others could leave code. */
function cacheFolder({ platform, env }: NodeJS.Process): string {
  const xdg = env['XDG_CACHE_HOME'] ?? '';
  const parents: Partial<Record<NodeJS.Platform, string | undefined>> = {
    darwin: join(homedir(), 'Library', 'Caches'),
    win32: env['LOCALAPPDATA'],
  };
  return join(parents[platform] ?? (isAbsolute(xdg) ? xdg : join(homedir(), '.cache')), 'tfrecord-native');
}

/** Makes the folder, and the folder that it is in. Node.js would try for ever to make all folders of a path in /proc. */
function make(folder: string): void {
  for (const path of [dirname(folder), folder]) {
    if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
  }
}

/** True if only the user can write to `folder`. With sudo it may be that of another user, who could leave code there. */
function isOwn(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return process.geteuid === undefined || (uid === process.geteuid() && (mode & 0o022) === 0);
}

// Node.js itself has taken the folder that NODE_COMPILE_CACHE names.
if (enableCompileCache !== undefined && process.env['NODE_COMPILE_CACHE'] === undefined) {
  try {
    const folder = cacheFolder(process);
    make(folder);
    if (isOwn(folder)) enableCompileCache(folder);
  } catch {
    // A user without a home, or whose home cannot be written to, has no cache.
  }
}
require('./process');
