/** Reads `mixer.json`, which says how the patches of an export of Earth Engine tile their region. */
import { readFile } from 'node:fs/promises';

import { fromNodeError, isInteger, isObject, TFRecordError } from '../../base';

export interface Mixer {
  /** Size of a patch, in pixels, without the overlap. */
  readonly width: number;
  readonly height: number;
  readonly patchesPerRow: number;
  readonly totalPatches: number;
  /** The coordinate system, such as `EPSG:32610`; undefined if the file has none. */
  readonly crs: string | undefined;
  /** Six numbers: x of a pixel is `a·column + b·row + c`, y is `d·column + e·row + f`. Undefined if the file has none. */
  readonly affine: readonly number[] | undefined;
}

/** The greatest side of a patch and of a raster, in pixels. */
const MAX_SIDE = 2 ** 31 - 1;
/** The greatest number of patches. */
const MAX_PATCHES = 2 ** 31 - 1;

/** @throws TFRecordError TFR_SPEC for a file that does not describe patches; Node's code if it cannot be read */
export async function readMixer(file: string): Promise<Mixer> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw fromNodeError(error, file);
  });
  const fault = (expected: string, found: string, cause?: unknown): TFRecordError =>
    new TFRecordError('TFR_SPEC', `${file} does not describe patches: expected ${expected}, found ${found}`, {
      ...{ file, expected, found, cause },
    });
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw fault('JSON', 'other text', cause);
  }
  const { patchDimensions, patchesPerRow, totalPatches, projection } = isObject(json) ? json : {};
  const [width, height] = Array.isArray(patchDimensions) ? (patchDimensions as unknown[]) : [];
  const shown = (value: unknown): string => JSON.stringify(value ?? null).slice(0, 60);
  if (!isInteger(width, 1, MAX_SIDE) || !isInteger(height, 1, MAX_SIDE)) {
    throw fault('patchDimensions of a width and a height', shown(patchDimensions));
  }
  if (!isInteger(patchesPerRow, 1, MAX_PATCHES)) throw fault('patchesPerRow of at least 1', shown(patchesPerRow));
  if (!isInteger(totalPatches, 1, MAX_PATCHES) || totalPatches % patchesPerRow !== 0) {
    throw fault(`totalPatches that are whole rows of ${patchesPerRow}`, shown(totalPatches));
  }
  if (width * patchesPerRow > MAX_SIDE || (height * totalPatches) / patchesPerRow > MAX_SIDE) {
    throw fault(`a raster of at most ${MAX_SIDE} pixels a side`, `${patchesPerRow} patches of ${width} pixels a row`);
  }
  const { crs, affine } = isObject(projection) ? projection : {};
  const matrix: unknown = isObject(affine) ? affine['doubleMatrix'] : undefined;
  const isMatrix = Array.isArray(matrix) && matrix.length === 6 && matrix.every((one) => Number.isFinite(one));
  if (matrix !== undefined && !isMatrix) throw fault('an affine transform of 6 numbers', shown(matrix));
  return {
    ...{ width, height, patchesPerRow, totalPatches },
    crs: typeof crs === 'string' && /^[\x20-\x7e]{1,200}$/.test(crs) ? crs : undefined,
    affine: isMatrix ? (matrix as number[]) : undefined,
  };
}

/** The text of an ENVI header of a raster of float32 in little-endian order. `band`: the name of the band. */
export function enviHeader({ width, height, patchesPerRow, totalPatches, crs, affine }: Mixer, band: string): string {
  // Braces and line ends would end the list of names.
  const name = band.replace(/[{},\r\n]/g, '_');
  const lines = [
    'ENVI',
    `samples = ${width * patchesPerRow}`,
    `lines = ${(height * totalPatches) / patchesPerRow}`,
    'bands = 1',
    'header offset = 0',
    'file type = ENVI Standard',
    'data type = 4',
    'interleave = bsq',
    'byte order = 0',
    `band names = {${name}}`,
  ];
  if (affine !== undefined) {
    const [a, b, c, d, e, f] = affine as [number, number, number, number, number, number];
    // ENVI's map info has square turns only; others are kept as the comment that they are.
    if (b === 0 && d === 0 && e < 0) lines.push(`map info = {Arbitrary, 1, 1, ${c}, ${f}, ${a}, ${-e}}`);
    lines.push(`; affine = ${[a, b, c, d, e, f].join(', ')}`);
  }
  if (crs !== undefined) lines.push(`; crs = ${crs}`);
  return `${lines.join('\n')}\n`;
}
