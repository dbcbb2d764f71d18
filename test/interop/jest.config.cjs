'use strict';

const base = require('../../jest.config.cjs');

/** @type {import('jest').Config} */
module.exports = {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/interop'],
  testPathIgnorePatterns: ['/node_modules/'],
  // Each test file runs a TensorFlow of its own, so at most two run at a time.
  maxWorkers: 2,
  testTimeout: 600_000,
};
