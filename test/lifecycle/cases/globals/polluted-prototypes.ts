/** Reads and writes the same before and after other code has put properties on the prototypes of all objects. */
import { readFileSync } from 'node:fs';

import {
  countRecords,
  readRecords,
  readRecordsSync,
  RecordReader,
  RecordWriter,
  type TFRecordError,
} from '../../../../lib';
import { argument, say } from '../../../support/running/case';
import { settles } from '../../../support/settles';

const [damaged, whole, target] = [argument(0), argument(1), argument(2)];
const missing = `${whole}.missing`;
/** A pattern that must find `whole` once, although a link leads back into its folder. */
const pattern = argument(4);

/** Names in native results and faults, options, limits and error details, except those that would break Node itself. */
const NAMES =
  'outcome frames firstRecord base faults halt growTo compression compressedBytes totalBytes part detail expected found ' +
  'record offset compressedOffset systemError fault fileBytes output verify onError maxRecordBytes batchBytes readAhead ' +
  'level threads atomic action max maxRate report file feature stage ' +
  'identity';

const POLLUTIONS: Readonly<Record<string, () => void>> = {
  setters: () => {
    for (const name of NAMES.split(' ')) put(Object.prototype, name, { get: () => 1, set: () => undefined });
    // Only the list of faults is this long.
    put(Array.prototype, '40', { get: () => undefined, set: () => undefined });
  },
  'read-only values': () => {
    for (const name of NAMES.split(' ')) put(Object.prototype, name, { value: 1, writable: false });
  },
  'writable values': () => {
    for (const name of NAMES.split(' ')) put(Object.prototype, name, { value: 1, writable: true });
    for (const index of [0, 1, 50]) put(Array.prototype, String(index), { value: { code: 'BAD' }, writable: true });
  },
};

function put(prototype: object, name: string, property: PropertyDescriptor): void {
  Object.defineProperty(prototype, name, { configurable: true, ...property });
}

/** Returns the own properties of an error, as text. */
function told(error: unknown): string {
  const { message } = error as TFRecordError;
  return JSON.stringify([message, Object.entries(error as object).sort()]);
}

async function everything(): Promise<string> {
  let text = '';
  const onError = (error: TFRecordError): 'skip' => {
    text += told(error);
    return 'skip';
  };
  const failing = async (work: () => unknown): Promise<void> => {
    try {
      await work();
      text += 'no error';
    } catch (error) {
      text += told(error);
    }
  };
  for (const source of [damaged, readFileSync(damaged), [missing, damaged]]) {
    for await (const record of readRecords(source, { onError })) text += Buffer.from(record).toString();
    for (const record of readRecordsSync(source, { onError })) text += Buffer.from(record).toString();
    await failing(() => countRecords(source));
    await failing(() => [...readRecordsSync(source, {})]);
  }
  text += `${await countRecords(pattern)} ${[...readRecordsSync(pattern)].length} `;
  await failing(() => countRecords(whole, { maxRecordBytes: 1 }));
  await failing(() => countRecords(damaged, { onError: { action: 'skip', max: 3 } }));
  await failing(() => countRecords(whole, { nonsense: 1 } as object));
  const reader = await RecordReader.open(whole);
  // The size is looked up while reading goes on, and the end of the reading cancels the lookup.
  if (!(await settles(() => Object.getOwnPropertyDescriptor(reader.stats, 'totalBytes')?.value !== undefined))) {
    throw new Error('totalBytes did not come');
  }
  for await (const record of reader) text += Buffer.from(record).toString();
  text += JSON.stringify(reader.stats) + JSON.stringify(reader.origin);
  for (const options of [undefined, {}, { compression: 'gzip' as const }]) {
    const writer = await RecordWriter.open(target, options);
    for (let number = 0; number < 100; number++) await writer.write(`record ${number}`);
    text += `${JSON.stringify(await writer.close())} ${await countRecords(target)} ${readFileSync(target, 'hex')}`;
  }
  return text;
}

async function main(): Promise<void> {
  const before = await everything();
  (POLLUTIONS[argument(3)] as () => void)();
  const after = await everything();
  let at = 0;
  while (at < before.length && before[at] === after[at]) at++;
  say(after === before || { before: before.slice(at, at + 300), after: after.slice(at, at + 300) });
}

void main();
