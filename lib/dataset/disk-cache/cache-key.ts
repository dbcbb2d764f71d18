import { createHash } from 'node:crypto';

import { objectScheme } from '../../base';
import { lookAtInput } from '../../io';
import type { Json } from '../engine/operator';
import type { Scope } from '../engine/scope';
import type { Stage } from '../engine/stage';
import { describeOrder } from '../iterate/graph';

/** Number of concurrent `stat` calls. */
const BESIDE = 32;

/** Everything comparable that decides the elements of a stage. */
export interface CacheKey {
  /** The stages, with the options that the order depends on. */
  readonly graph: string;
  /** Hash of the functions, as text, and of the specs. */
  readonly code: string;
  /** Hash of the paths, sizes and modification times of the files that are read. */
  readonly files: string;
}

/** Returns the key of `stage`. Rejects with the error of listing its files. */
export async function cacheKey(stage: Stage, scope: Scope): Promise<CacheKey> {
  const stages = stagesOf(stage);
  const contents = stages.map(({ contents: own }) => own).filter((own) => own !== null);
  const paths: string[] = [];
  for (const one of stages) paths.push(...((await one.listFiles(scope)) ?? []));
  const stamps: Json[] = [];
  for (let i = 0; i < paths.length; i += BESIDE) {
    stamps.push(...(await Promise.all(paths.slice(i, i + BESIDE).map((path) => stampOf(path, scope.folder)))));
  }
  return { graph: describeOrder(stage), code: hash(contents), files: hash(stamps) };
}

/** Returns the stages of the chain and of the datasets in it; datasets that functions return are not included. */
function stagesOf(last: Stage): Stage[] {
  const stages: Stage[] = [];
  for (let stage: Stage | undefined = last; stage !== undefined; stage = stage.input) {
    stages.push(stage, ...stage.parts.flatMap(stagesOf));
  }
  return stages;
}

async function stampOf(path: string, folder: string | undefined): Promise<Json> {
  // The key of a file must not change: caches have it. For an object nothing but a look says what it is.
  if (objectScheme(path) !== undefined) return [path, (await lookAtInput(path, folder))?.key ?? null];
  const found = await lookAtInput(path, folder).catch(() => undefined);
  return found === undefined ? [path] : [path, found.size, found.mtimeMs];
}

function hash(value: Json): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
}
