/** The identity of a job, by which `resume` recognises it: the options that change outputs, the inputs, the part. */
import { seedText, seedWords, systemSeed, type Words } from '../../dataset';
import { crc32c } from '../../record';
import type { Inputs } from '../input/inputs';
import type { HuggingFacePlan } from '../hugging-face/options';
import type { ConvertPlan } from '../options';
import type { Job } from './job';
import {
  filesIn,
  manifestInputs,
  type JobIdentity,
  type Manifest,
  type ManifestOptions,
  type ManifestPart,
} from './manifest';
import type { Part } from './parts';

/** The identity of `job`. `seed`: the seed of its shuffle. */
export function identityOf(job: Job, seed: Words | undefined): JobIdentity {
  return { options: optionsOf(job, seed), inputs: manifestInputs(job.inputs.files), part: partOf(job) };
}

/** The seed of the shuffle; undefined if records keep their order. A resumed job takes the seed from its `manifest`. */
export function seedOf({ shuffle, seed, resume }: ConvertPlan, manifest: Manifest | undefined): Words | undefined {
  if (!shuffle) return undefined;
  const before = manifest?.options['seed'];
  if (seed === undefined && resume && typeof before === 'string' && /^\d{1,20}$/.test(before)) {
    return seedWords('seed', BigInt(before));
  }
  return seed ?? systemSeed();
}

function optionsOf({ plan, from, to, source, reading, writing }: Job, seed: Words | undefined): ManifestOptions {
  const { level, shards, maxBytes, split, splitBy, features, where, round, verify } = plan;
  const { exclude, dates, exact, na, delimiter, message, huggingface } = plan;
  return {
    from,
    to,
    compression: writing.compression,
    level: level ?? null,
    shards: shards ?? null,
    maxBytes: maxBytes ?? null,
    split: split ?? null,
    splitBy: splitBy ?? null,
    features: features ?? null,
    ...(where === undefined ? {} : { where }),
    ...(round ? { round } : {}),
    ...(verify === 'all' ? {} : { verify }),
    ...(exact ? { exact } : {}),
    ...Object.fromEntries(Object.entries({ exclude, dates, na, delimiter }).filter(([, value]) => value !== undefined)),
    ...(message === undefined ? {} : { message: message.name }),
    ...(huggingface === undefined ? {} : { huggingface: huggingFaceIdentity(huggingface) }),
    spec: reading.spec?.json ?? null,
    seed: seed === undefined ? null : seedText(seed),
    ...source.identity,
  };
}

function huggingFaceIdentity({ images, audio, classNames }: HuggingFacePlan): ManifestOptions {
  return {
    images: images ?? null,
    audio,
    classNames: classNames === undefined ? null : Object.fromEntries(classNames),
  };
}

function partOf({ plan: { part }, allFiles, inputs }: Job): ManifestPart | undefined {
  return part && manifestPart(part, allFiles, inputs);
}

/** The entry of a manifest for `part`, which has the inputs `own` of `allFiles`. */
export function manifestPart(part: Part, allFiles: Inputs['files'], own: Inputs): ManifestPart {
  const inputs = manifestInputs(allFiles);
  const list = crc32c(Buffer.from(JSON.stringify(inputs)));
  const { begin, end } = own.slice?.bounds ?? {};
  return {
    ...part,
    files: filesIn(inputs),
    list: list.toString(16).padStart(8, '0'),
    ...(begin === undefined ? {} : { begin, end }),
  };
}
