'use strict';

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  // A busy machine is no failure: what must not hang has limits of its own.
  testTimeout: 120_000,
  testMatch: ['**/*.test.ts'],
  // Threads run JavaScript: what they load is compiled.
  moduleNameMapper: { '/thread-entry$': '<rootDir>/test/support/thread-entry.ts' },
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/interop/'],
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
