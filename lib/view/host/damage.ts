/** Finds all damage of a file: reads it, and checks all checksums. */
import type { Asks, Fault, Progress } from '../protocol';
import { faultOf } from './problem';
import { PROGRESS_MS, scan, type ScannedFile } from './scan';

/** Maximum number of faults to send. Others are only counted. */
const MAX_FAULTS = 10_000;

export async function* damage(
  scanned: ScannedFile,
  signal: AbortSignal,
): AsyncGenerator<Asks['damage']['batch'], Asks['damage']['done']> {
  let faults: Fault[] = [];
  let count = 0;
  /** Number of damaged long records: the scan counts them as records, because it does not read them. */
  let damaged = 0;
  const work = scan(scanned, signal, (error) => {
    if (count++ < MAX_FAULTS) faults.push(faultOf(error));
  });
  let progress: Progress = { records: 0, readBytes: 0, totalBytes: 0 };
  let next = 0;
  for (;;) {
    const step = await work.next();
    if (step.done !== true) {
      const some = step.value;
      ({ progress } = some);
      if ('long' in some && (await some.long.look(() => true)) === undefined) damaged++;
    }
    if (step.done === true || faults.length > 100 || performance.now() >= next) {
      yield { faults, progress, bytes: step.value.bytes };
      faults = [];
      next = performance.now() + PROGRESS_MS;
    }
    if (step.done === true) return { ...step.value, records: step.value.records - damaged, faults: count };
  }
}
