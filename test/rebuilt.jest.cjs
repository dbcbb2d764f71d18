'use strict';

/** Slow tests of memory, threads and damage. Other slow tests check times or exits, or run little native code. */
const SLOW = [
  'damage/member-bytes',
  'damage/stream-offsets',
  'lifecycle/abort',
  'lifecycle/changing-memory',
  'lifecycle/closed-memory',
  'lifecycle/decode',
  'lifecycle/descriptors',
  'lifecycle/examples',
  'lifecycle/long-record',
  'lifecycle/memory-ownership',
  'lifecycle/pipes',
  'lifecycle/transient-background',
  'lifecycle/transient-memory',
  'lifecycle/workers',
  'stress/concurrency',
  'unit/example/read/parse-reading-joined',
  'unit/example/read/parse-reading-skew',
  'unit/example/read/parse-reading-transient',
  'unit/record/source/stdin',
];

/**
 * Tests for other builds of the addon, with a sanitizer or without the optional libraries: those of `npm test`, and the slow
 * tests listed here.
 *
 * @type {import('jest').Config}
 */
module.exports = {
  ...require('../jest.config.cjs'),
  testMatch: ['**/!(*.slow).test.ts', ...SLOW.map((name) => `**/${name}.slow.test.ts`)],
};
