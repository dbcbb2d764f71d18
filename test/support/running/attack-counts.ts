/**
 * The sizes of the attacks on readers. `npm run test:full` (TFRECORD_FULL=1) tries 200,000 mutants of files, states and
 * manifests, and 5,000 valid resumes.
 */
const FULL = process.env['TFRECORD_FULL'] === '1';

/** Number of mutants of files, and how many each process tries. */
export const FILE_MUTANTS = FULL ? 180_000 : 12_000;
export const FILE_MUTANTS_EACH = 12_000;

/** Number of processes that forge states of random pipelines, besides one for each kind, and mutants in each. */
export const STATE_PROCESSES = FULL ? 12 : 3;
export const RANDOM_PIPELINES = 10;
export const STATE_MUTANTS = 50;

/** Number of mutants of the manifest of each of two caches. */
export const MANIFEST_MUTANTS = FULL ? 4_000 : 150;

/** Number of random pipelines, and of positions at which each is stopped and resumed. */
export const RESUMED_PIPELINES = FULL ? 270 : 50;
export const RESUMES_EACH = 20;
