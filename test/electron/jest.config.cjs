'use strict';

/**
 * `npm run test:electron`: the package in a real Electron. test/electron/run.sh finds the runtime.
 *
 * @type {import('jest').Config}
 */
module.exports = {
  ...require('../../jest.config.cjs'),
  rootDir: '../..',
  roots: ['<rootDir>/test/electron'],
  testPathIgnorePatterns: ['/node_modules/'],
  // Each of them runs an Electron of its own.
  maxWorkers: 2,
  testTimeout: 60_000,
};
