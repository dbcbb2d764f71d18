/**
 * The job array of docs/clusters.md on a real Slurm: a task that is killed is requeued and resumes, and the merged parts have the
 * records of one run. The same array describes the set.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { encodeExample, int64, readRecords, writeRecords } from '../../lib';
import { DatasetFeatureStatisticsList } from '../../lib/schema';
import { ROOT } from '../support/running/compiled-sources';
import { describeWith } from '../support/servers/servers';
import { Slurm } from '../support/servers/slurm';

const FILES = 12;
const RECORDS = 20_000;
const TASKS = 3;

const page = readFileSync(join(ROOT, 'docs', 'clusters.md'), 'utf8');
/** The script, and the commands that submit it and the job that merges. */
const [, script, submit, merge] =
  /^## Slurm\n.*?```sh\n(.*?)```.*?\n\$ array=\$\(sbatch (.*?)\)\n\$ sbatch (.*?)\n/ms.exec(page)!;

describeWith('slurm')('a job array of Slurm', () => {
  let slurm: Slurm;
  let scratch: string;
  const at = (...names: readonly string[]): string => join(scratch, ...names);
  const cli = join(ROOT, 'dist', 'cli', 'main.js');

  beforeAll(async () => {
    slurm = await Slurm.start();
    scratch = join(slurm.folder, 'scratch');
    for (const name of ['data', 'out', 'bin']) mkdirSync(at(name), { recursive: true });
    for (let file = 0; file < FILES; file++) {
      const ids = Array.from({ length: RECORDS }, (_, i) => file * RECORDS + i);
      await writeRecords(
        at('data', `train-${String(file).padStart(2, '0')}.gz`),
        ids.map((id) => encodeExample({ id: int64(id) })),
      );
    }
  });
  afterAll(() => slurm?.stop());

  /** Makes the command `tfrecord` of the jobs: `before`, lines of the shell, and the command of dist. */
  const provide = (before = ''): void => {
    writeFileSync(at('bin', 'tfrecord'), `#!/bin/sh\n${before}exec '${process.execPath}' '${cli}' "$@"\n`);
    chmodSync(at('bin', 'tfrecord'), 0o755);
  };

  /** Submits the array and the merging job of the documents, as `edit` changes them. Resolves with what Slurm says of the tasks. */
  const submitted = async (edit: (text: string) => string): Promise<string[]> => {
    const ours = (text: string): string =>
      edit(text.replaceAll('/scratch', scratch).replace('0-63%16', `0-${TASKS - 1}`));
    writeFileSync(join(slurm.folder, 'convert-train.sh'), ours(script!));
    const array = await slurm.run('sbatch', words(submit!), at('bin'));
    const last = words(ours(merge!).replace('$array', array));
    const merging = await slurm.run('sbatch', ['--parsable', ...last], at('bin'));
    const left = (): Promise<string> => slurm.run('squeue', ['--noheader']);
    while ((await left()) !== '') await new Promise((resolve) => setTimeout(resolve, 300));
    const ids = [...Array.from({ length: TASKS }, (_, task) => `${array}_${task}`), merging];
    const found = await Promise.all(ids.map((id) => slurm.run('scontrol', ['show', 'job', id])));
    for (const job of found) expect(job).toMatch(/JobState=COMPLETED /);
    return found;
  };

  test('converts the parts, also after one was killed, and merges them', async () => {
    const part = at('out', `train.tfrecord.gz.part-1-of-${TASKS}`);
    // Task 1 is killed once, as soon as it has finished a file.
    provide(`if [ "$SLURM_ARRAY_TASK_ID" = 1 ] && [ ! -e '${at('killed')}' ]; then
  '${process.execPath}' '${cli}' "$@" &
  until ls '${part}'/*.gz; do sleep 0.01; done >/dev/null 2>&1
  kill -KILL $!
  ls '${part}' >'${at('killed')}'
  wait $!
  exit
fi
`);
    const jobs = await submitted((text) => text.replace('--resume', `--shards ${FILES} --resume`));
    expect(jobs.map((job) => / Restarts=(\d+) /.exec(job)?.[1])).toEqual(['0', '1', '0', '0']);
    // It was killed in the middle: some files were finished, and not all.
    const finished = readFileSync(at('killed'), 'utf8').match(/^train.*\.gz$/gm) ?? [];
    expect([finished.length > 0, finished.length < FILES / TASKS]).toEqual([true, true]);

    const files = Array.from(
      { length: FILES },
      (_, i) => `train-${String(i).padStart(5, '0')}-of-000${FILES}.tfrecord.gz`,
    );
    expect(readdirSync(at('out')).sort()).toEqual([...files, 'train.tfrecord.gz.manifest.json']);
    let id = 0;
    for await (const record of readRecords(files.map((name) => at('out', name)))) {
      if (!Buffer.from(encodeExample({ id: int64(id) })).equals(record)) throw new Error(`record ${id} is another`);
      id++;
    }
    expect(id).toBe(FILES * RECORDS);
  });

  test('describes the set in parts', async () => {
    provide();
    const output = at('out', 'train.pb');
    await submitted((text) =>
      text
        .replace(/tfrecord convert ('\S+') \S+/, `tfrecord stats $1 -o ${output}`)
        .replace(/train\.tfrecord\.gz/, 'train.pb'),
    );
    expect(readdirSync(at('out')).filter((name) => name.startsWith('train.pb'))).toEqual(['train.pb']);
    const [set] = DatasetFeatureStatisticsList.decode(readFileSync(output)).datasets;
    const { min, max, mean } = set!.features[0]!.numStats!;
    expect(set!.numExamples).toBe(BigInt(FILES * RECORDS));
    expect([min, max, mean]).toEqual([0, FILES * RECORDS - 1, (FILES * RECORDS - 1) / 2]);
  });
});

/** Splits a command of the documents into its words. */
function words(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
}
