/** 64 bits as two words. */
export interface Words {
  readonly low: number;
  readonly high: number;
}

/**
 * Returns the words at `counter` under `key` of Threefry-2x32 with 20 rounds, a counter-based generator (Salmon,
 * Moraes, Dror and Shaw, 2011). It has no state, so every position costs the same.
 */
export function threefry(key: Words, counter: Words): Words {
  const words = new Int32Array(2);
  threefryInto(words, key.low, key.high, counter.low, counter.high);
  return { low: words[0]! >>> 0, high: words[1]! >>> 0 };
}

/** Like {@link threefry}, with single words for arguments. Writes the result to `words`, as signed integers. */
export function threefryInto(words: Int32Array, keyLow: number, keyHigh: number, low: number, high: number): void {
  const k0 = keyLow | 0;
  const k1 = keyHigh | 0;
  const k2 = 0x1bd11bda ^ k0 ^ k1;
  let a = (low + k0) | 0;
  let b = (high + k1) | 0;
  // The key words are added in turn, after every fourth round; rotations alternate between two rows.
  for (let group = 1; group <= 5; group += 2) {
    const second = group % 3;
    a = (a + b) | 0;
    b = ((b << 13) | (b >>> 19)) ^ a;
    a = (a + b) | 0;
    b = ((b << 15) | (b >>> 17)) ^ a;
    a = (a + b) | 0;
    b = ((b << 26) | (b >>> 6)) ^ a;
    a = (a + b) | 0;
    b = ((b << 6) | (b >>> 26)) ^ a;
    a = (a + (second === 0 ? k0 : second === 1 ? k1 : k2)) | 0;
    b = (b + (second === 0 ? k1 : second === 1 ? k2 : k0) + group) | 0;
    if (group === 5) break;
    a = (a + b) | 0;
    b = ((b << 17) | (b >>> 15)) ^ a;
    a = (a + b) | 0;
    b = ((b << 29) | (b >>> 3)) ^ a;
    a = (a + b) | 0;
    b = ((b << 16) | (b >>> 16)) ^ a;
    a = (a + b) | 0;
    b = ((b << 24) | (b >>> 8)) ^ a;
    const first = (group + 1) % 3;
    a = (a + (first === 0 ? k0 : first === 1 ? k1 : k2)) | 0;
    b = (b + (first === 0 ? k1 : first === 1 ? k2 : k0) + group + 1) | 0;
  }
  words[0] = a;
  words[1] = b;
}
