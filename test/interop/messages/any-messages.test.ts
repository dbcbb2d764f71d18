/** Messages of any type: our JSON is Python's, and bytes and JSON give the same messages in both. */
import { loadMessageTypes, type MessageTypes } from '../../../lib';
import { JsonText } from '../../../lib/example';
import { MessageLines } from '../../../lib/messages';
import { ProtoFolder } from '../../support/messages/proto-folder';
import { Peer } from '../peer';

const COUNT = 40;
const SEED = Number(process.env['TFRECORD_SEED'] ?? 1);

const folder = new ProtoFolder();
let peer: Peer;
beforeAll(() => {
  peer = new Peer('messages/random_messages.py');
});
afterAll(async () => {
  folder.remove();
  await peer.close();
});

interface Random {
  readonly bytes: string;
  readonly json: string;
}

test('JSON and bytes of all messages are those of Python', async () => {
  const set = folder.descriptorSet();
  if (set === undefined) return console.warn('interop of messages: skipped, because protoc is not installed');
  const names = await peer.exchange<string[]>({ op: 'load', set });
  expect(names.length).toBeGreaterThanOrEqual(60);
  const loaded = [await loadMessageTypes(set), await loadMessageTypes(folder.at('all.proto'))];
  for (const name of names) {
    const randoms = await peer.exchange<Random[]>({ op: 'random', type: name, seed: SEED, count: COUNT });
    for (const types of loaded) await compare(name, types, randoms);
  }
});

async function compare(name: string, types: MessageTypes, randoms: readonly Random[]): Promise<void> {
  const type = types.type(name);
  const lines = MessageLines.of(type, { full: true })!;
  const texts: string[] = [];
  const records: string[] = [];
  for (const { bytes, json } of randoms) {
    const record = Buffer.from(bytes, 'hex');
    const out = new JsonText();
    lines.print(record, out);
    const text = out.toString();
    expect([name, JSON.parse(text, asFloat)]).toEqual([name, JSON.parse(json, asFloat)]);
    // Python reads our JSON, and what we make of the record and of its own JSON, which it cannot always read itself: it
    // refuses the digits that it prints of the largest float.
    texts.push(text, text, text);
    records.push(bytes, hex(type.encode(type.decode(record))), hex(lines.encode(json)));
    expect(hex(type.encode(type.fromJSON(json)))).toBe(hex(lines.encode(json)));
  }
  const answers = await peer.exchange<(true | string)[]>({ op: 'parse', type: name, texts, records });
  expect([name, answers.filter((answer) => answer !== true)]).toEqual([name, []]);
}

/** Python prints at least six digits of a float. That doubles are exact shows when Python reads ours. */
function asFloat(_name: string, value: unknown): unknown {
  return typeof value === 'number' && Number.isFinite(Math.fround(value)) ? Math.fround(value) : value;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
