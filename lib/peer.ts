/** Optional packages: users install them, and we load them when they are first needed. */
import { TFRecordError } from './errors';

/**
 * Returns what `load` requires. `packages`: the names and versions to install for it; `user` names in the error who
 * needs them. @throws TFRecordError ERR_MODULE_NOT_FOUND, with the command that installs them
 */
export function loadPeer<T>(user: string, packages: Readonly<Record<string, string>>, load: () => T): T {
  try {
    return load();
  } catch (cause) {
    const names = Object.keys(packages);
    if (!names.some((name) => isAbsent(cause, name))) throw cause;
    const [verb, list] = names.length === 1 ? ['is', names[0]!] : ['are', names.join(' and ')];
    const install = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
    throw new TFRecordError(
      'ERR_MODULE_NOT_FOUND',
      `${user} needs ${list}, which ${verb} not installed: npm install ${install.join(' ')}`,
      { cause },
    );
  }
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
