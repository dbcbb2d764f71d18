/**
 * Packs an app as an asar archive.
 *
 *   node pack.mjs APP ARCHIVE unpacked|packed
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { keptPackages } from '../../runtimes/registry.mjs';

const [, , app, archive, kind] = process.argv;
const page = readFileSync(new URL('../../../docs/electron.md', import.meta.url), 'utf8');
const asar = createRequire(import.meta.url)(join(keptPackages('asar', ['@electron/asar@3.4.1']), '@electron', 'asar'));
const [, unpack] = /"asarUnpack": \["([^"]+)"\]/.exec(page);
await asar.createPackageWithOptions(app, archive, kind === 'unpacked' ? { unpack } : {});
