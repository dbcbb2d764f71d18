import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../running/compiled-sources';

/**
 * TFRecord files of public projects, in the folder `real` of the folder that TFRECORD_REAL_DATA names, else of
 * ../shared/data beside the repository. They are never part of the repository.
 */
export const REAL_FILES = join(process.env['TFRECORD_REAL_DATA'] ?? join(ROOT, '..', 'shared', 'data'), 'real');

/** The title of the `test.todo` that replaces tests of real files if there are none. */
export const NO_REAL_FILES = 'real files: no real/facts.json in TFRECORD_REAL_DATA or ../shared/data: skipped';

const LIST = join(REAL_FILES, 'facts.json');

/** The known facts about each file, as parsed JSON; empty if the files are not there. */
export const REAL_FACTS: unknown = existsSync(LIST) ? JSON.parse(readFileSync(LIST, 'utf8')) : [];

/** Data sets with the descriptions that their own tools made, in the folder `sets` beside {@link REAL_FILES}. */
export const REAL_SETS = join(REAL_FILES, '..', 'sets');

/** The title of the `test.todo` that replaces tests of these sets if there are none. */
export const NO_REAL_SETS = 'data sets: no folder sets in TFRECORD_REAL_DATA or ../shared/data: skipped';
