'use strict';

/** Slow tests of memory, threads and damage. Others judge time or the ends of processes, or run little native code. */
const SLOW = [
  'damage/member-bytes',
  'lifecycle/abort',
  'lifecycle/changing-memory',
  'lifecycle/decode',
  'lifecycle/descriptors',
  'lifecycle/long-record',
  'lifecycle/memory-ownership',
  'lifecycle/pipes',
  'lifecycle/workers',
  'stress/concurrency',
];

/**
 * For an addon built another way, with a sanitizer or without the optional libraries: what `npm test` runs, and the slow
 * tests listed here.
 *
 * @type {import('jest').Config}
 */
module.exports = {
  ...require('../jest.config.cjs'),
  testMatch: ['**/!(*.slow).test.ts', ...SLOW.map((name) => `**/${name}.slow.test.ts`)],
};
