/** Finds the records that fulfil the conditions of a filter. */
import { Condition, decodeNamed } from '../../example';
import type { Asks, Progress } from '../protocol';
import { PROGRESS_MS, scan, type ScannedFile } from './scan';

/** Maximum number of record numbers in one batch. */
const MAX_FOUND = 4096;

/** Parses conditions. @throws SyntaxError for an invalid condition */
export function conditionsOf(texts: readonly string[]): Condition[] {
  return texts.map((text) => Condition.parse(text));
}

/** Returns a test of records. A record that is not an Example fulfils no condition. */
export function testOf(conditions: readonly Condition[]): (record: Uint8Array) => boolean {
  const names = new Set(conditions.map(({ name }) => name));
  return (record) => {
    if (conditions.length === 0) return true;
    try {
      const features = decodeNamed(record, names);
      return conditions.every((condition) => condition.holds(features));
    } catch {
      return false;
    }
  };
}

export async function* find(
  scanned: ScannedFile,
  texts: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Asks['find']['batch'], Asks['find']['done']> {
  const conditions = conditionsOf(texts);
  const wants = testOf(conditions);
  let found: number[] = [];
  let progress: Progress = { records: 0, readBytes: 0, totalBytes: 0 };
  let next = 0;
  for await (const some of scan(scanned, signal)) {
    ({ progress } = some);
    if ('long' in some) {
      if ((await some.long.look(wants)) === true) found.push(some.long.record);
    } else {
      const { batch } = some;
      for (let i = 0; i < batch.length; i++) {
        if (wants(batch.at(i)!)) found.push(batch.origin(i)!.record);
      }
    }
    if (found.length < MAX_FOUND && performance.now() < next) continue;
    yield { found, progress };
    found = [];
    next = performance.now() + PROGRESS_MS;
  }
  yield { found, progress };
  return { remarks: conditions.flatMap((condition) => condition.remark() ?? []) };
}
