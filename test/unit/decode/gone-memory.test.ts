/** Decoders refuse bytes whose memory was transferred, and never take them for empty ones. */
import { decodeCompressed, decodeCsv, decodeJsonExample, decodePaddedRaw, decodeRaw, parseTensor } from '../../../lib';

function gone(): Uint8Array {
  const bytes = new Uint8Array(8);
  structuredClone(0, { transfer: [bytes.buffer] });
  return bytes;
}

test.each<[string, (bytes: Uint8Array) => unknown]>([
  ['decodeCsv', (bytes) => decodeCsv([bytes], { recordDefaults: ['bytes'] })],
  ['decodeRaw', (bytes) => decodeRaw(bytes, { outType: 'float32' })],
  ['decodeRaw of a list', (bytes) => decodeRaw(['abcd', bytes], { outType: 'float32' })],
  ['decodePaddedRaw', (bytes) => decodePaddedRaw(bytes, { outType: 'float32', fixedLength: 8 })],
  ['decodeCompressed', (bytes) => decodeCompressed(bytes, { compression: 'gzip' })],
  ['decodeCompressed of a list', (bytes) => decodeCompressed([bytes])],
  ['decodeJsonExample', (bytes) => decodeJsonExample(bytes)],
  ['parseTensor', (bytes) => parseTensor(bytes)],
])('%s', (_, decode) => {
  expect(() => decode(gone())).toThrow(
    expect.objectContaining({
      name: 'TypeError',
      code: 'ERR_INVALID_ARG_VALUE',
      message: expect.stringContaining('detached') as unknown,
    }) as Error,
  );
});
