/**
 * The job array of docs/clusters.md on a real Slurm: a task that is killed is requeued and resumes, and the merged parts have the
 * records of one run.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { encodeExample, int64, readRecords, writeRecords } from '../../lib';
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
  beforeAll(async () => {
    slurm = await Slurm.start();
  });
  afterAll(() => slurm?.stop());

  test('converts the parts, also after one was killed, and merges them', async () => {
    const scratch = join(slurm.folder, 'scratch');
    const [data, out, bin] = ['data', 'out', 'bin'].map((name) => join(scratch, name));
    for (const folder of [data!, out!, bin!]) mkdirSync(folder, { recursive: true });
    for (let file = 0; file < FILES; file++) {
      const ids = Array.from({ length: RECORDS }, (_, i) => file * RECORDS + i);
      await writeRecords(
        join(data!, `train-${String(file).padStart(2, '0')}.gz`),
        ids.map((id) => encodeExample({ id: int64(id) })),
      );
    }
    const part = join(out!, `train.tfrecord.gz.part-1-of-${TASKS}`);
    const command = `'${process.execPath}' '${join(ROOT, 'dist', 'cli', 'main.js')}' "$@"`;
    const killed = join(scratch, 'killed');
    // Task 1 is killed once, as soon as it has finished a file.
    writeFileSync(
      join(bin!, 'tfrecord'),
      `#!/bin/sh
if [ "$1" = convert ] && [ "$SLURM_ARRAY_TASK_ID" = 1 ] && [ ! -e '${killed}' ]; then
  ${command} &
  until ls '${part}'/*.gz; do sleep 0.01; done >/dev/null 2>&1
  kill -KILL $!
  ls '${part}' >'${killed}'
  wait $!
  exit
fi
exec ${command}
`,
    );
    chmodSync(join(bin!, 'tfrecord'), 0o755);
    const ours = (text: string): string =>
      text
        .replaceAll('/scratch', scratch)
        .replace('0-63%16', `0-${TASKS - 1}`)
        .replace('--resume', `--shards ${FILES} --resume`);
    writeFileSync(join(slurm.folder, 'convert-train.sh'), ours(script!));

    const array = await slurm.run('sbatch', words(submit!), bin);
    const last = words(ours(merge!).replace('$array', array));
    const merged = await slurm.run('sbatch', ['--parsable', ...last], bin);
    const left = (): Promise<string> => slurm.run('squeue', ['--noheader', '--format=%i %T %r']);
    while ((await left()) !== '') await new Promise((resolve) => setTimeout(resolve, 300));

    const job = async (id: string): Promise<string> => slurm.run('scontrol', ['show', 'job', id]);
    expect(await job(`${array}_1`)).toMatch(/ Restarts=1 /);
    for (const id of [...Array.from({ length: TASKS }, (_, task) => `${array}_${task}`), merged]) {
      expect(await job(id)).toMatch(/JobState=COMPLETED /);
    }
    // It was killed in the middle: some files were finished, and not all.
    const finished = readFileSync(killed, 'utf8').match(/^train.*\.gz$/gm) ?? [];
    expect([finished.length > 0, finished.length < FILES / TASKS]).toEqual([true, true]);

    const files = Array.from(
      { length: FILES },
      (_, i) => `train-${String(i).padStart(5, '0')}-of-000${FILES}.tfrecord.gz`,
    );
    expect(readdirSync(out!).sort()).toEqual([...files, 'train.tfrecord.gz.manifest.json']);
    let id = 0;
    for await (const record of readRecords(files.map((name) => join(out!, name)))) {
      if (!Buffer.from(encodeExample({ id: int64(id) })).equals(record)) throw new Error(`record ${id} is another`);
      id++;
    }
    expect(id).toBe(FILES * RECORDS);
  });
});

/** Splits a command of the documents into its words. */
function words(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
}
