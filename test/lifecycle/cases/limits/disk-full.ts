/**
 * A writer whose file may not grow beyond the limit of the process. Arguments: the target, `atomic` or `in place`, the
 * compression. Prints all error codes, in order.
 */
import { RecordWriter, type WriteOptions } from '../../../../lib';
import { argument, say } from '../../../support/running/case';

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}

async function main(): Promise<void> {
  const compression = argument(2) as NonNullable<WriteOptions['compression']>;
  const atomic = argument(1) === 'atomic';
  const level = compression === 'none' ? undefined : 0;
  const writer = await RecordWriter.open(argument(0), { compression, atomic, level });
  const record = Buffer.alloc(100_000, 'record');
  // The promises of these writes are ignored.
  for (let i = 0; i < 100; i++) void writer.write(record);
  const errors: unknown[] = [];
  const steps = [
    () => writer.flush(),
    () => writer.write('one more'),
    () => writer.sync(),
    () => writer.close(),
    () => writer.write('and one more'),
    () => writer.close(),
  ];
  for (const step of steps) {
    try {
      await step();
      say('no error');
    } catch (error) {
      errors.push(error);
    }
  }
  say(errors.map(codeOf));
  say(errors.every((error) => error === errors[0]));
}

void main();
