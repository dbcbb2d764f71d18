import { checkInteger, checkOptions, invalidArgType, invalidArgValue, outOfRange } from '../../base';

/** A part of a job. */
export interface Part {
  /** Number of the part, from 0 to `count` − 1. */
  readonly index: number;
  /** Number of parts. */
  readonly count: number;
}

/** Maximum number of parts of a job. */
export const MAX_PARTS = 99_999;

type Environment = Readonly<Record<string, string | undefined>>;

/** Parses the option `shard`: `'i/N'`, `{ index, count }`, or `'auto'`, which reads `env`. */
export function partOf(shard: unknown, env: Environment = process.env): Part | undefined {
  const name = 'options.shard';
  if (shard === undefined) return undefined;
  if (shard === 'auto') return partOfEnvironment(env);
  if (typeof shard === 'string') {
    const [, index, count] = /^(\d+)\/(\d+)$/.exec(shard) ?? [];
    if (index === undefined) throw invalidArgValue(name, "'i/N', such as '0/5', or 'auto'", shard);
    return checkPart(name, Number(index), Number(count));
  }
  if (typeof shard !== 'object' || shard === null) {
    throw invalidArgType(name, "'i/N', 'auto' or { index, count }", shard);
  }
  const { index, count } = checkOptions(shard as Partial<Part>, ['index', 'count'], 'shard');
  return checkPart(name, index, count);
}

function checkPart(name: string, index: unknown, count: unknown): Part {
  const checked = checkInteger(`${name}: the number of parts`, count, 1, MAX_PARTS, undefined);
  if (checked === undefined) throw invalidArgType(`${name}.count`, 'a number', count);
  const at = checkInteger(`${name}: the number of this part`, index, 0, checked - 1, undefined);
  if (at === undefined) throw invalidArgType(`${name}.index`, 'a number', index);
  return { index: at, count: checked };
}

/** The variables in which a scheduler passes the number of a task, and the number of tasks. */
interface Scheduler {
  readonly name: string;
  readonly index: string;
  readonly count: string;
  /** The variable with the number of the first task. Default: it is 0. */
  readonly first?: string;
}

const SCHEDULERS: readonly Scheduler[] = [
  { name: 'Kubernetes', index: 'JOB_COMPLETION_INDEX', count: 'TFRECORD_SHARDS' },
  { name: 'AWS Batch', index: 'AWS_BATCH_JOB_ARRAY_INDEX', count: 'AWS_BATCH_JOB_ARRAY_SIZE' },
  { name: 'Cloud Run', index: 'CLOUD_RUN_TASK_INDEX', count: 'CLOUD_RUN_TASK_COUNT' },
  { name: 'Slurm', index: 'SLURM_ARRAY_TASK_ID', count: 'SLURM_ARRAY_TASK_COUNT', first: 'SLURM_ARRAY_TASK_MIN' },
];

function partOfEnvironment(env: Environment): Part {
  const scheduler = SCHEDULERS.find(({ index }) => env[index] !== undefined);
  if (scheduler === undefined) {
    const names = SCHEDULERS.map(({ index }) => index).join(', ');
    throw invalidArgValue('options.shard', `'i/N' here, because none of ${names} is set`, 'auto');
  }
  const { name, index, count, first } = scheduler;
  const read = (variable: string): number => {
    const text = env[variable];
    if (text === undefined) {
      throw invalidArgValue(
        'options.shard',
        `'i/N' here, because ${variable} is not set (${name} sets ${index})`,
        'auto',
      );
    }
    if (!/^\d{1,15}$/.test(text)) throw outOfRange(`the variable ${variable}`, 'a number', text);
    return Number(text);
  };
  return checkPart(
    `options.shard (${index}, ${count})`,
    read(index) - (first === undefined ? 0 : read(first)),
    read(count),
  );
}

/** The elements of `list` for `part`. They are consecutive, so all parts in order have the whole list in order. */
export function partOfList<T>(list: readonly T[], part: Part): readonly T[] {
  return list.slice(...boundsOfPart(list.length, part));
}

/** The number of outputs of a part, of `shards` in all. */
export function shardsOf(shards: number, part: Part): number {
  const [begin, end] = boundsOfPart(shards, part);
  return Math.max(end - begin, 1);
}

/** The bounds of `part` in a list of `length` elements. */
export function boundsOfPart(length: number, { index, count }: Part): [begin: number, end: number] {
  return [Math.floor((length * index) / count), Math.floor((length * (index + 1)) / count)];
}
