'use strict';

/** Slow tests of memory, threads and damage. Other slow tests check times or exits, or run little native code. */
const SLOW = [
  'damage/damage',
  'damage/full-disk',
  'integration/real-features',
  'damage/member-bytes',
  'damage/stream-offsets',
  'lifecycle/abort',
  'lifecycle/changing-memory',
  'lifecycle/closed-memory',
  'lifecycle/closing',
  'lifecycle/decode',
  'lifecycle/examples',
  'lifecycle/forged-sizes',
  'lifecycle/long-record',
  'lifecycle/memory-ownership',
  'lifecycle/pipes',
  'lifecycle/polluted-prototypes',
  'lifecycle/shown-slabs',
  'lifecycle/transient-background',
  'lifecycle/transient-memory',
  'lifecycle/workers',
  'stress/concurrency',
  'unit/dataset/iterate/slabs-recycled',
  'unit/dataset/iterate/stop',
  'unit/dataset/iterate/transient',
  'unit/dataset/iterate/write-to',
  'unit/dataset/stages/batches-parsed-ahead',
  'unit/example/encode/encode-reuse',
  'unit/table/table',
  'unit/example/read/parse-reading-joined',
  'unit/example/read/parse-reading-skew',
  'unit/example/read/parse-reading-transient',
  'unit/io/files/expansion-abort',
  'unit/example/read/read-sequence-examples',
  'unit/record/read/files-ahead',
  'unit/io/source/stdin',
  'unit/record/streams/record-streams',
  'unit/record/write/append',
  'unit/record/write/write-batch',
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
