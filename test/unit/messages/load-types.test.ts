import { readFileSync, symlinkSync } from 'node:fs';

import { loadMessageTypes, MessageTypes, TFRecordError } from '../../../lib';
import { ProtoFolder } from '../../support/messages/proto-folder';
import { GOOGLE_PROTOS } from '../../support/messages/google-protos';
import { PROTOS } from '../../support/messages/protos';
import { failure } from '../../support/thrown';

const folder = new ProtoFolder();
afterAll(() => {
  folder.remove();
});
const put = (name: string, text: string | Uint8Array): string => folder.putProto(name, text);
const proto3 = (text: string): string => `syntax = "proto3";\n${text}`;

/** A set with one message, which has one field of type int32. */
function descriptorSet(type: string, field: string, number: number): Buffer {
  const content = (tag: number, value: Buffer | string): Buffer =>
    Buffer.concat([Buffer.of(tag, value.length), Buffer.from(value)]);
  const fields = Buffer.concat([content(0x0a, field), Buffer.of(0x18, number, 0x20, 1, 0x28, 5)]);
  const message = Buffer.concat([content(0x0a, type), content(0x12, fields)]);
  return content(0x0a, Buffer.concat([content(0x0a, 'a.proto'), content(0x22, message), content(0x62, 'proto3')]));
}

const OWN_SHAPES = [
  ['Any', 'string type_url = 1;'],
  ['Timestamp', 'string seconds = 1; int32 nanos = 2;'],
  ['Duration', ''],
  ['FieldMask', 'string paths = 1;'],
  ['Value', 'int32 x = 1;'],
  ['Int64Value', 'int64 other = 1;'],
  ['BoolValue', 'int64 value = 1;'],
  ['Struct', 'map<string, string> fields = 1;'],
] as const;

describe('loadMessageTypes', () => {
  it('takes files that define the messages of google.protobuf as they are', async () => {
    const files = Object.keys(GOOGLE_PROTOS).map((name) => put(`own/${name}`, GOOGLE_PROTOS[name]!));
    const used = put('own/used.proto', proto3('message Used { google.protobuf.Any any = 1; }'));
    expect((await loadMessageTypes([...files, used])).names).toEqual(['Used']);
  });

  it('takes a long chain of messages', async () => {
    const links = Array.from({ length: 8000 }, (_, i) => `message C${i} { C${i + 1} next = 1; }`);
    const types = await loadMessageTypes(put('chain.proto', proto3(`${links.join('\n')} message C8000 {}`)));
    const type = types.type('C0');
    expect(type.decode(Uint8Array.of(0x0a, 2, 0x0a, 0))).toEqual({ next: { next: {} } });
    expect(() => type.decode(Uint8Array.of(0x0a, 2, 0x0a, 1))).toThrow(expect.objectContaining({ code: 'TFR_DECODE' }));
  });

  it('finds imports beside the file, above it, in roots, and built in', async () => {
    const types = await loadMessageTypes(folder.at('all.proto'));
    expect(types).toBeInstanceOf(MessageTypes);
    expect(types.names).toContain('every.things.Tree');
    expect(types.names).toContain('every.old.Groups.OptionalGroup.Inner');
    expect(types.names.filter((name) => name.startsWith('google.'))).toEqual([]);
    expect(types.type('google.protobuf.Any').name).toBe('google.protobuf.Any');
    // things.proto imports enums.proto from the folder above.
    expect((await loadMessageTypes(folder.at('nested/things.proto'))).names).toContain('every.things.Maps');

    put('roots/a/used.proto', proto3('package r; message Used { int32 x = 1; }'));
    put('elsewhere/user.proto', proto3('import "a/used.proto"; message User { r.Used used = 1; }'));
    const user = await loadMessageTypes(folder.at('elsewhere/user.proto'), { roots: folder.at('roots') });
    expect(user.names).toEqual(['User', 'r.Used']);
  });

  it('reads sets of descriptors, also without the built-in files', async () => {
    const set = folder.descriptorSet();
    if (set === undefined) return console.warn('protoc is not installed: no set of descriptors was read');
    const fromText = await loadMessageTypes(folder.at('all.proto'));
    expect((await loadMessageTypes(set)).names).toEqual(fromText.names);
    expect((await loadMessageTypes(folder.descriptorSet(true)!)).names).toEqual(fromText.names);
    folder.descriptorSet();
  });

  it('finds a message by its full name, and by the last parts that no other has', async () => {
    const types = await loadMessageTypes(folder.at('all.proto'));
    for (const name of ['every.things.Tree', '.every.things.Tree', 'things.Tree', 'Tree']) {
      expect(types.type(name)).toBe(types.type('every.things.Tree'));
    }
    expect(() => types.type('Inner')).toThrow(
      expect.objectContaining({
        code: 'ERR_INVALID_ARG_VALUE',
        message: expect.stringContaining('every.old.Groups.OptionalGroup.Inner, every.things.Node.Inner'),
      }),
    );
    expect(() => types.type('Tre')).toThrow(/Did you mean "Tree"\?/);
    const few = await loadMessageTypes(put('few.proto', proto3('package p; message A {} message B {}')));
    expect(() => few.type('C')).toThrow(/a message of .*few\.proto: p\.A, p\.B/);
    expect(() => few.type(3 as never)).toThrow(TypeError);
  });

  it('reads a file once, by whatever names it is imported, and circles of imports', async () => {
    put('c1.proto', proto3('import "c2.proto"; message C1 { C2 other = 1; }'));
    put(
      'c2.proto',
      proto3('import "c1.proto"; import "nested/../c1.proto"; import "link.proto"; message C2 { C1 other = 1; }'),
    );
    symlinkSync('c1.proto', folder.at('link.proto'));
    expect((await loadMessageTypes([folder.at('c1.proto'), folder.at('c2.proto')])).names).toEqual(['C1', 'C2']);
  });

  it('knows the definitions of descriptors, for options of one’s own', async () => {
    const file = put(
      'options.proto',
      `syntax = "proto2"; import "google/protobuf/descriptor.proto"; import "google/protobuf/type.proto"; import "google/protobuf/api.proto";
      extend google.protobuf.FieldOptions { optional string unit = 50000; }
      message M { optional int32 x = 1 [(unit) = "m"]; optional google.protobuf.Type type = 2; optional google.protobuf.Api api = 3; }`,
    );
    expect((await loadMessageTypes(file)).names).toEqual(['M']);
  });

  it.each<[name: string, text: string | Uint8Array, expected: object]>([
    [
      'syntax.proto',
      proto3('message A {\n  int32 = 1;\n}'),
      { code: 'TFR_SPEC', message: /syntax\.proto, line 3: .*=/ },
    ],
    ['ends.proto', proto3('message A { int32 x'), { code: 'TFR_SPEC', found: /too early/ }],
    [
      'import.proto',
      proto3('import "missing/b.proto";'),
      {
        code: 'TFR_SPEC',
        expected: 'missing/b.proto',
        message: /imports missing\/b\.proto, which is not in .* and the folders above it/,
      },
    ],
    ['unknown.proto', proto3('message A { Missing x = 1; }'), { code: 'TFR_SPEC', message: /Missing/ }],
    ['extend.proto', proto3('extend Missing { int32 x = 1; }'), { code: 'TFR_SPEC', message: /Missing/ }],
    ['twice.proto', proto3('message A { int32 x = 1; int32 y = 1; }'), { code: 'TFR_SPEC', message: /duplicate id 1/ }],
    ['latin.proto', Buffer.from('// \xe4\xff', 'latin1'), { code: 'TFR_SPEC', message: /not UTF-8/ }],
    ['nothing.proto', proto3('package p;'), { code: 'TFR_SPEC', message: /defines no messages/ }],
    ['empty.proto', '', { code: 'TFR_SPEC', message: /defines no messages/ }],
    ['empty.pb', '', { code: 'TFR_SPEC', message: /defines no messages/ }],
    ['text.pb', 'syntax = "proto3";', { code: 'TFR_SPEC', message: /not a set of descriptors/ }],
    ['zero.proto', proto3('message A { int32 x = 0; }'), { code: 'TFR_SPEC', message: /A: the number of x is 0/ }],
    ['far.proto', proto3('message A { int32 x = 1073741825; }'), { code: 'TFR_SPEC', message: /is 1073741825/ }],
    ['last.proto', proto3('message A { int32 x = 536870912; }'), { code: 'TFR_SPEC', message: /1 to 536870911$/ }],
    [
      'same.proto',
      'syntax = "proto2"; message A { optional int32 foo_1 = 1; optional int32 foo1 = 2; }',
      { code: 'TFR_SPEC', message: /A: two fields have the name "foo1" in JSON/ },
    ],
    [
      'many.proto',
      proto3(`message A { ${Array.from({ length: 5001 }, (_, i) => `int32 x${i} = ${i + 1};`).join('\n')} }`),
      { code: 'TFR_SPEC', message: /A: it has 5001 fields, more than 5000/ },
    ],
    ['zero.pb', descriptorSet('A', 'x', 0), { code: 'TFR_SPEC', message: /zero\.pb: A: the number of x is 0/ }],
    ['code.pb', descriptorSet('A', 'x"y', 1), { code: 'TFR_SPEC', message: /is not a name of protobuf/ }],
    ...OWN_SHAPES.map(([name, fields]): [string, string, object] => [
      `own-${name}.proto`,
      `syntax = "proto3"; package google.protobuf; message ${name} { ${fields} } message Used { ${name} x = 1; }`,
      { code: 'TFR_SPEC', message: new RegExp(`google.protobuf.${name}: it has other fields`) },
    ]),
  ])('refuses %s, and says why', async (name, text, expected) => {
    const { message, found, ...facts } = expected as Record<string, RegExp>;
    const error = await failure(() => loadMessageTypes(put(name, text)));
    expect(error).toBeInstanceOf(TFRecordError);
    expect(error).toMatchObject({ ...facts, file: folder.at(name) });
    if (message !== undefined) expect((error as Error).message).toMatch(message);
    if (found !== undefined) expect((error as TFRecordError).found).toMatch(found);
  });

  it('refuses missing files, folders, and wrong arguments', async () => {
    await expect(loadMessageTypes(folder.at('none.proto'))).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(loadMessageTypes(folder.at('none.pb'))).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(loadMessageTypes(folder.at('nested'))).rejects.toMatchObject({ code: 'TFR_SPEC' });
    await expect(loadMessageTypes([])).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
    await expect(loadMessageTypes(7 as never)).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
    await expect(loadMessageTypes('a.proto', { root: 'x' } as never)).rejects.toMatchObject({
      code: 'ERR_INVALID_ARG_VALUE',
    });
    expect(() => new (MessageTypes as unknown as new (...args: unknown[]) => object)('', new Set())).toThrow(
      expect.objectContaining({ code: 'ERR_ILLEGAL_CONSTRUCTOR' }),
    );
  });

  it('ends with a coded error, or with types, wherever a file is cut', async () => {
    const text = PROTOS['old.proto']!;
    for (let end = 0; end < text.length; end += 7) {
      const outcome = await loadMessageTypes(put('cut.proto', text.slice(0, end))).catch((error: unknown) => error);
      expect(outcome).toEqual(
        outcome instanceof MessageTypes ? expect.anything() : expect.objectContaining({ code: 'TFR_SPEC' }),
      );
    }
  });

  it('ends with a coded error, or with types, wherever a set of descriptors is cut or changed', async () => {
    const set = folder.descriptorSet();
    if (set === undefined) return console.warn('protoc is not installed: no set of descriptors was damaged');
    const bytes = readFileSync(set);
    for (let at = 0; at < bytes.length; at += 101) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 0x55;
      for (const damaged of [bytes.subarray(0, at), changed]) {
        const outcome = await loadMessageTypes(put('damaged.pb', damaged)).catch((error: unknown) => error);
        expect(outcome).toEqual(
          outcome instanceof MessageTypes ? expect.anything() : expect.objectContaining({ code: 'TFR_SPEC' }),
        );
      }
    }
  });
});
