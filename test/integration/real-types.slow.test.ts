/** No real Example, SequenceExample or Event is taken for a message of another type. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import {
  decodeSequenceExample,
  parseExample,
  parseSequenceExample,
  readRecordsSync,
  recordType,
  varLen,
  type RecordType,
} from '../../lib';
import { NO_REAL_FILES, REAL_FILES, REAL_SETS } from '../support/records/real-data';

const files = [REAL_FILES, REAL_SETS]
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))))
  .filter((path) => statSync(path).isFile() && !/\.(?:md|json|pbtxt|txt)$/.test(path));

/** TFX's statistics are a record that is no Example. */
const STATISTICS = 'stats_tfrecord';
/** None of the records has such a feature, so that each of them is judged. */
const context = { '\x01nothing': varLen('int64') } as const;

if (files.length === 0) test.todo(NO_REAL_FILES);
else {
  const emit = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  afterAll(() => emit.mockRestore());

  test.each(files)('%s', (file) => {
    const types = new Set<RecordType>();
    const records = [...readRecordsSync(file)];
    for (const record of records) types.add(recordType(record));
    const readings = [
      () => parseExample(records, context)['\x01nothing'].denseShape[0],
      () => parseSequenceExample(records, { context }).context['\x01nothing'].denseShape[0],
    ];
    for (const read of readings) {
      if (basename(file) === STATISTICS) expect(read).toThrow(/seems to be a message of another type/);
      else expect(read()).toBe(records.length);
    }
    if (!types.has('Event') && basename(file) !== STATISTICS) {
      expect(records.map((record) => decodeSequenceExample(record))).toHaveLength(records.length);
    }
    const known: RecordType[] = ['Example', 'SequenceExample', 'Event'];
    expect([...types].filter((type) => !known.includes(type))).toEqual(
      basename(file) === STATISTICS ? ['unknown'] : [],
    );
  });
}
