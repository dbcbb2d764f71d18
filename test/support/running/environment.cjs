'use strict';

const { AsyncLocalStorage } = require('node:async_hooks');
const { TestEnvironment } = require('jest-environment-node');

/** The storages that ran since the test file began: jest-circus makes one for each file, and leaves it on. */
const used = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...args) {
  used.add(this);
  return run.apply(this, args);
};

/**
 * Jest's environment of Node, which switches off the asynchronous storage of a test file behind it. Before Node 24, every
 * storage that is on delays every promise: behind 20 files, promises take 40 times as long.
 */
module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    // Loads packages that need `import()`, which Jest's own `require` lacks.
    this.global.requireByNode = require;
  }

  async teardown() {
    await super.teardown();
    for (const storage of used) storage.disable();
    used.clear();
  }
};
