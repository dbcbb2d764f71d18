/** Python's protobuf reads the lines of `convert({ to: 'protojson' })`, and we read those that it prints. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Event, Example, readRecords, SequenceExample } from '../../../lib';
import { convert } from '../../../lib/convert';
import { NO_REAL_FILES, REAL_FACTS, REAL_FILES } from '../../support/records/real-data';
import { Folder } from '../../support/records/record-files';
import { Peer } from '../peer';

interface Facts {
  readonly local: string;
  readonly proto: 'Example' | 'SequenceExample' | 'Event' | 'none';
}

const TYPES = { Example, SequenceExample, Event };
/** Records of a file that are compared. */
const MOST = 200;

const folder = new Folder();
let peer: Peer;
beforeAll(() => {
  peer = new Peer('messages/peer.py');
});
afterAll(async () => {
  folder.remove();
  await peer.close();
});

const files = (REAL_FACTS as readonly Facts[]).filter(({ proto }) => proto !== 'none');
if (files.length === 0) test.todo(NO_REAL_FILES);
else {
  test.each(files)('$local', async ({ local, proto }) => {
    const type = proto as keyof typeof TYPES;
    const records: Uint8Array[] = [];
    for await (const record of readRecords(join(REAL_FILES, local))) records.push(record);
    const [file, theirs, back] = ['lines', 'theirs', 'back'].map((name) => folder.at(name)) as [string, string, string];
    await convert(join(REAL_FILES, local), file, { to: 'protojson', force: true });
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, records.length);
    const asked = records.slice(0, MOST).map((record, i) => {
      const text = TYPES[type].toText(TYPES[type].decode(record));
      return { bytes: Buffer.from(record).toString('hex'), json: lines[i], text };
    });
    const answers = await peer.exchange<{ json: boolean; theirs: { json: string } }[]>({
      op: 'forms',
      type,
      records: asked,
    });
    expect(answers.map(({ json }) => json)).toEqual(asked.map(() => true));
    // Python prints a message over several lines.
    writeFileSync(theirs, answers.map((answer) => `${JSON.stringify(JSON.parse(answer.theirs.json))}\n`).join(''));
    await convert(theirs, back, { from: 'protojson', force: true });
    const found: string[] = [];
    for await (const record of readRecords(back)) found.push(TYPES[type].toText(TYPES[type].decode(record)));
    expect(found).toEqual(asked.map(({ text }) => text));
  });
}
