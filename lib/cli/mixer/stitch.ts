/** Stitches the patches of an export of Earth Engine to rasters: one file of raw floats for each band, with a header. */
import { InvalidArgumentError } from 'commander';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';

import { codeOf, counted, fromNodeError, TFRecordError } from '../../base';
import { giveName, giveNewName, temporaryName } from '../../io';
import type { RecordBatch } from '../../record';
import { safeSegment } from '../commands/extract/file-names';
import type { FlagOptions } from '../flags';
import { onDemand } from '../on-demand';
import { checkApart } from '../output';
import { ofRecord, readKeptBatches } from '../read-batches';
import { UsageError } from '../terminal/reporter';
import { lineText } from '../terminal/text';
import { enviHeader, type Mixer } from './mixer';

/** The overlap of patches, in pixels: half of it is on each side. */
export interface Kernel {
  readonly width: number;
  readonly height: number;
}

export interface StitchOptions {
  readonly mixer: Mixer;
  readonly kernel: Kernel;
  /** The bands. Undefined: the float features of the first patch that have a value for each pixel. */
  readonly bands: readonly string[] | undefined;
  readonly force: boolean;
  /** Files that no output may replace. */
  readonly inputs: readonly string[];
  readonly reading: FlagOptions;
}

/** The greatest row of patches, in bytes, that is kept in memory. */
const MAX_ROW_BYTES = 2 ** 30;

/** Parses `W,H`. @throws InvalidArgumentError */
export function parseKernel(text: string): Kernel {
  const [width, height] = /^\d{1,5},\d{1,5}$/.test(text) ? text.split(',').map(Number) : [];
  if (width === undefined || height === undefined || width % 2 !== 0 || height % 2 !== 0) {
    throw new InvalidArgumentError('Expected two even numbers of pixels, such as 128,128.');
  }
  return { width, height };
}

/** A raster that is being written. */
interface Raster {
  readonly band: string;
  readonly path: string;
  /** The path of its header. */
  readonly header: string;
  readonly temporary: string;
  readonly handle: FileHandle;
  /** The current row of patches. */
  readonly row: Float32Array;
}

/** Writes the rasters. They get their names when all are complete. */
export class Stitching {
  readonly #options: StitchOptions;
  readonly #output: string;
  readonly #rasters: Raster[] = [];
  #bands: readonly string[] | undefined;
  #patches = 0;
  #file = '';

  /** `output`: the path from which the files are named: `out.raw` gives `out-BAND.raw` and `out-BAND.hdr`. */
  constructor(output: string, options: StitchOptions) {
    this.#output = output;
    this.#options = options;
    this.#bands = options.bands;
  }

  /** Stitches the patches of `files`, in order. Returns the paths of the rasters. @throws TFRecordError; UsageError */
  async run(files: readonly string[]): Promise<readonly string[]> {
    const { mixer, reading, force } = this.#options;
    try {
      for (const file of files) {
        this.#file = file;
        await readKeptBatches(file, reading, async (batch) => {
          for (let i = 0; i < batch.length; i++) await this.#take(batch, i);
          return true;
        });
      }
      if (this.#patches < mixer.totalPatches) {
        const expected = counted(mixer.totalPatches, 'patch', undefined, 'patches');
        const found = counted(this.#patches, 'patch', undefined, 'patches');
        const place = { file: this.#file, record: this.#patches, expected, found };
        throw new TFRecordError('TFR_DECODE', `The mixer describes ${expected}, and the files have ${found}`, place);
      }
      for (const { handle } of this.#rasters) await handle.close();
      for (const { band, path, header, temporary } of this.#rasters) {
        await publish(await written(enviHeader(mixer, band), header), header, force);
        await publish(temporary, path, force);
      }
      return this.#rasters.map(({ path }) => path);
    } finally {
      for (const { handle, temporary } of this.#rasters) {
        await handle.close().catch(() => undefined);
        await rm(temporary, { force: true });
      }
    }
  }

  /** Takes a patch. @throws TFRecordError with its origin */
  async #take(batch: RecordBatch, i: number): Promise<void> {
    const { mixer, reading } = this.#options;
    const { patchesPerRow } = mixer;
    const column = this.#patches % patchesPerRow;
    const found = ofRecord(batch, i, reading, () => this.#valuesIn(batch.at(i)!));
    if (typeof found === 'string') return;
    if (this.#rasters.length === 0) await this.#open([...found.value.keys()]);
    for (const { band, row } of this.#rasters) this.#place(row, column, found.value.get(band)!);
    this.#patches++;
    if (column + 1 < patchesPerRow) return;
    for (const { row, handle, path } of this.#rasters) await writeAll(handle, row, path);
  }

  /** The values of the bands of a patch. @throws TFRecordError TFR_FEATURE, TFR_DECODE */
  #valuesIn(record: Uint8Array): ReadonlyMap<string, Float32Array> {
    const { mixer, kernel } = this.#options;
    if (this.#patches === mixer.totalPatches) {
      const expected = counted(mixer.totalPatches, 'patch', undefined, 'patches');
      throw new TFRecordError('TFR_DECODE', `The mixer describes ${expected}, and there are more`, {
        ...{ expected, found: 'more' },
      });
    }
    const size = (mixer.width + kernel.width) * (mixer.height + kernel.height);
    const bands = (this.#bands ??= bandsIn(record, size));
    const { context } = onDemand.example.decodeNamed(record, new Set(bands));
    return new Map(
      bands.map((band) => {
        const feature = context[band];
        if (feature?.kind === 'float' && feature.values.length === size) return [band, feature.values];
        const expected = `${counted(size, 'float')} (a patch of ${mixer.width + kernel.width} × ${mixer.height + kernel.height})`;
        const found = feature === undefined ? 'none' : `${counted(feature.values.length, 'value')} of ${feature.kind}`;
        const message = `Feature ${JSON.stringify(band)}: expected ${expected}, found ${found}`;
        throw new TFRecordError('TFR_FEATURE', message, { feature: band, expected, found });
      }),
    );
  }

  async #open(bands: readonly string[]): Promise<void> {
    const { mixer, force } = this.#options;
    const { width, height, patchesPerRow } = mixer;
    const pixels = width * height * patchesPerRow;
    if (4 * pixels * bands.length > MAX_ROW_BYTES) {
      throw new UsageError(`a row of patches of ${bands.length} bands has over 1 GiB: --features names fewer bands`);
    }
    const end = extname(this.#output);
    const stem = this.#output.slice(0, this.#output.length - end.length);
    const outputs = bands.map((band) => {
      const name = `${stem}-${safeSegment(band)}`;
      return { path: `${name}${end}`, header: `${name}.hdr` };
    });
    const paths = outputs.flatMap(({ path, header }) => [path, header]);
    if (end.toLowerCase() === '.hdr') throw new UsageError('the headers end with .hdr: name the rasters otherwise');
    if (new Set(paths.map((path) => path.toLowerCase())).size < paths.length) {
      throw new UsageError('two bands would have files of the same name: --features names one of them');
    }
    for (const path of paths) await checkApart(path, this.#options.inputs);
    for (const [i, { path, header }] of outputs.entries()) {
      if (!force) for (const one of [path, header]) await checkAbsent(one);
      const temporary = temporaryName(join(dirname(path), 'raster'));
      const handle = await open(temporary, 'wx').catch((error: unknown) => {
        throw fromNodeError(error, path);
      });
      this.#rasters.push({ band: bands[i]!, path, header, temporary, handle, row: new Float32Array(pixels) });
    }
  }

  /** Copies a patch without its overlap into the row. */
  #place(row: Float32Array, column: number, values: Float32Array): void {
    const { mixer, kernel } = this.#options;
    const { width, height, patchesPerRow } = mixer;
    const stored = width + kernel.width;
    for (let y = 0; y < height; y++) {
      const from = (y + kernel.height / 2) * stored + kernel.width / 2;
      row.set(values.subarray(from, from + width), y * width * patchesPerRow + column * width);
    }
  }
}

/** The float features of a patch of `size` values. @throws TFRecordError TFR_FEATURE if there are none */
function bandsIn(record: Uint8Array, size: number): readonly string[] {
  const { context } = onDemand.example.decodeSequenceExample(record);
  const bands = Object.entries(context).flatMap(([name, feature]) =>
    feature?.kind === 'float' && feature.values.length === size ? [name] : [],
  );
  if (bands.length > 0) return bands.sort();
  const expected = `features of ${counted(size, 'float')}, which are the bands`;
  const message = `Expected ${expected}, found none; the size of an overlap is given by --kernel`;
  throw new TFRecordError('TFR_FEATURE', message, { expected, found: 'none' });
}

async function writeAll(handle: FileHandle, row: Float32Array, path: string): Promise<void> {
  const bytes = new Uint8Array(row.buffer, row.byteOffset, row.byteLength);
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, at).catch((error: unknown) => {
      throw fromNodeError(error, path);
    });
    at += bytesWritten;
  }
}

/** Writes a temporary file beside `path`, and returns its name. */
async function written(text: string, path: string): Promise<string> {
  const temporary = temporaryName(join(dirname(path), 'raster'));
  const handle = await open(temporary, 'wx');
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
  return temporary;
}

async function publish(temporary: string, path: string, force: boolean): Promise<void> {
  await (force ? giveName : giveNewName)(temporary, path).catch(async (error: unknown) => {
    await rm(temporary, { force: true });
    throw codeOf(error) === 'EEXIST' ? exists(path) : fromNodeError(error, path);
  });
}

async function checkAbsent(path: string): Promise<void> {
  const there = await open(path, 'r').catch(() => undefined);
  await there?.close();
  if (there !== undefined) throw exists(path);
}

function exists(path: string): UsageError {
  return new UsageError(`${lineText(path)} exists: --force replaces it`);
}
