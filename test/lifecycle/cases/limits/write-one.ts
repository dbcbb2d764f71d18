/** Writes one record to a file. Prints how `close` ended and how many records the file then has. */
import { argument, say } from '../../../support/running/case';
import { countRecords, RecordWriter, type TFRecordError } from '../../../../lib';

async function main(): Promise<void> {
  const target = argument(0);
  const writer = await RecordWriter.open(target);
  await writer.write('record');
  const error = await writer.close().then(
    () => undefined,
    (reason: unknown) => reason as TFRecordError,
  );
  await writer.abort();
  say({
    code: error?.code,
    syscall: error?.syscall,
    file: error?.file,
    message: error?.message,
    records: await countRecords(target),
  });
}

void main();
