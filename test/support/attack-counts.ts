/**
 * How much the attacks on readers try. `npm run test:full` (TFRECORD_FULL=1) tries 200,000 mutants of files, states and
 * manifests, and 5,000 honest resumes.
 */
const FULL = process.env['TFRECORD_FULL'] === '1';

/** Mutants of files, in processes of so many each. */
export const FILE_MUTANTS = FULL ? 180_000 : 12_000;
export const FILE_MUTANTS_EACH = 12_000;

/** Processes that forge states of pipelines: one of each kind, and so many at random, each with so many mutants. */
export const STATE_PROCESSES = FULL ? 12 : 3;
export const RANDOM_PIPELINES = 10;
export const STATE_MUTANTS = 50;

/** Mutants of the manifest of each of two caches. */
export const MANIFEST_MUTANTS = FULL ? 4_000 : 150;

/** Random pipelines, and the places at which each is stopped and resumed. */
export const RESUMED_PIPELINES = FULL ? 270 : 50;
export const RESUMES_EACH = 20;
