import { inspect } from 'node:util';

import type { TFRecordError } from '../../../lib';
import {
  Event,
  Example,
  loadMessageTypes,
  readMessages,
  type MessageReader,
  type MessageType,
  type MessageTypes,
  type PlainMessage,
} from '../../../lib';
import { JsonText } from '../../../lib/example';
import { MessageLines } from '../../../lib/messages';
import { ProtoFolder } from '../../support/messages/proto-folder';
import { flipBit, frame, HEADER_BYTES, offsets, tfrecord } from '../../support/records/tfrecord';
import { failure } from '../../support/thrown';

const folder = new ProtoFolder();
let types: MessageTypes;
let node: MessageType<PlainMessage>;
beforeAll(async () => {
  types = await loadMessageTypes(folder.at('all.proto'));
  node = types.type('things.Choice');
});
afterAll(() => {
  folder.remove();
});

const numbers = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, number) => Buffer.from(node.encode({ number, text: undefined })));
/** A message that is cut. */
const BROKEN = Buffer.from([0x12, 5, 0x61]);

async function all<T>(reader: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const message of reader) found.push(message);
  return found;
}

describe('readMessages', () => {
  it('reads every record, over the borders of slabs', async () => {
    const file = folder.put('many.tfrecord', tfrecord(numbers(5000)));
    const reader = readMessages(file, node, { batchBytes: 4096 });
    const found = await all(reader);
    expect(found).toHaveLength(5000);
    expect(found.map(({ number }) => number)).toEqual(Array.from({ length: 5000 }, (_, i) => i));
    expect(reader.stats).toMatchObject({ records: 5000, skipped: 0 });
    expect(reader.origin).toMatchObject({ file, record: 4999 });
    // A file can be read again.
    expect(await all(reader)).toEqual(found);
    await reader.close();
    expect(await failure(() => all(reader))).toMatchObject({ code: 'TFR_CLOSED' });
  });

  it('takes the messages of this package, and any object with a function decode', async () => {
    const example = Example.encode({ features: { feature: { a: { int64List: { value: [1n] } } } } });
    expect(await all(readMessages(tfrecord([example]), Example))).toEqual([Example.decode(example)]);
    const event = Event.encode({ step: 3n });
    expect((await all(readMessages(tfrecord([event]), Event))).map(({ step }) => step)).toEqual([3n]);
    const lengths = { decode: (bytes: Uint8Array) => ({ length: bytes.length }) };
    expect(await all(readMessages(tfrecord(['', 'abc']), lengths))).toEqual([{ length: 0 }, { length: 3 }]);
  });

  it.each([['throw'], ['skip'], ['stop']] as const)(
    'names file, record and byte of a record that is no such message, and obeys onError: %s',
    async (onError) => {
      const records = numbers(200);
      records[150] = BROKEN;
      const file = folder.put('broken.tfrecord', tfrecord(records));
      const found: unknown[] = [];
      const reader = readMessages(file, node, { onError });
      const error = await failure(async () => {
        for await (const { number } of reader) found.push(number);
      });
      const whole = Array.from({ length: 200 }, (_, i) => i);
      if (onError === 'throw') {
        expect(error).toMatchObject({
          code: 'TFR_DECODE',
          file,
          record: 150,
          offset: offsets(records)[150],
          message: expect.stringMatching(
            /^Record 150 of .*: The bytes are not a .*Choice: at byte 1 of 3, a length of 5/,
          ),
        });
      }
      expect(found).toEqual(onError === 'skip' ? whole.filter((i) => i !== 150) : whole.slice(0, 150));
      expect(reader.stats.skipped).toBe(onError === 'skip' ? 1 : 0);
    },
  );

  it('leaves out damaged records and those that cannot be decoded, in their order', async () => {
    const records = numbers(40);
    const at = offsets(records);
    const bytes = flipBit(tfrecord(records), at[7]! + HEADER_BYTES);
    const noted: [string, number | undefined][] = [];
    const report = ({ code, record }: TFRecordError): void => void noted.push([code, record]);
    const damaged = Buffer.concat([bytes.subarray(0, at[20]), frame(BROKEN), bytes.subarray(at[20])]);
    const found = await all(readMessages(damaged, node, { onError: { action: 'skip', report } }));
    expect(found.map(({ number }) => number)).toEqual([...Array(40).keys()].filter((i) => i !== 7));
    expect(noted).toEqual([
      ['TFR_CORRUPT_DATA', 7],
      ['TFR_DECODE', 20],
    ]);
  });

  it('gives the errors of a decoder of another package a code and a place', async () => {
    const cause = new Error('no such thing');
    const decoder = {
      name: 'Thing',
      decode(): object {
        throw cause;
      },
    };
    expect(await failure(() => all(readMessages(tfrecord(['a']), decoder)))).toMatchObject({
      code: 'TFR_DECODE',
      record: 0,
      message: 'Record 0 of <bytes>: The bytes are not a Thing: no such thing',
    });
  });

  it('takes whatever a decoder throws', async () => {
    const decoder = {
      decode(): object {
        throw Object.create(null);
      },
    };
    expect(await failure(() => all(readMessages(tfrecord(['a']), decoder)))).toMatchObject({
      code: 'TFR_DECODE',
      record: 0,
      message: expect.stringContaining('an unknown error'),
    });
  });

  it.each([[undefined], [null], [5]])('refuses a decoder that returns %s, whatever onError is', async (value) => {
    const decoder = { decode: () => value as never };
    for (const onError of ['throw', 'skip'] as const) {
      expect(await failure(() => all(readMessages(tfrecord(['a']), decoder, { onError })))).toMatchObject({
        code: 'ERR_INVALID_ARG_VALUE',
      });
    }
  });

  it('refuses messages more than 100 levels deep', async () => {
    const tree = types.type('Tree');
    const nested = (levels: number): Buffer => {
      let bytes = Buffer.alloc(0);
      for (let i = 0; i < levels; i++) bytes = Buffer.concat([Buffer.from([0x1a]), varint(bytes.length), bytes]);
      return bytes;
    };
    let depth = 0;
    for (let at = tree.decode(nested(100)); at['left'] !== undefined; at = at['left'] as PlainMessage) depth++;
    expect(depth).toBe(100);
    expect(await failure(() => all(readMessages(tfrecord([nested(101)]), tree)))).toMatchObject({
      code: 'TFR_DECODE',
      record: 0,
      found: expect.stringContaining('nested more than 100 deep'),
    });
    const groups = Buffer.concat([Buffer.alloc(101, 0x0b), Buffer.alloc(101, 0x0c)]);
    expect(() => types.type('Groups').decode(groups)).toThrow(/nested more than 100 deep/);
  });

  it('refuses strings that are not UTF-8, whatever their file says', async () => {
    const file = folder.putProto(
      'loose.proto',
      `edition = "2023"; message Loose {
        string one = 1 [features.utf8_validation = NONE];
        map<string, string> map = 7 [features.utf8_validation = NONE];
      }`,
    );
    const kinds = [types.type('OldStrings'), types.type('new.Strings'), (await loadMessageTypes(file)).type('Loose')];
    const places = {
      one: [0x0a, 1, 0xff],
      'a key': [0x3a, 3, 0x0a, 1, 0xff],
      'a value': [0x3a, 3, 0x12, 1, 0xff],
    };
    for (const type of kinds) {
      for (const bytes of Object.values(places)) {
        const record = Uint8Array.from(bytes);
        expect(() => type.decode(record)).toThrow(expect.objectContaining({ code: 'TFR_DECODE' }));
        expect(() => {
          MessageLines.of(type)!.print(record, new JsonText());
        }).toThrow(expect.objectContaining({ code: 'TFR_DECODE' }));
      }
    }
    const old = types.type('OldStrings');
    for (const bytes of [
      [0x1a, 1, 0xff],
      [0x2a, 1, 0xff],
    ]) {
      expect(() => old.decode(Uint8Array.from(bytes))).toThrow(expect.objectContaining({ code: 'TFR_DECODE' }));
    }
    expect(old.decode(Buffer.concat([Buffer.of(0x0a, 3), Buffer.from('\ufffd')]))).toMatchObject({ one: '\ufffd' });
  });

  it('reads groups as members, and refuses those without an end', () => {
    const groups = types.type('Groups');
    expect(groups.decode(Buffer.from([0x0b, 0x10, 0x07, 0x0c]))).toMatchObject({ optionalgroup: { a: 7 } });
    for (const cut of [[0x0b], [0x0b, 0x10, 0x07], [0x0b, 0x10, 0x07, 0x14], [0x0c]]) {
      expect(() => groups.decode(Buffer.from(cut))).toThrow(expect.objectContaining({ code: 'TFR_DECODE' }));
    }
  });

  it('checks its arguments', () => {
    expect(() => readMessages('a', {} as never)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_TYPE' }));
    expect(() => readMessages('a', node, { nope: 1 } as never)).toThrow(/Unknown option "nope"/);
    expect(() => readMessages(7 as never, node)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_TYPE' }));
  });

  it('decodes any bytes to a message, or to a coded error', () => {
    const kinds = types.names.map((name) => types.type(name));
    let state = 7;
    const next = (below: number): number => (state = (state * 1103515245 + 12345) & 0x7fffffff) % below;
    for (let i = 0; i < 4000; i++) {
      const bytes = Uint8Array.from({ length: next(40) }, () => (next(3) === 0 ? next(256) : next(64)));
      const type = kinds[i % kinds.length]!;
      try {
        expect(typeof type.decode(bytes)).toBe('object');
      } catch (error) {
        expect(error).toMatchObject({ code: 'TFR_DECODE' });
      }
    }
  });

  it('prints itself, and closes', async () => {
    const reader: MessageReader<PlainMessage> = readMessages(tfrecord(numbers(1)), node);
    expect(inspect(reader)).toMatch(/^MessageReader \{/);
    await reader.close();
    await reader.close();
  });
});

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 127) | 128);
  }
}
