/** Reads sources that never end and have only faults, which are skipped: an abort ends each reading. */
import { countRecords, readRecords, readRecordsSync, type ReadOptions, type RecordSource } from '../../../../lib';
import { argument, say } from '../../../support/running/case';
import { flipBit, frame, header } from '../../../support/records/tfrecord';

const DAMAGED = flipBit(frame('damaged'), 14);
const ZEROS = new Uint8Array(1 << 20);

function* forEver(chunk: Uint8Array): Generator<Uint8Array> {
  for (;;) yield chunk;
}
async function* forEverAsync(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  for (;;) yield await Promise.resolve(chunk);
}
function* tooLarge(): Generator<Uint8Array> {
  yield header(2n ** 50n);
  yield* forEver(ZEROS);
}
/** Returns more names than can be opened before the abort. */
const many = (name: string): string[] => Array<string>(200_000).fill(name);

const SOURCES: Readonly<Record<string, () => RecordSource>> = {
  'damaged records': () => forEver(Buffer.concat(Array<Uint8Array>(10_000).fill(DAMAGED))),
  'damaged records, one a chunk': () => forEverAsync(DAMAGED),
  'empty chunks': () => forEver(new Uint8Array(0)),
  'a record too large': tooLarge,
  'files of zeros': () => many('/dev/zero'),
  'missing files': () => many('no such file'),
};

const skip = (): 'skip' => 'skip';
const nameOf = (error: unknown): string => (error as Error).name;

async function main(): Promise<void> {
  const make = SOURCES[argument(0)];
  if (make === undefined) return sync();
  const options = (): ReadOptions => ({ onError: skip, signal: AbortSignal.timeout(100) });
  say(await countRecords(make(), options()).catch(nameOf));
  say(
    await readRecords(make(), options())
      .next()
      .then(() => 'a record', nameOf),
  );
}

/** Synchronous reading: nothing else runs, so only the callback can abort. */
function sync(): void {
  for (const source of [Buffer.concat(Array<Uint8Array>(1000).fill(DAMAGED)), Array<string>(1000).fill('/dev/zero')]) {
    const abort = new AbortController();
    let faults = 0;
    const onError = (): 'skip' => {
      if (++faults === 10) abort.abort(new RangeError('enough'));
      return 'skip';
    };
    try {
      say(readRecordsSync(source, { onError, signal: abort.signal }).next());
    } catch (error) {
      say([nameOf(error), faults]);
    }
  }
}

void main();
