import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setEnvironmentData } from 'node:worker_threads';

import type { Binding } from '../../../lib/native';
import { unprivileged } from '../../support/unprivileged';
import { describeWasm, lackOfWasm, wasmFile } from '../../support/wasm-module';

/** Every name of the native surface: the compiler refuses this table when one is missing or does not exist. */
const SURFACE: Record<keyof Binding, true> = {
  crc32c: true,
  duckdbRegister: true,
  duckdbQueue: true,
  duckdbPush: true,
  duckdbEndQueue: true,
  duckdbSample: true,
  duckdbEnd: true,
  findHeader: true,
  lockFile: true,
  gather: true,
  frame: true,
  readerOpenFile: true,
  readerOpenFed: true,
  readerOpenRanges: true,
  readerFeed: true,
  readerFeedRange: true,
  readerEndAt: true,
  readerWants: true,
  readerFill: true,
  readerFillSync: true,
  readerSkip: true,
  readerClose: true,
  indexNew: true,
  indexWrote: true,
  indexAddPoint: true,
  keysAdd: true,
  keysOf: true,
  keysFind: true,
  keysSave: true,
  keysHold: true,
  indexLoad: true,
  indexLoadPart: true,
  indexLoaded: true,
  indexSave: true,
  indexPoint: true,
  indexExtents: true,
  indexStart: true,
  indexState: true,
  indexComplete: true,
  indexJump: true,
  gatherPlan: true,
  gatherRead: true,
  encodeColumns: true,
  exampleDecoder: true,
  recordType: true,
  parserNew: true,
  parserClear: true,
  parserAppend: true,
  parserStart: true,
  parserRow: true,
  parserSizes: true,
  parserTake: true,
  examplesOpenFile: true,
  examplesOpenFed: true,
  examplesOpenRanges: true,
  examplesFeed: true,
  examplesFeedRange: true,
  examplesEndAt: true,
  examplesWants: true,
  examplesNext: true,
  examplesNextSync: true,
  examplesSkip: true,
  examplesClose: true,
  examplesReport: true,
  examplesLengths: true,
  examplesSizes: true,
  examplesTake: true,
  examplesDrop: true,
  longestRow: true,
  padRows: true,
  surveyNew: true,
  surveyTake: true,
  surveyMerge: true,
  surveyTotals: true,
  surveyFeature: true,
  linesNew: true,
  linesNewCsv: true,
  linesNewRows: true,
  linesPrint: true,
  jsonRowsNew: true,
  jsonRowsParse: true,
  jsonRowsEncode: true,
  jsonRowsTake: true,
  jsonRowsFree: true,
  csvRowsNew: true,
  csvRowsBegin: true,
  csvRowsSurvey: true,
  csvRowsEncode: true,
  csvRowsTake: true,
  csvRowsFree: true,
  writerOpen: true,
  writerStart: true,
  writerPush: true,
  writerFlush: true,
  writerClose: true,
  writerAbort: true,
  encodeSlabs: true,
  codecs: true,
  detach: true,
  info: true,
};

interface Loader {
  readonly native: () => Binding;
  readonly openAddon: () => void;
}

function freshModule(): Loader {
  let loader: Loader | undefined;
  jest.isolateModules(() => {
    loader = jest.requireActual<Loader>('../../../lib/native');
  });
  return loader!;
}

const freshLoader = (): (() => Binding) => freshModule().native;

const named = process.env['TFRECORD_NATIVE_BINDING'];
afterEach(() => {
  if (named === undefined) delete process.env['TFRECORD_NATIVE_BINDING'];
  else process.env['TFRECORD_NATIVE_BINDING'] = named;
});

test('the addon exports what binding.ts declares', () => {
  const names = Object.keys(freshLoader()()).filter((name) => name !== 'path'); // set by `bindings`
  expect(names.sort()).toEqual(Object.keys(SURFACE).sort());
});

test('an addon that is not there: one error with the place, the platform and the cure', () => {
  process.env['TFRECORD_NATIVE_BINDING'] = join(tmpdir(), 'nowhere', 'tfrecord.node');
  expect(freshLoader()).toThrow(
    new RegExp(
      `could not be loaded on ${process.platform}-${process.arch}.*Tried:\\n.*nowhere.tfrecord\\.node: not there\\nTFRECORD_NATIVE_BINDING names this file: correct it, or unset it`,
      's',
    ),
  );
});

test('an addon that cannot be loaded: the reason of the dynamic linker', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tfr-load-'));
  try {
    const file = join(folder, 'tfrecord.node');
    writeFileSync(file, 'this is no shared library');
    process.env['TFRECORD_NATIVE_BINDING'] = file;
    expect(freshLoader()).toThrow(/tfrecord\.node: (?!not there).+\n/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('an addon whose name Node would not take for one: what the name must be', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tfr-load-'));
  try {
    const file = join(folder, 'libtfrecord.so');
    writeFileSync(file, '');
    process.env['TFRECORD_NATIVE_BINDING'] = file;
    expect(freshLoader()).toThrow(/libtfrecord\.so: its name must end in \.node or \.wasm\n/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('TFRECORD_NATIVE_BINDING names another build', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tfr-load-'));
  try {
    const file = join(folder, 'other.node');
    const loaded = freshLoader()() as Binding & { path: string };
    copyFileSync(loaded.path, file);
    process.env['TFRECORD_NATIVE_BINDING'] = file;
    expect((freshLoader()() as Binding & { path: string }).path).toBe(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('opened at the import of a door', () => {
  test('the addon stays what it was found to be', () => {
    const { native, openAddon } = freshModule();
    openAddon();
    process.env['TFRECORD_NATIVE_BINDING'] = join(tmpdir(), 'nowhere', 'tfrecord.node');
    openAddon();
    expect(native().crc32c(Buffer.from('123456789'), 0)).toBe(0xe3069283);
  });

  test('a failure is kept: nothing is thrown until the first call, and then by each one', () => {
    const { native, openAddon } = freshModule();
    process.env['TFRECORD_NATIVE_BINDING'] = join(tmpdir(), 'nowhere', 'tfrecord.node');
    expect(openAddon).not.toThrow();
    delete process.env['TFRECORD_NATIVE_BINDING'];
    for (let i = 0; i < 2; i++) expect(native).toThrow(/could not be loaded.*nowhere.tfrecord\.node: not there\n/s);
  });

  test('a file that this user may not read: its path, and who needs which right', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tfr-load-'));
    const file = join(folder, 'tfrecord.node');
    try {
      const { native, openAddon } = freshModule();
      writeFileSync(file, '');
      chmodSync(folder, 0);
      process.env['TFRECORD_NATIVE_BINDING'] = file;
      await unprivileged(async () => openAddon());
      expect(native).toThrow(
        new RegExp(`${file}: EACCES: permission denied\\n.*right to read the file.*or import the package before`, 's'),
      );
    } finally {
      chmodSync(folder, 0o700);
      rmSync(folder, { recursive: true });
    }
  });
});

describeWasm(`where there is no addon${lackOfWasm}`, () => {
  /** A loader on a system for which there is no addon. */
  function withoutAddon(): Loader {
    delete process.env['TFRECORD_NATIVE_BINDING'];
    jest.doMock('bindings', () => () => {
      throw new Error('wrong ELF class');
    });
    return freshModule();
  }
  const loaderWithoutAddon = (): (() => Binding) => withoutAddon().native;
  const warnings = (): jest.SpyInstance => jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);

  afterEach(() => {
    jest.dontMock('bindings');
    jest.restoreAllMocks();
    setEnvironmentData('TFRECORD_WASM', undefined);
  });

  test('WebAssembly takes its place, with one warning that says what was tried', () => {
    const warn = warnings();
    expect(loaderWithoutAddon()().info().threads).toBe(1);
    expect(loaderWithoutAddon()().crc32c(Buffer.from('123456789'), 0)).toBe(0xe3069283);
    expect(warn.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^No native addon .* several times slower.*Tried:\n.*tfrecord\.node: (?:wrong ELF class|not there)\n.*cmake-js/s,
        ),
        { type: 'TFRecordWarning', code: 'TFRECORD_WASM' },
      ],
    ]);
  });

  test('the import of a door does not warn: the first call does', () => {
    const warn = warnings();
    const { native, openAddon } = withoutAddon();
    openAddon();
    expect(warn).not.toHaveBeenCalled();
    native();
    native();
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test('TFRECORD_NATIVE_BINDING chooses it without a warning', () => {
    const warn = warnings();
    process.env['TFRECORD_NATIVE_BINDING'] = wasmFile;
    expect(freshLoader()().info().threads).toBe(1);
    expect(warn).not.toHaveBeenCalled();
  });

  test('a file that is no such module: the reason', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tfr-load-'));
    try {
      process.env['TFRECORD_NATIVE_BINDING'] = join(folder, 'other.wasm');
      expect(freshLoader()).toThrow(/other\.wasm: not there/);
      writeFileSync(join(folder, 'other.wasm'), 'no module');
      expect(freshLoader()).toThrow(/other\.wasm: .*expected magic word/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
