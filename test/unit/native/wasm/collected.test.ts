/** Handles of a WebAssembly instance that are collected while a function, a reader or a promise still needs them. */
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { IndexHandle, ParserHandle, ReaderSpec } from '../../../../lib/native';
import { NODE_FILES } from '../../../../lib/native/wasm/node-files';
import { wasmBinding } from '../../../../lib/native/wasm';
import { encodeExample, int64 } from '../../../../lib/example';
import { encodeRecords } from '../../../../lib/record';
import { Folder } from '../../../support/records/record-files';
import { testSpec } from '../../../support/records/reader-spec';
import { endedWell, runCase } from '../../../support/running/run-case';
import { describeWasm, lackOfWasm, wasmFile, wasmModule } from '../../../support/wasm-module';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const SPEC = testSpec({ maxRecordBytes: 2 ** 31 - 1 });
const noting = (index: IndexHandle): ReaderSpec => ({ ...SPEC, index });
const BLOCK_BYTES = 1024;
const example = (id: number): Uint8Array => encodeExample({ id: int64(id) });

describeWasm(`a handle that is collected${lackOfWasm}`, () => {
  const module = lackOfWasm === '' ? wasmModule() : (undefined as never);
  type Binding = ReturnType<typeof wasmBinding>;

  const newParser = (binding: Binding, name = 'id'): ParserHandle =>
    binding.parserNew(
      [{ key: Buffer.from(name), section: 0, kind: 3, count: -1, required: false, fallback: undefined }],
      false,
      false,
    );

  /** Collects what is left, frees it, and has its memory used again. */
  async function collectAll(binding: Binding): Promise<void> {
    collect();
    for (let i = 0; i < 3; i++) await turn();
    for (let i = 0; i < 20; i++) newParser(binding, `${i}`.repeat(i));
  }

  test('the function that parses single records holds its parser', async () => {
    const binding = wasmBinding(module);
    const freed = jest.fn();
    const parsers = new FinalizationRegistry(freed);
    // V8 keeps what a suspended function has used: only functions that return touch these.
    let parse: (record: Uint8Array, block: Uint8Array) => boolean;
    const renew = (): void => {
      const parser = newParser(binding);
      parsers.register(parser, undefined);
      parse = binding.parserRow(parser);
    };
    const expectParsed = (id: number): void => {
      const block = new Uint8Array(BLOCK_BYTES);
      expect(parse(example(id), block)).toBe(true);
      expect(new BigInt64Array(block.buffer)).toContain(BigInt(id));
    };
    renew();
    expectParsed(77);
    await collectAll(binding);
    for (let id = 1000; id < 1010; id++) expectParsed(id);
    expect(freed).not.toHaveBeenCalled();
  });

  test('functions that parse single records do not leak', async () => {
    const options = { args: [wasmFile], flags: ['--expose-gc'] };
    const parsed = Array.from({ length: 10 }, () => true);
    expect(await runCase('lifecycle/cases/memory/collected-row-functions', options)).toEqual(
      endedWell(...parsed, { most: true }),
    );
  });

  test('a reader of Examples holds the plan of its parser', async () => {
    const binding = wasmBinding(module);
    const reader = binding.examplesOpenFed(SPEC, newParser(binding));
    binding.examplesFeed(reader, encodeRecords([example(5), example(6)]), true);
    await collectAll(binding);
    const piece = await binding.examplesNext(reader, 2);
    await collectAll(binding);
    const arrays = [new Int32Array(3), new BigInt64Array(2)];
    binding.examplesTake(reader, piece, 0, 2, arrays);
    expect(arrays).toEqual([Int32Array.of(0, 1, 2), BigInt64Array.of(5n, 6n)]);
    await binding.examplesClose(reader);
  });

  test('what a promise waits for stays: fills, pieces, writes, scans', async () => {
    const folder = new Folder();
    const file = folder.write('a.tfrecord', Array.from({ length: 2000 }, (_, i) => example(i)));
    const binding = wasmBinding(module, { files: NODE_FILES });
    const [slab, other] = [new Uint8Array(65_536), new Uint8Array(2 ** 20)];
    const pending = [
      binding.readerFill(binding.readerOpenFile(file, SPEC), slab),
      binding.examplesNext(binding.examplesOpenFile(file, SPEC, newParser(binding)), 100),
      binding.writerStart(binding.writerOpen(undefined, 0, 6, false, 1), 0),
      binding.readerFill(binding.readerOpenFile(file, noting(binding.indexNew(2 ** 20, 2 ** 20, false, 0))), other),
    ];
    await collectAll(binding);
    const [fill, piece, write, noted] = await Promise.all(pending);
    expect(fill).toMatchObject({ halt: undefined, faults: [] });
    expect(piece).toEqual(expect.any(Number));
    expect(write).toMatchObject({ fault: undefined });
    expect(noted).toMatchObject({ frames: { length: 4000 }, faults: [] });
    folder.remove();
  });

  test('a reader by an index outlives the index', async () => {
    const folder = new Folder();
    const file = folder.write('a.tfrecord', Array.from({ length: 2000 }, (_, i) => example(i)));
    const binding = wasmBinding(module, { files: NODE_FILES });
    const reader = await (async () => {
      const index = binding.indexNew(2 ** 20, 2 ** 20, false, 0);
      await binding.readerFill(binding.readerOpenFile(file, noting(index)), new Uint8Array(2 ** 20));
      expect(binding.indexState(index)).toMatchObject({ records: 2000 });
      const { start } = binding.indexJump(index, 1500, 1501)!;
      return binding.readerOpenFile(file, { ...SPEC, start });
    })();
    await collectAll(binding);
    const slab = new Uint8Array(65_536);
    const fill = await binding.readerFill(reader, slab);
    await collectAll(binding);
    const [offset = 0, length = 0] = fill.frames.subarray(2 * (1500 - fill.firstRecord));
    expect(slab.subarray(offset, offset + length)).toEqual(example(1500));
    await binding.readerClose(reader);
    folder.remove();
  });

  test('the function that decodes single records holds its decoder', async () => {
    const binding = wasmBinding(module);
    const decode = binding.exampleDecoder(false);
    const decoded = (): Uint8Array => {
      const block = new Uint8Array(BLOCK_BYTES);
      expect(decode(block, example(9))).toBe(0);
      return block;
    };
    const before = decoded();
    await collectAll(binding);
    expect(decoded()).toEqual(before);
  });
});
