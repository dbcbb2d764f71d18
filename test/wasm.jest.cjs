'use strict';

const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const file = join(__dirname, '..', 'prebuilds', 'wasm32', 'tfrecord.wasm');
if (!existsSync(file)) throw new Error(`no ${file}: npm run build:prebuilds wasm32`);
// Tests and the processes that they start load it instead of the addon.
process.env['TFRECORD_NATIVE_BINDING'] = file;

/** Lines: a test file, the full name of a test in it, ` | ` and the reason why it does not hold without the addon. */
const skips = readFileSync(join(__dirname, 'wasm-skips.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => /^\S+ (?<name>.*) \| /.exec(line).groups.name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));

/**
 * The tests of records, Examples and writing, on WebAssembly (`npm run test:wasm`), but for those of wasm-skips.txt.
 *
 * @type {import('jest').Config}
 */
module.exports = {
  ...require('../jest.config.cjs'),
  testMatch: [
    ...['native', 'io', 'record', 'example', 'table'].map((room) => `<rootDir>/test/unit/${room}/**/!(*.slow).test.ts`),
    '<rootDir>/test/unit/table/table.slow.test.ts',
    '<rootDir>/test/damage/skipping.test.ts',
  ],
  testNamePattern: `^(?!(?:${skips.join('|')})$)`,
};
