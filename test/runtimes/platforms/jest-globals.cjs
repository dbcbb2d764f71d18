'use strict';

/**
 * Runs compiled tests of Jest with Node's own test runner, and Jest's `expect`: Jest itself needs native modules that do
 * not load under wine and qemu. The working folder is the compiled tree.
 *
 *   node jest-globals.cjs FILE...
 */
const { createRequire } = require('node:module');
const { resolve } = require('node:path');
const { after, afterEach, before, beforeEach, describe, it } = require('node:test');
const { format } = require('node:util');

const jest = createRequire(require.resolve('jest/package.json'));
const core = createRequire(jest.resolve('@jest/core'));
const { expect } = createRequire(core.resolve('@jest/expect'))('expect');
const { ModuleMocker } = createRequire(core.resolve('jest-runtime'))('jest-mock');

// The settings of the test rig for musl must not reach programs that tests start.
delete process.env.LD_PRELOAD;
delete process.env.LD_LIBRARY_PATH;

const mocker = new ModuleMocker(globalThis);

/** Titles of tests that a system cannot pass, with the reasons. A title of a group stands for all in it. */
const exceptions = require('./exceptions.json')[process.platform] ?? {};
/** The titles of the groups around a test, from its file on. */
const groups = [];

/** Jest's `(title, body, milliseconds)`, with `each`, `skip` and `todo`, by a function of node:test. */
function likeJest(run) {
  const one = (title, body, timeout) => {
    if (exceptions[groups[0]]?.some(([start]) => [...groups.slice(1), title].join(' ').startsWith(start))) {
      run.skip(title, () => undefined);
      return;
    }
    run(title, timeout === undefined ? {} : { timeout }, () => {
      // Bodies of groups run at once, those of tests later.
      if (run !== describe) return body();
      groups.push(title);
      try {
        body();
      } finally {
        groups.pop();
      }
    });
  };
  one.each = (table) => (title, body, timeout) => {
    table.forEach((row, index) => {
      const values = Array.isArray(row) ? row : [row];
      one(titleOf(title, values, index), () => body(...values), timeout);
    });
  };
  one.skip = (title) => run.skip(title, () => undefined);
  one.skip.each = () => one.skip;
  one.todo = (title) => run.todo(title);
  one.only = one;
  return one;
}

/** Fills in `%s` and the like; `$name` stands for a property of a row. */
function titleOf(title, values, index) {
  const named = title.replaceAll('%#', String(index)).replaceAll(/\$(\w+)/g, (all, key) => values[0]?.[key] ?? all);
  const places = named.match(/%[sdifjop]/g)?.length ?? 0;
  return format(named, ...values.slice(0, places));
}

const test = likeJest(it);
Object.assign(globalThis, {
  describe: likeJest(describe),
  test,
  it: test,
  expect,
  beforeAll: (body) => before(() => body()),
  afterAll: (body) => after(() => body()),
  beforeEach: (body) => beforeEach(() => body()),
  afterEach: (body) => afterEach(() => body()),
  jest: {
    fn: (body) => mocker.fn(body),
    spyOn: (...of) => mocker.spyOn(...of),
    restoreAllMocks: () => mocker.restoreAllMocks(),
    requireActual: (name) => require(name),
    setTimeout: () => undefined,
  },
});

for (const file of process.argv.slice(2)) {
  globalThis.describe(file, () => require(resolve(file)));
}
