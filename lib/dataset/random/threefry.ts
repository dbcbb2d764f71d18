/** 64 bits as two words. */
export interface Words {
  readonly low: number;
  readonly high: number;
}

/**
 * Threefry-2x32 with 20 rounds, a counter-based generator (Salmon, Moraes, Dror and Shaw, 2011): the words at `counter`
 * under `key`. No state: any place costs the same.
 */
export function threefry(key: Words, counter: Words): Words {
  const k0 = key.low | 0;
  const k1 = key.high | 0;
  const k2 = 0x1bd11bda ^ k0 ^ k1;
  let a = (counter.low + k0) | 0;
  let b = (counter.high + k1) | 0;
  for (let group = 1; group <= 5; group++) {
    // The key words are added in turn; rotations alternate between two rows.
    const odd = (group & 1) === 1;
    a = (a + b) | 0;
    b = (odd ? (b << 13) | (b >>> 19) : (b << 17) | (b >>> 15)) ^ a;
    a = (a + b) | 0;
    b = (odd ? (b << 15) | (b >>> 17) : (b << 29) | (b >>> 3)) ^ a;
    a = (a + b) | 0;
    b = (odd ? (b << 26) | (b >>> 6) : (b << 16) | (b >>> 16)) ^ a;
    a = (a + b) | 0;
    b = (odd ? (b << 6) | (b >>> 26) : (b << 24) | (b >>> 8)) ^ a;
    const turn = group % 3;
    a = (a + (turn === 0 ? k0 : turn === 1 ? k1 : k2)) | 0;
    b = (b + (turn === 0 ? k1 : turn === 1 ? k2 : k0) + group) | 0;
  }
  return { low: a >>> 0, high: b >>> 0 };
}
