import { worded } from '../../base';
import { hiveName } from '../../example';
import { PartitionedOutput } from '../output/partitioned-output';
import type { Job } from './job';
import { totalsOf, type ManifestOutput } from './manifest';
import { ONE_RANGE } from './ranges';
import { reportOf, type ConvertReport } from './report';
import { prepare, runWork, withSource } from './work';

/** Runs a job that writes TFRecord files called `path` in folders for the values of features. */
export async function convertToPartitions(
  job: Job,
  path: string,
  partitionBy: readonly string[],
): Promise<ConvertReport> {
  const { faults, writing } = job;
  const { notes } = job.reading;
  const { compression, level, index, signal } = writing;
  const written: ManifestOutput[] = [];
  const output = await PartitionedOutput.create(path, {
    ...{ partitionBy, compression, level, index, signal, faults },
    force: job.plan.force,
  });
  try {
    const bytesRead = await withSource(job, path, async (source) => {
      const work = await prepare(job, source);
      try {
        return await runWork(job, work, {
          ranges: ONE_RANGE,
          outputs: [[{ path: undefined, side: undefined, finished: undefined }]],
          openStream: () => Promise.resolve(output),
          replaces: false,
          summed: false,
          finished: (each) => {
            written.push(each);
            return Promise.resolve();
          },
        });
      } finally {
        await work.close();
      }
    });
    const files = output.report?.files.map(({ file }) => file) ?? [];
    for (const name of partitionBy) {
      const none = hiveName(name, undefined);
      // Such a name may be misspelt.
      if (files.length > 0 && files.every((file) => file.split(/[/\\]/).includes(none)))
        notes.add(worded`No record has a value of the feature ${JSON.stringify(name)}: all are in folders ${none}.`);
    }
    return reportOf(job, files, totalsOf(written), bytesRead);
  } finally {
    await output.abort();
  }
}
