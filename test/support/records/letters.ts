import { randoms } from '../randoms';

/**
 * Returns records of 4 to `longest` + 4 bytes that begin with their number. The rest are letters, which deflate to about
 * two thirds, in many blocks.
 */
export function letters(count: number, longest: number, seed = 1): Buffer[] {
  const random = randoms(seed);
  const pool = Buffer.from(Array.from({ length: 64 * 1024 }, () => 97 + Math.floor(random() * 26)));
  return Array.from({ length: count }, (_, number) => {
    const record = Buffer.alloc(4 + Math.floor(random() * longest));
    record.writeUInt32LE(number);
    for (let at = 4; at < record.length;) {
      const from = Math.floor(random() * (pool.length - 40));
      at += pool.copy(record, at, from, from + 40);
    }
    return record;
  });
}
