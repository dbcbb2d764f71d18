import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { invalidArgValue } from '../../base';
import type { WriteTarget } from '../../io';
import { OutputStream } from '../output/output-file';
import type { Job } from './job';
import { totalsOf, type ManifestOutput } from './manifest';
import { ONE_RANGE } from './ranges';
import { reportOf, type ConvertReport } from './report';
import { prepare, runWork, withSource } from './work';

/** Runs a job that writes one output: a stream, a device or a pipe. */
export async function convertToStream(job: Job, stream: WriteTarget): Promise<ConvertReport> {
  const { outputFormat: format } = job;
  const { shuffle, seed } = job.plan;
  if (shuffle) throw invalidArgValue('options.shuffle', 'absent for an output that is not a file', seed ?? shuffle);
  if (format.filesOnly === true)
    throw invalidArgValue('output', `a file, because ${job.to} cannot be written to a stream`, stream);
  const written: ManifestOutput[] = [];
  const bytesRead = await withSource(job, join(tmpdir(), 'tfrecord'), async (source) => {
    const work = await prepare(job, source);
    try {
      return await runWork(job, work, {
        ranges: ONE_RANGE,
        outputs: [[{ path: undefined, side: undefined, finished: undefined }]],
        openStream: (settings) => OutputStream.create(stream, format, settings),
        replaces: false,
        summed: false,
        finished: (output) => {
          written.push(output);
          return Promise.resolve();
        },
      });
    } finally {
      await work.close();
    }
  });
  return reportOf(job, [], totalsOf(written), bytesRead);
}
