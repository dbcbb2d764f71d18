/** The doors of the package, as `exports` of package.json has them. */
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';

const { name, exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/**
 * Each door but that for pages, which is a bundle of its own (scripts/bundle-page.mjs): the name under which it is
 * imported, and its folder in `lib` and `dist` ('' for the main one).
 */
export const DOORS = Object.entries(exports)
  .filter(([, target]) => typeof target === 'object' && 'require' in target)
  .map(([door, { require: target }]) => ({
    name: posix.join(name, door),
    folder: posix.dirname(posix.relative('dist', target.default)).replace(/^\.$/, ''),
  }));
