/** Copies streams, for formats that read their inputs more than once. */
import { open } from 'node:fs/promises';

import { fromNodeError, invalidArgValue } from '../../base';
import { pullStored } from '../../io';
import { RecordWriter, type Framing } from '../../record';
import type { ReadSettings } from '../format';
import { FramedReader } from './framed-input';
import { inputsOf, type Inputs } from './inputs';
import { watched } from './watched-pull';

/** Copies the bytes of the only input to the new file `path`. @throws TypeError for several inputs */
export async function copyBytes(inputs: Inputs, { signal }: ReadSettings, path: string): Promise<Inputs> {
  const { file } = inputs.files[0]!;
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

/** Copies the records of inputs to the new file `path`. `framing` finds the records. Default: TFRecords. */
export async function copyRecords(
  inputs: Inputs,
  settings: ReadSettings,
  path: string,
  framing?: Framing,
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
