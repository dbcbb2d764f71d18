'use strict';

/**
 * All tests, except those against TensorFlow and in Electron. The tiers extend this configuration: test/fast.jest.cjs (`npm test`),
 * test/slow.jest.cjs (`npm run test:slow`), test/rebuilt.jest.cjs (other builds of the addon).
 *
 * @type {import('jest').Config}
 */
module.exports = {
  testEnvironment: '<rootDir>/test/support/running/environment.cjs',
  rootDir: __dirname,
  roots: ['<rootDir>/test'],
  // By default, Jest would leave one of two cores idle.
  maxWorkers: '100%',
  // Long, because a busy machine must not fail tests. Tests of hangs have limits of their own.
  testTimeout: 120_000,
  testMatch: ['**/*.test.ts'],
  // Worker threads cannot load TypeScript, so they load compiled sources.
  moduleNameMapper: { '/thread-entry$': '<rootDir>/test/support/running/thread-entry.ts' },
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/electron/', '<rootDir>/test/interop/'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'commonjs' },
      },
    ],
  },
};
