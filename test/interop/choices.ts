/** Random cases: how many, choices from a seed, and bytes as hex, the form in which they are sent. */
import { randoms } from '../support/randoms';

/** Number of pairs: a tenth in ordinary runs. */
export const PAIRS = process.env['TFRECORD_FULL'] === '1' ? 20_000 : 2_000;

export const hex = (value: string | Uint8Array): string => Buffer.from(value).toString('hex');
export const unhex = (value: string): Buffer => Buffer.from(value, 'hex');

/** Random choices from a seed. */
export class Choices {
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randoms(seed);
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  one<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  list<T>(length: number, make: (index: number) => T): T[] {
    return Array.from({ length }, (_, i) => make(i));
  }

  bytes(length: number): Buffer {
    return Buffer.from(this.list(length, () => this.below(256)));
  }
}
