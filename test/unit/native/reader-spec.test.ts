/** Both hosts take every member of a spec, from files and from fed bytes alike. */
import { FramingKind, native, type ReaderSpec } from '../../../lib/native';
import { encodeRecords } from '../../../lib/record';
import { wasmBinding } from '../../../lib/native/wasm';
import { NODE_FILES } from '../../../lib/native/wasm/node-files';
import { Folder } from '../../support/records/record-files';
import { testSpec } from '../../support/records/reader-spec';
import { lackOfWasm, wasmModule } from '../../support/wasm-module';

type Host = ReturnType<typeof native>;

const folder = new Folder();

const HOSTS: readonly (readonly [name: string, host: () => Host])[] = [
  ['the addon', native],
  ...(lackOfWasm === '' ? [['WebAssembly', () => wasmBinding(wasmModule(), { files: NODE_FILES })] as const] : []),
];

interface Read {
  readonly records: readonly string[];
  readonly firstRecord: number;
  readonly base: number;
}

/** Reads `bytes` of fewer than 64 KiB from the start of `spec` on, as a file and fed; both ways give the same. */
function readBoth(host: Host, bytes: Uint8Array, spec: ReaderSpec): Read {
  const file = host.readerOpenFile(folder.put('bytes', bytes), spec);
  const fed = host.readerOpenFed(spec);
  host.readerFeed(fed, bytes.subarray(spec.start?.offset ?? 0), true);
  const [fromFile, fromFed] = [file, fed].map((handle): Read => {
    const slab = new Uint8Array(65_536);
    const { frames, firstRecord, base } = host.readerFillSync(handle, slab);
    const records = Array.from({ length: frames.length / 2 }, (_, i) =>
      Buffer.from(slab.buffer, frames[2 * i], frames[2 * i + 1]).toString('latin1'),
    );
    host.readerClose(handle).catch(() => undefined);
    return { records, firstRecord, base };
  });
  expect(fromFed).toEqual(fromFile);
  return fromFile!;
}

// The addon's errors are of another realm.
const refusal = expect.objectContaining({ name: 'RangeError', message: "tfrecord: not a reader's spec" }) as Error;

describe.each(HOSTS)('%s', (_, newHost) => {
  const host = newHost();

  test('begins at a record', () => {
    const [before, after] = [['zero', 'one'], ['two', 'three']].map((records) => encodeRecords(records.map((record) => Buffer.from(record))));
    const start = { record: 2, offset: before!.length };
    expect(readBoth(host, Buffer.concat([before!, after!]), testSpec({ start }))).toEqual({
      records: ['two', 'three'],
      firstRecord: 2,
      base: before!.length,
    });
  });

  test('finds records of each format', () => {
    const text = Buffer.from('a,b\n"c\nd",e\r\n');
    const read = (...framing: NonNullable<ReaderSpec['framing']>): readonly string[] =>
      readBoth(host, text, testSpec({ framing })).records;
    expect(read(FramingKind.Lines)).toEqual(['a,b', '"c', 'd",e']);
    expect(read(FramingKind.Csv, 44)).toEqual(['a,b', '"c\nd",e']);
    expect(read(FramingKind.Fixed, 6, 0, 1, 6)).toEqual(['a,b\n"c', '\nd",e\r']);
    expect(read(FramingKind.Records)).toEqual([]);
  });

  test('takes bytes at an offset for content of a plain file, whatever they are', () => {
    const text = Buffer.from('first\n\x1f\x8b\x08\nlast\n', 'latin1');
    const start = { record: 1, offset: 6 };
    expect(readBoth(host, text, testSpec({ start, framing: [FramingKind.Lines] }))).toEqual({
      records: ['\x1f\x8b\x08', 'last'],
      firstRecord: 1,
      base: 6,
    });
  });

  test.each<Partial<ReaderSpec>>([
    { compression: 4 },
    { verify: 6 },
    { maxRecordBytes: 2 ** 32 - 16 },
    { maxRecordBytes: -1 },
    { start: { record: -1, offset: 0 } },
    { start: { record: 0, offset: NaN } },
    { framing: [4 as never] },
    { framing: [FramingKind.Fixed, 1, 0, 0, 0] },
    { framing: [FramingKind.Csv, 256] },
  ])('refuses %j', (wrong) => {
    const refused = [
      () => host.readerOpenFed(testSpec(wrong)),
      () => host.readerOpenFile('any', testSpec(wrong)),
      () => host.examplesOpenFile('any', testSpec(wrong), host.parserNew([], false, false)),
      () => host.examplesOpenFed(testSpec(wrong), host.parserNew([], false, false)),
      () => host.readerOpenRanges(testSpec(wrong), undefined, 1024),
      () => host.examplesOpenRanges(testSpec(wrong), host.parserNew([], false, false), undefined, 1024),
    ];
    for (const open of refused) expect(open).toThrow(refusal);
  });
});
