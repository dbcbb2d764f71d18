/** Makes PNG and WAV files of raw values: pixels by a stated shape, samples by a stated rate. */
import { InvalidArgumentError } from 'commander';

import { counted, TFRecordError } from '../../../base';
import type { DecodedFeature } from '../../../example';
import { onDemand } from '../../on-demand';

/** Returns the contents of the files for the values of the feature `name`. @throws TFRecordError TFR_FEATURE */
export type Contents = (feature: DecodedFeature, name: string) => readonly Uint8Array[];

/** The shape of raw pixels, which are stored row by row. */
export interface PixelShape {
  readonly height: number;
  readonly width: number;
  readonly channels: 1 | 3 | 4;
}

/** The greatest side of a picture: that of the PNG format. */
const MAX_SIDE = 2 ** 31 - 1;
/** The greatest number of values of a picture: more do not fit in a record. */
const MAX_VALUES = 2 ** 31 - 1;
/** The greatest sample rate, in hertz. */
const MAX_RATE = 768_000;
/** The greatest number of channels of sound. */
const MAX_CHANNELS = 64;

/** PNG's numbers for the kinds of pixels, by their channels: gray, RGB and RGBA. */
const COLOR_TYPES = { 1: 0, 3: 2, 4: 6 } as const;

/** Parses `H,W` or `H,W,C`. @throws InvalidArgumentError */
export function parseShape(text: string): PixelShape {
  const sizes = /^\d{1,10}(?:,\d{1,10}){1,2}$/.test(text) ? text.split(',').map(Number) : [];
  const [height, width, channels = 1] = sizes;
  const sides = [height, width].every((side) => side !== undefined && side > 0 && side <= MAX_SIDE);
  if (!sides || (channels !== 1 && channels !== 3 && channels !== 4)) {
    throw new InvalidArgumentError('Expected height, width and 1, 3 or 4 channels, such as 28,28,1.');
  }
  if (height! * width! * channels > MAX_VALUES) {
    throw new InvalidArgumentError(`Expected a shape of at most ${MAX_VALUES} values.`);
  }
  return { height: height!, width: width!, channels };
}

/** Parses a sample rate. @throws InvalidArgumentError */
export function parseRate(text: string): number {
  return parseWithin(text, MAX_RATE, 'samples per second');
}

/** Parses a number of channels. @throws InvalidArgumentError */
export function parseChannels(text: string): number {
  return parseWithin(text, MAX_CHANNELS, 'channels');
}

function parseWithin(text: string, most: number, unit: string): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > most) throw new InvalidArgumentError(`Expected a number of ${unit} from 1 to ${most}.`);
  return count;
}

/**
 * Returns PNG files of raw pixels: bytes are uint8, or float32 in little-endian order if there are four for each value;
 * int64 values are from 0 to 255; floats are from 0 to 1.
 */
export function pngsOf(shape: PixelShape): Contents {
  const { height, width, channels } = shape;
  const size = height * width * channels;
  const expected = `${counted(size, 'value')} (${height} × ${width} × ${channels})`;
  return (feature, name) => {
    // Many writers leave out a value by an empty list.
    if (feature.values.length === 0) return [];
    const pictures = feature.kind === 'bytes' ? feature.values.toArray() : [feature.values];
    return pictures.map((values) => {
      const isFloatBytes = values instanceof Uint8Array && values.length === 4 * size;
      if (values.length !== size && !isFloatBytes) {
        const found = values instanceof Uint8Array ? counted(values.length, 'byte') : counted(values.length, 'value');
        throw wrongValue(name, expected, found);
      }
      return pngOf(pixelsOf(isFloatBytes ? floatsIn(values) : values, name), shape);
    });
  };
}

function floatsIn(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
}

/** @throws TFRecordError TFR_FEATURE for a value that is outside of its range */
function pixelsOf(values: Uint8Array | Float32Array | BigInt64Array, feature: string): Uint8Array {
  if (values instanceof Uint8Array) return values;
  const pixels = new Uint8Array(values.length);
  const [most, scale] = values instanceof Float32Array ? [1, 255] : [255, 1];
  for (let i = 0; i < values.length; i++) {
    const value = Number(values[i]);
    if (!(value >= 0 && value <= most)) {
      throw wrongValue(feature, `pixels from 0 to ${most}`, `${values[i]} at index ${i}`);
    }
    pixels[i] = Math.round(value * scale);
  }
  return pixels;
}

function pngOf(pixels: Uint8Array, { height, width, channels }: PixelShape): Uint8Array {
  const { PNG } = onDemand.pngjs;
  const colorType = COLOR_TYPES[channels];
  const picture = new PNG({ width, height });
  picture.data = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  // The strategy that suits rows with and without filters.
  const options = { colorType, inputColorType: colorType, bitDepth: 8, deflateLevel: 6, deflateStrategy: 0 } as const;
  return PNG.sync.write(picture, options);
}

/** Returns WAV files of samples: floats are kept as 32-bit floats, int64 values are 16-bit integers. */
export function wavsOf(rate: number, channels: number): Contents {
  return (feature, name) => {
    if (feature.kind === 'bytes') throw wrongValue(name, 'samples that are float or int64 values', 'bytes values');
    const { values } = feature;
    if (values.length === 0) return [];
    if (values.length % channels !== 0) {
      throw wrongValue(name, `a multiple of ${channels} values, one for each channel`, counted(values.length, 'value'));
    }
    const [depth, samples] = feature.kind === 'float' ? ['32f', values] : ['16', samplesOf(feature.values, name)];
    const { WaveFile } = onDemand.wavefile;
    const file = new WaveFile();
    file.fromScratch(channels, rate, depth, samples as ArrayLike<number>);
    return [file.toBuffer()];
  };
}

/** @throws TFRecordError TFR_FEATURE for a value that 16 bits cannot hold */
function samplesOf(values: BigInt64Array, feature: string): Int16Array {
  const samples = new Int16Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = Number(values[i]);
    if (value < -32_768 || value > 32_767) {
      throw wrongValue(feature, 'samples from -32768 to 32767', `${values[i]} at index ${i}`);
    }
    samples[i] = value;
  }
  return samples;
}

/** Returns the values of a bytes feature, as they are. */
export const bytesAsTheyAre: Contents = (feature, name) => {
  if (feature.kind === 'bytes') return feature.values.toArray();
  throw wrongValue(name, 'bytes values', `${feature.kind} values`);
};

function wrongValue(feature: string, expected: string, found: string): TFRecordError {
  const message = `Feature ${JSON.stringify(feature)}: expected ${expected}, found ${found}.`;
  return new TFRecordError('TFR_FEATURE', message, { feature, expected, found });
}
