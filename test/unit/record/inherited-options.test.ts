/** Options may be inherited, but never from Object.prototype. */
import { runInNewContext } from 'node:vm';

import { readRecordsSync, type ReadOptions } from '../../../lib';
import { tfrecord } from '../../support/records/tfrecord';

const read = (options: ReadOptions): number => [...readRecordsSync(tfrecord(['one', 'two']), options)].length;

class Inherited {
  readonly #limit = 2;

  get maxRecordBytes(): number {
    return this.#limit;
  }
}

test.each<[string, ReadOptions]>([
  ['a class', new Inherited()],
  ['another object', Object.create({ maxRecordBytes: 2 }) as ReadOptions],
  ['an object without a prototype', Object.create(Object.assign(Object.create(null), { maxRecordBytes: 2 })) as object],
])('options of %s count', (_from, options) => {
  expect(() => read(options)).toThrow(expect.objectContaining({ code: 'TFR_RECORD_TOO_LARGE' }) as Error);
});

test("those of another realm's Object.prototype do not", () => {
  expect(read(runInNewContext('Object.prototype.maxRecordBytes = 2; ({})') as ReadOptions)).toBe(2);
});
