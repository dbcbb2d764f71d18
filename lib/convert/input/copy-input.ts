/** Copies streams, for formats that are read more than once. */
import { open } from 'node:fs/promises';

import { invalidArgValue } from '../../errors';
import { fromNodeError, pullStored, RecordWriter, type Framing } from '../../record';
import type { ReadSettings } from '../format';
import type { Job } from '../job/job';
import { temporaryName } from '../output/names';
import { removeTemporary } from '../output/output-file';
import { FramedReader } from './framed-input';
import { inputsOf, type Inputs } from './inputs';
import { watched } from './watched-pull';

/**
 * Calls `work` with inputs of `job` that can be read as often as it needs: those that cannot are copied first, to a
 * temporary file beside `path`.
 */
export async function withSource<T>(job: Job, path: string, work: (source: Inputs) => Promise<T>): Promise<T> {
  const { inputs, inputFormat: format, outputFormat, reading, shards } = job;
  const { shuffle, maxBytes, where } = job.plan;
  const hasColumns = outputFormat.takesTable === true || where !== undefined;
  const surveys = hasColumns && reading.spec === undefined;
  const counts = surveys || (!shuffle && (maxBytes !== undefined || shards > 1));
  if (inputs.repeatable || !(counts || format.readsTwice(reading))) return work(inputs);
  if (format.hasHeaders === true && inputs.files.length > 1) {
    const expected = `files, or one stream alone: ${job.from} of each begins with a header`;
    throw invalidArgValue('input', expected, undefined);
  }
  const copy = temporaryName(path);
  try {
    const source =
      format.copiesBytes === true
        ? await copyBytes(inputs, reading, copy)
        : await copyRecords(inputs, reading, format.framing?.(reading), copy);
    return await work(source);
  } finally {
    await removeTemporary(copy);
  }
}

/** Copies the bytes of the only input to the new file `path`. @throws TypeError if there are several inputs */
async function copyBytes(inputs: Inputs, { signal }: ReadSettings, path: string): Promise<Inputs> {
  const [{ file }] = inputs.files as [Inputs['files'][number]];
  if (inputs.files.length > 1) {
    const stream = inputs.files.find(({ bytes }) => bytes === undefined)!.file;
    throw invalidArgValue('input', 'files, or one stream, because they are read twice', stream);
  }
  const pull = watched(await pullStored(inputs.source, 0), signal);
  try {
    const handle = await open(path, 'w').catch((cause: unknown) => {
      throw fromNodeError(cause, path, 'open');
    });
    try {
      for (let chunk = await pull.next(); chunk !== undefined; chunk = await pull.next()) {
        await handle.writeFile(chunk).catch((cause: unknown) => {
          throw fromNodeError(cause, path, 'write');
        });
      }
    } finally {
      await handle.close();
    }
  } finally {
    await pull.close();
  }
  return { ...inputsOf([{ file: path, bytes: pull.bytes, modified: undefined }]), copyOf: file };
}

/** Copies the records, or lines, of inputs that cannot be read again to the file `path`. */
async function copyRecords(
  inputs: Inputs,
  settings: ReadSettings,
  framing: Framing | undefined,
  path: string,
): Promise<Inputs> {
  const reader = new FramedReader(inputs, 0, settings, framing === undefined ? {} : { framing });
  const writer = await RecordWriter.open(path, { compression: 'none', atomic: false, signal: settings.signal });
  try {
    for (let portion = await reader.next(); portion !== undefined; portion = await reader.next()) {
      await writer.writeBatch(portion.batch);
    }
    const { fileBytes } = await writer.close();
    const copied = inputsOf([{ file: path, bytes: fileBytes, modified: undefined }]);
    return { ...copied, copyOf: inputs.files.map(({ file }) => file).join(', ') };
  } catch (error) {
    await writer.abort();
    throw error;
  } finally {
    await reader.close();
  }
}
