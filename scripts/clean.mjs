/** Removes what builds and checks leave behind; `node_modules` and `.cache` stay. */
import { readdirSync, rmSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const names = ['build', 'coverage', 'dist', 'docs/api', 'prebuilds'];
names.push(...readdirSync(root).filter((name) => name.startsWith('build-')));
for (const name of names) rmSync(new URL(name, root), { recursive: true, force: true });
