/**
 * Removes the output of builds and checks, except `node_modules` and `.cache`; with arguments, these folders.
 *
 *   node scripts/clean.mjs [folder ...]
 */
import { readdirSync, rmSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const given = process.argv.slice(2);
const built = readdirSync(root).filter((name) => name.startsWith('build-'));
const names = given.length > 0 ? given : ['build', 'coverage', 'dist', 'docs/api', 'extensions', 'prebuilds', ...built];
for (const name of names) rmSync(new URL(name, root), { recursive: true, force: true });
