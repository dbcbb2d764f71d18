/** Optional packages: users install them, and we load them when they are first needed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { tfrecordError } from './errors';
import { advice, worded, type Text } from './message';

/**
 * Returns what `load` requires. `packages`: the names and versions to install for it; `user` names in the error who
 * needs them. @throws TFRecordError ERR_MODULE_NOT_FOUND, with the command that installs them
 */
export function loadPeer<T>(user: Text, packages: Readonly<Record<string, string>>, load: () => T): T {
  try {
    return load();
  } catch (cause) {
    throw peerError(cause, user, packages);
  }
}

/**
 * Returns the error of `loadPeer` if `cause` says that one of `packages` is missing; else `cause`. For code that every program
 * loads: bundlers accept a missing package only where `require` itself stands in a `try`.
 */
export function peerError(cause: unknown, user: Text, packages: Readonly<Record<string, string>>): unknown {
  const names = Object.keys(packages);
  if (!names.some((name) => isAbsent(cause, name))) return cause;
  const [verb, list] = names.length === 1 ? ['is', names[0]!] : ['are', names.join(' and ')];
  const install = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  return tfrecordError(
    'ERR_MODULE_NOT_FOUND',
    worded`${user} needs ${list}, which ${verb} not installed${advice`: ${installCommand(install)}`}`,
    { cause },
  );
}

/**
 * Returns the command that installs `packages` where this package finds them: in the project, among the global packages, or
 * for one call of npx. `folder`: in which this code lies.
 */
export function installCommand(packages: readonly string[], folder = ownFolder()): string {
  const [, parent] = /^(.*)[\\/]node_modules[\\/]tfrecord-native(?:[\\/]|$)/.exec(folder) ?? [];
  if (parent !== undefined && /[\\/]_npx[\\/]/.test(parent)) {
    return ['npx -p tfrecord-native', ...packages.map((name) => `-p ${name}`), 'tfrecord …'].join(' ');
  }
  // PREFIX/lib/node_modules, and AppData\npm\node_modules on Windows.
  const isGlobal =
    parent !== undefined && /[\\/](?:lib|npm)$/.test(parent) && !existsSync(join(parent, 'package.json'));
  return `npm install ${isGlobal ? '-g ' : ''}${packages.join(' ')}`;
}

/** Bundles of others may lack `__dirname`. */
function ownFolder(): string {
  return typeof __dirname === 'string' ? __dirname : '';
}

/** The versions of an optional package. npm must never refuse to install ours beside another one, so peers are `*`. */
export interface PeerVersions {
  readonly name: string;
  /** The version, or range, that errors say to install. */
  readonly install: string;
  /** The lowest that works. */
  readonly lowest: string;
  /** The lowest and the newest that tests run. */
  readonly tried: readonly [string, string];
}

/**
 * Refuses version `found` of a package if its major and minor number are lower than those of `lowest`, or if it does not
 * have what is needed: `has`. @throws TFRecordError ERR_MODULE_NOT_FOUND, with the versions that were tried
 */
export function checkPeer(
  user: Text,
  { name, install, lowest, tried }: PeerVersions,
  found: string | undefined,
  has = true,
): void {
  if (has && (found === undefined || isAtLeast(found, lowest))) return;
  const other = found === undefined ? '' : `, found ${found}`;
  throw tfrecordError(
    'ERR_MODULE_NOT_FOUND',
    worded`${user} needs ${name} ${lowest} or newer${other} (tried: ${tried.join(' to ')})${advice`: ${installCommand([`${name}@${install}`])}`}`,
    {},
  );
}

function isAtLeast(version: string, lowest: string): boolean {
  const [[major, minor], [leastMajor, leastMinor]] = [numbers(version), numbers(lowest)];
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

function numbers(version: string): [major: number, minor: number] {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  return [Number(major ?? 0), Number(minor ?? 0)];
}

/**
 * True if `error` says that the package `name` itself is missing, not one of its own dependencies. The errors of Yarn's
 * Plug'n'Play have words of their own, and name the package in `data`.
 */
function isAbsent(error: unknown, name: string): boolean {
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: { dependencyName?: unknown } };
  if (code !== 'MODULE_NOT_FOUND') return false;
  return data?.dependencyName === name || String(message).split('\n')[0]?.includes(`'${name}'`) === true;
}
