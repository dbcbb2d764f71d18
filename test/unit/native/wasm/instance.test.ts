import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import { FillOutcome, native } from '../../../../lib/native';
import { NodeFileSink } from '../../../../lib/native/wasm/node-file-sink';
import { NODE_FILES } from '../../../../lib/native/wasm/node-files';
import { Instance } from '../../../../lib/native/wasm/instance';
import { wasmBinding, type HostFiles } from '../../../../lib/native/wasm';
import { encodeRecords } from '../../../../lib/record';
import { init } from '../../../../lib/wasm/init';
import { Folder } from '../../../support/records/record-files';
import { testSpec } from '../../../support/records/reader-spec';
import { endedWell, runCase } from '../../../support/running/run-case';
import { describeWasm, lackOfWasm, wasmFile, wasmModule } from '../../../support/wasm-module';

const LONG = testSpec({ maxRecordBytes: 2 ** 31 - 1 });

/** Reads the bytes, or the file with this path, to the end; returns the records, as text. */
async function readAll(binding: ReturnType<typeof wasmBinding>, file: Uint8Array | string): Promise<string[]> {
  const fed = typeof file !== 'string';
  const reader = fed
    ? binding.readerOpenFed(LONG)
    : binding.readerOpenFile(file, LONG);
  if (fed) binding.readerFeed(reader, file, true);
  const records: string[] = [];
  for (let size = 65_536; ; ) {
    const slab = new Uint8Array(size);
    const fill = await binding.readerFill(reader, slab);
    for (let i = 0; i < fill.frames.length; i += 2) {
      const [offset, length] = fill.frames.subarray(i, i + 2) as unknown as [number, number];
      records.push(Buffer.from(slab.buffer, offset, length).toString('latin1'));
    }
    if (fill.outcome === FillOutcome.Grow) size = fill.growTo;
    else if (fill.outcome !== FillOutcome.More) {
      await binding.readerClose(reader);
      if (fill.outcome === FillOutcome.Halt) throw Object.assign(new Error('halt'), { fault: fill.halt });
      return records;
    }
  }
}

describeWasm(`an instance of tfrecord.wasm${lackOfWasm}`, () => {
  const module = lackOfWasm === '' ? wasmModule() : (undefined as never);

  test('reads plain, gzip and zlib bytes, in memory that grows meanwhile', async () => {
    const records = Array.from({ length: 50 }, (_, i) => String(i % 10).repeat(200_000));
    const plain = encodeRecords(records.map((record) => Buffer.from(record)));
    const binding = wasmBinding(module);
    expect(await readAll(binding, plain)).toEqual(records);
    expect(await readAll(binding, gzipSync(plain))).toEqual(records);
  });

  test('finds the headers that the addon finds', () => {
    const binding = wasmBinding(module);
    const framed = encodeRecords([Buffer.alloc(100, 1), Buffer.alloc(0)]);
    for (const bytes of [Buffer.concat([randomBytes(1000), framed]), randomBytes(500), framed.subarray(0, 11), framed]) {
      for (const most of [50, 2 ** 32 - 17]) {
        for (const part of [bytes, bytes.subarray(1)])
          expect(binding.findHeader(part, most)).toBe(native().findHeader(part, most));
      }
    }
    expect(binding.findHeader(framed.subarray(1), 100)).toBe(115);
  });

  test('writes what the addon writes', () => {
    const slab = (): Uint8Array => {
      const to = new Uint8Array(2 * 16 + 8);
      native().frame([Buffer.from('abcdefgh')], Uint32Array.of(0, 0, 3, 0, 3, 5), 2, to, 0);
      return to;
    };
    const binding = wasmBinding(module);
    for (const [compression, level] of [
      [0, 6],
      [1, 6],
      [2, 6],
      [1, 0],
    ] as const) {
      const ours = binding.encodeSlabs([slab()], Uint32Array.of(2), compression, level);
      expect(ours).toEqual(native().encodeSlabs([slab()], Uint32Array.of(2), compression, level));
    }
  });

  test('a lack of memory is a fault or an error, and the instance lives on', async () => {
    const binding = wasmBinding(module, { maxPages: 128 });
    const large = encodeRecords([new Uint8Array(6 << 20)]);
    expect(() => binding.readerFeed(binding.readerOpenFed(testSpec()), large, true)).toThrow(
      expect.objectContaining({ code: 'ENOMEM', syscall: 'malloc' }) as Error,
    );
    const reader = binding.readerOpenFed(testSpec());
    expect(() => binding.readerFill(reader, new Uint8Array(16 << 20))).toThrow('ENOMEM');
    // Memory that runs out within core: the parser's columns.
    const parser = binding.parserNew(
      [{ key: Buffer.from('x'), section: 0, kind: 1, count: -1, required: false, fallback: undefined }],
      false,
      false,
    );
    const pieces = binding.examplesOpenFed(LONG, parser);
    const part = encodeRecords(Array.from({ length: 20 }, () => new Uint8Array(100_000)));
    expect(() => {
      for (let i = 0; i < 8; i++) binding.examplesFeed(pieces, part, false);
    }).toThrow('ENOMEM');
    await binding.examplesClose(pieces);
    const small = encodeRecords([Buffer.from('small')]);
    expect(await readAll(binding, small)).toEqual(['small']);
  });

  test('an exception in core is caught there: a plan for which there is no memory', async () => {
    const binding = wasmBinding(module, { maxPages: 128 });
    const many = Array.from({ length: 60_000 }, (_, i) => ({
      key: Buffer.from(`a feature with a name of its own, number ${i}`),
      section: 0 as const,
      kind: 1 as const,
      count: -1,
      required: false,
      fallback: undefined,
    }));
    expect(() => binding.parserNew(many, false, false)).toThrow('ENOMEM');
    expect(await readAll(binding, encodeRecords([Buffer.from('x')]))).toEqual(['x']);
  });

  test('after an error of its own, each call throws one error that says what to do', async () => {
    const instance = new Instance(module);
    // No reader lies there.
    expect(() => instance.exports.tfr_reader_close(0xffff_fff0)).toThrow(/has stopped after an error of its own/);
    expect(() => instance.exports.tfr_alloc(8)).toThrow(/has stopped/);
  });

  test('pending work ends with that error, too', async () => {
    const instance = new Instance(module);
    const pending = instance.jobs.begin(8, undefined, () => undefined);
    instance.jobs.settle(8);
    expect(() => instance.exports.tfr_reader_free(0xffff_fff0)).toThrow(/has stopped/);
    await expect(pending).rejects.toThrow(/has stopped/);
  });

  test('without files, a path is refused by the system', async () => {
    const binding = wasmBinding(module);
    const reader = binding.readerOpenFile('/etc/hosts', testSpec());
    const { halt } = await binding.readerFill(reader, new Uint8Array(1024));
    expect(halt).toMatchObject({ code: 'SYSTEM', part: 'open', systemError: 38 });
    const writer = binding.writerOpen('/tmp/never', 0, 6, true, 1);
    expect((await binding.writerStart(writer, 0)).fault).toMatchObject({ code: 'SYSTEM', part: 'open' });
  });

  test('a system error of a file is a fault, and where nobody could be told, it is nothing', async () => {
    const folder = new Folder();
    const file = folder.write('a.tfrecord', [Buffer.from('a record')]);
    const fail = (syscall: string) => (): never => {
      throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO', errno: -5, syscall });
    };
    const failing = (parts: Partial<HostFiles>): ReturnType<typeof wasmBinding> =>
      wasmBinding(module, { files: { ...NODE_FILES, ...parts } });
    const fault = (part: string): object => ({ fault: { code: 'SYSTEM', part, systemError: 5 } });
    await expect(readAll(failing({ open: fail('fstat') }), file)).rejects.toMatchObject(fault('open'));
    await expect(readAll(failing({ read: fail('read') }), file)).rejects.toMatchObject(fault('read'));
    expect(await readAll(failing({ size: fail('fstat') }), file)).toEqual(['a record']);
    const descriptors: number[] = [];
    const close = (descriptor: number): never => {
      descriptors.push(descriptor);
      return fail('close')();
    };
    const binding = failing({ close });
    expect(await readAll(binding, file)).toEqual(['a record']);
    expect(await readAll(binding, file)).toEqual(['a record']);
    expect(descriptors).toHaveLength(2);
    for (const descriptor of descriptors) NODE_FILES.close(descriptor);
    folder.remove();
  });

  test('any other error of a file ends the instance', async () => {
    const open = (): never => {
      throw new TypeError('an error of this package');
    };
    const binding = wasmBinding(module, { files: { ...NODE_FILES, open } });
    await expect(readAll(binding, 'any')).rejects.toThrow(/has stopped after an error of its own/);
  });

  test('handles that are collected after the end of their instance do not end the process', async () => {
    const options = { args: [wasmFile], flags: ['--expose-gc'] };
    const ended = expect.stringContaining('has stopped after an error of its own') as string;
    expect(await runCase('lifecycle/cases/memory/collected-after-end', options)).toEqual(
      endedWell(ended, { all: true }),
    );
  });

  test('timers run while a file is read', async () => {
    const binding = wasmBinding(module, { files: NODE_FILES });
    const plain = encodeRecords(Array.from({ length: 40 }, () => new Uint8Array(1 << 20)));
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await readAll(binding, gzipSync(plain, { level: 1 }));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
  });

  test('the event loop turns between two slabs that are compressed', async () => {
    const binding = wasmBinding(module);
    const writer = binding.writerOpen(undefined, 1, 6, false, 1);
    await binding.writerStart(writer, 0);
    let turns = 0;
    let running = true;
    const turn = (): void => {
      turns++;
      if (running) setImmediate(turn);
    };
    setImmediate(turn);
    const slabs = Array.from({ length: 6 }, (_, i) => encodeRecords([randomBytes(1_000_000 + i)]));
    await Promise.all(slabs.map((slab) => binding.writerPush(writer, slab, slab.length, 1, false, false)));
    running = false;
    await binding.writerAbort(writer);
    expect(turns).toBeGreaterThanOrEqual(slabs.length - 1);
  });
});

test('a write that takes nothing is an error, not a wait', () => {
  const sink = new NodeFileSink('/dev/null', false);
  expect(sink.open()).toBe(true);
  const error = expect.objectContaining({ code: 'EIO', syscall: 'write' }) as Error;
  expect(() => sink.write(new Uint8Array(0))).toThrow(error);
  sink.abandon();
});

test('a clone without the module is told how to make it', async () => {
  await expect(init('file:///none/tfrecord.wasm')).rejects.toThrow(
    'file:///none/tfrecord.wasm cannot be read. In a clone, npm run build:prebuilds wasm32 makes it.',
  );
});
