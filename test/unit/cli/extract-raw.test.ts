import fc from 'fast-check';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import { WaveFile } from 'wavefile';

import { decodeExample, encodeExample, encodeSequenceExample, float, int64 } from '../../../lib';
import { pngsOf, wavsOf, parseShape } from '../../../lib/cli/commands/extract/raw-values';
import { PeopleFolder } from '../../support/records/people';

const folder = new PeopleFolder();
afterAll(() => {
  folder.remove();
});

const extract = (...args: string[]) => folder.here('extract', ...args);
const png = (path: string) => PNG.sync.read(readFileSync(folder.at(path)));
/** The pixels of a PNG, which pngjs gives as RGBA. */
const rgba = (path: string): number[] => [...png(path).data];
const floatBytes = (values: readonly number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);

folder.write('pixels', [
  encodeExample({ gray: Uint8Array.of(0, 255, 7, 128), 'float/bytes': floatBytes([0, 1, 0.5, 0.2]), id: 'a' }),
  encodeExample({ gray: int64([1, 2, 3, 4]), id: 'b' }),
  encodeExample({ gray: float([0, 1, 0.5, 0.2]), id: 'c' }),
  encodeExample({ gray: [], id: 'none' }),
]);

describe('tfrecord extract --shape', () => {
  it('writes pixels of bytes, integers and floats as PNG', async () => {
    const { code, stdout } = await extract('pixels', '--feature', 'gray', '--shape', '2,2,1', '-o', 'gray');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^3 files to gray \(3 png; \d+ bytes\); 1 record without "gray"\n$/),
    });
    expect(png('gray/00000000.png')).toMatchObject({ width: 2, height: 2 });
    expect(rgba('gray/00000000.png').filter((_, i) => i % 4 === 0)).toEqual([0, 255, 7, 128]);
    expect(rgba('gray/00000001.png').filter((_, i) => i % 4 === 0)).toEqual([1, 2, 3, 4]);
    expect(rgba('gray/00000002.png').filter((_, i) => i % 4 === 0)).toEqual([0, 255, 128, 51]);
    await extract('pixels', '--feature', 'float/bytes', '--shape', '2,2', '-o', 'floats');
    expect(rgba('floats/00000000.png').filter((_, i) => i % 4 === 0)).toEqual([0, 255, 128, 51]);
  });

  it('writes a picture for each value and each step', async () => {
    const [one, two] = [Uint8Array.of(1, 2, 3), Uint8Array.of(4, 5, 6)];
    folder.write('steps', [
      encodeExample({ p: [one, two] }),
      encodeSequenceExample({ context: {}, featureLists: { p: [int64([1, 2, 3]), int64([4, 5, 6])] } }),
    ]);
    expect((await extract('steps', '--feature', 'p', '--shape', '1,1,3', '-o', 'steps.d')).code).toBe(0);
    expect(readdirSync(folder.at('steps.d')).sort()).toEqual([
      '00000000-0.png',
      '00000000-1.png',
      '00000001-0.png',
      '00000001-1.png',
    ]);
    expect(rgba('steps.d/00000001-1.png')).toEqual([4, 5, 6, 255]);
  });

  it('keeps any pixels of any shape', () => {
    const shapes = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), fc.constantFrom(1, 3, 4));
    const pictures = shapes.chain(([height, width, channels]) => {
      const size = height * width * channels;
      return fc.record({
        shape: fc.constant(`${height},${width},${channels}`),
        values: fc.uint8Array({ minLength: size, maxLength: size }),
        form: fc.constantFrom('bytes', 'int64', 'float', 'floatBytes'),
      });
    });
    fc.assert(
      fc.property(pictures, ({ shape, values, form }) => {
        const parts = Float32Array.from(values, (value) => value / 255);
        const feature = {
          bytes: () => [values],
          int64: () => int64([...values]),
          float: () => float(parts),
          floatBytes: () => [new Uint8Array(parts.buffer)],
        }[form]();
        const { height, width, channels } = parseShape(shape);
        const [file] = pngsOf({ height, width, channels })(decodeExample(encodeExample({ p: feature }))['p']!, 'p');
        const picture = PNG.sync.read(Buffer.from(file!));
        expect(picture).toMatchObject({ width, height });
        const expected = Array.from({ length: height * width }, (_, i) => {
          const pixel = [...values.subarray(i * channels, (i + 1) * channels)];
          return channels === 1 ? [pixel[0], pixel[0], pixel[0], 255] : channels === 3 ? [...pixel, 255] : pixel;
        });
        expect([...picture.data]).toEqual(expected.flat());
      }),
    );
  });

  it.each([
    ['2,3', 'gray', 'expected 6 values \\(2 × 3 × 1\\), found 4 bytes'],
    ['2,2,3', 'gray', 'expected 12 values \\(2 × 2 × 3\\), found 4 bytes'],
    ['8,1', 'float/bytes', 'expected 8 values \\(8 × 1 × 1\\), found 16 bytes'],
  ])('refuses values of another shape than %s', async (shape, feature, problem) => {
    const { code, stderr } = await extract('pixels', '--feature', feature, '--shape', shape, '-o', 'unfit');
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`TFR_FEATURE: Record 0 of pixels: Feature "${feature}": ${problem}`));
  });

  it.each([
    [int64([256]), 'expected pixels from 0 to 255, found 256 at index 0'],
    [int64([-1n]), 'found -1 at index 0'],
    [int64([2n ** 63n - 1n]), 'found 9223372036854775807 at index 0'],
    [float([1.5]), 'expected pixels from 0 to 1, found 1.5 at index 0'],
    [float([NaN]), 'found NaN at index 0'],
    [[Uint8Array.of()], 'expected 1 value \\(1 × 1 × 1\\), found 0 bytes'],
  ])('refuses pixels outside of their range: %#', async (value, problem) => {
    folder.write('outside', [encodeExample({ p: value }), encodeExample({ p: int64([9]) })]);
    const args = ['outside', '--feature', 'p', '--shape', '1,1', '-o', 'outside.d', '--force'];
    const { code, stderr } = await extract(...args);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(new RegExp(problem)) });
    expect(await extract(...args, '--on-error', 'skip')).toMatchObject({ code: 0 });
    expect(rgba('outside.d/00000001.png')).toEqual([9, 9, 9, 255]);
  });

  it('refuses wrong use', async () => {
    for (const [args, problem] of [
      [['--shape', '2,2'], '--shape needs --feature'],
      [['--rate', '8000'], '--rate needs --feature'],
      [['--feature', 'p', '--channels', '2'], '--channels needs --rate'],
      [['--feature', 'p', '--shape', '2,2', '--rate', '8000'], 'cannot be used with'],
      [['--feature', 'p', '--rate', '0'], 'from 1 to 768000'],
      [['--feature', 'p', '--rate', '1', '--channels', '65'], 'from 1 to 64'],
      ...['2', '0,2', '2,2,2', '2,2,3,1', '2x2', '65536,65536,1', '-1,2', '9999999999,1'].map(
        (shape) => [['--feature', 'p', '--shape', shape], 'Expected'] as const,
      ),
    ] as const) {
      const { code, stderr } = await extract('pixels', ...args, '-o', 'wrong');
      expect({ args, code, stderr }).toEqual({ args, code: 2, stderr: expect.stringContaining(problem) });
    }
    expect(existsSync(folder.at('wrong'))).toBe(false);
  });
});

describe('tfrecord extract --rate', () => {
  it('writes samples as WAV', async () => {
    folder.write('sounds', [
      encodeExample({ audio: float([0, 0.5, -1, 1]) }),
      encodeExample({ audio: int64([0, 1, -32_768, 32_767]) }),
    ]);
    const { stdout } = await extract('sounds', '--feature', 'audio', '--rate', '16000', '-o', 'sounds.d');
    expect(stdout).toMatch(/^2 files to sounds\.d \(2 wav; /);
    const floats = new WaveFile(readFileSync(folder.at('sounds.d/00000000.wav')));
    expect(floats.fmt).toMatchObject({ sampleRate: 16_000, numChannels: 1, bitsPerSample: 32, audioFormat: 3 });
    expect([...floats.getSamples()]).toEqual([0, 0.5, -1, 1]);
    const integers = new WaveFile(readFileSync(folder.at('sounds.d/00000001.wav')));
    expect(integers.fmt).toMatchObject({ sampleRate: 16_000, numChannels: 1, bitsPerSample: 16, audioFormat: 1 });
    expect([...integers.getSamples()]).toEqual([0, 1, -32_768, 32_767]);
    const stereo = ['sounds', '--feature', 'audio', '--rate', '8000', '--channels', '2', '-o', 'stereo'];
    expect((await extract(...stereo)).code).toBe(0);
    const two = new WaveFile(readFileSync(folder.at('stereo/00000001.wav')));
    expect(two.fmt).toMatchObject({ sampleRate: 8000, numChannels: 2, byteRate: 32_000, blockAlign: 4 });
    expect([...(two.getSamples(false, Int16Array) as unknown as Int16Array[])].map((channel) => [...channel])).toEqual([
      [0, -32_768],
      [1, 32_767],
    ]);
  });

  it('keeps every float', () => {
    fc.assert(
      fc.property(fc.float32Array({ minLength: 1, maxLength: 40, noNaN: true }), (values) => {
        const [file] = wavsOf(8000, 1)(decodeExample(encodeExample({ a: float(values) }))['a']!, 'a');
        const at = Buffer.from(file!).indexOf('data') + 8;
        expect(new Float32Array(file!.slice(at).buffer)).toEqual(values);
      }),
    );
  });

  it.each([
    ['1', int64([32_768]), 'expected samples from -32768 to 32767, found 32768 at index 0'],
    ['1', ['text'], 'expected samples that are float or int64 values, found bytes values'],
    ['2', float([1, 2, 3]), 'expected a multiple of 2 values, one for each channel, found 3 values'],
  ])('refuses other values: %#', async (channels, value, problem) => {
    folder.write('other', [encodeExample({ a: value })]);
    const args = ['--feature', 'a', '--rate', '8000', '--channels', channels, '-o', 'other.d'];
    const { code, stderr } = await extract('other', ...args);
    expect(code).toBe(1);
    expect(stderr).toContain(`TFR_FEATURE: Record 0 of other: Feature "a": ${problem}`);
  });
});
