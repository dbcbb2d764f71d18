import { crc32c, maskCrc32c, unmaskCrc32c } from '../../../lib';
import { referenceCrc32c, referenceMask } from '../../support/records/tfrecord';

const ascending = Uint8Array.from({ length: 32 }, (_, index) => index);
const pdu = Buffer.from(
  '01c00000000000000000000000000000140000000000040000000014000000180000002800000000000000' + '0200000000000000',
  'hex',
);

test.each([
  ['nothing', new Uint8Array(0), 0],
  ['"a"', Buffer.from('a'), 0xc1d04330],
  ['"123456789"', Buffer.from('123456789'), 0xe3069283],
  ['32 zeros', new Uint8Array(32), 0x8a9136aa],
  ['32 ones', new Uint8Array(32).fill(255), 0x62a8ab43],
  ['ascending', ascending, 0x46dd794e],
  ['descending', ascending.toReversed(), 0x113fdb5c],
])('RFC 3720 and common vectors: %s', (_, bytes, crc) => {
  expect(crc32c(bytes)).toBe(crc);
});

test('equals the reference on random lengths and alignments, and continues at every split', () => {
  const bytes = Uint8Array.from({ length: 3000 }, (_, index) => (index * 7919) >>> 3);
  for (const [from, to] of [
    [0, 3000],
    [1, 9],
    [3, 300],
    [7, 2999],
    [5, 5],
  ] as const) {
    const part = bytes.subarray(from, to);
    expect(crc32c(part)).toBe(referenceCrc32c(part));
  }
  const whole = crc32c(pdu);
  for (let split = 0; split <= pdu.length; split++) {
    expect(crc32c(pdu.subarray(split), crc32c(pdu.subarray(0, split)))).toBe(whole);
  }
});

test('masks and unmasks', () => {
  for (const crc of [0, 1, 0xffffffff, 0x8a9136aa, 0xa282ead8, 0x7fffffff]) {
    expect(maskCrc32c(crc)).toBe(referenceMask(crc));
    expect(unmaskCrc32c(maskCrc32c(crc))).toBe(crc);
    expect(maskCrc32c(crc)).not.toBe(crc);
  }
  expect(maskCrc32c(0)).toBe(0xa282ead8);
  expect(maskCrc32c(0xffffffff)).toBe(0xa282ead7);
});

test('refuses wrong arguments', () => {
  const typeError = expect.objectContaining({ name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' });
  const rangeError = expect.objectContaining({ name: 'RangeError', code: 'ERR_OUT_OF_RANGE' });
  expect(() => crc32c('foo' as never)).toThrow(typeError);
  expect(() => crc32c(new Float32Array(1) as never)).toThrow(typeError);
  expect(() => crc32c(new Uint8Array(1), -1)).toThrow(rangeError);
  expect(() => crc32c(new Uint8Array(1), 2 ** 32)).toThrow(rangeError);
  expect(() => maskCrc32c(1.5)).toThrow(rangeError);
  expect(() => unmaskCrc32c('1' as never)).toThrow(typeError);
});
