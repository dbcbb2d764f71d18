'use strict';

const base = require('../../jest.config.cjs');

/** @type {import('jest').Config} */
module.exports = {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/interop'],
  testPathIgnorePatterns: ['/node_modules/'],
  // One TensorFlow a test file: two at a time at most.
  maxWorkers: 2,
  testTimeout: 600_000,
};
