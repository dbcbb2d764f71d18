/** Mean and deviation of a stream of numbers. */

/** Numbers whose mean and squares are summed before they join the others. */
const CHUNK = 4096;

/**
 * Mean and sum of squared differences from it, of chunks that are joined, so that neither large numbers nor many lose
 * digits. Infinities are counted apart.
 */
export class Moments {
  /** Number of the finite ones. */
  count = 0;
  positiveInfinities = 0;
  negativeInfinities = 0;
  /** The first number. Others count by their difference from it: so those that are close together keep their digits. */
  #origin = 0;
  /** Mean of the differences. */
  #mean = 0;
  #squares = 0;

  /** Adds numbers. Returns those that are no NaN. */
  add<T extends Float32Array | Float64Array>(values: T): T {
    const numbers = hasNaN(values) ? (values.filter((value) => !Number.isNaN(value)) as T) : values;
    for (let begin = 0; begin < numbers.length; begin += CHUNK) {
      const chunk = numbers.subarray(begin, begin + CHUNK);
      if (!this.#addChunk(chunk)) this.#addChunk(this.#finite(chunk));
    }
    return numbers;
  }

  /** Infinite, or NaN, if there are infinities. */
  get mean(): number {
    if (this.positiveInfinities > 0) return this.negativeInfinities > 0 ? NaN : Infinity;
    return this.negativeInfinities > 0 ? -Infinity : this.#origin + this.#mean;
  }

  /** Deviation of the whole population. NaN if there are infinities. */
  get deviation(): number {
    if (this.positiveInfinities + this.negativeInfinities > 0) return NaN;
    return this.count === 0 ? 0 : Math.sqrt(this.#squares / this.count);
  }

  /** Returns false, having done nothing, if a number is infinite. */
  #addChunk(values: Float32Array | Float64Array): boolean {
    const size = values.length;
    if (size === 0) return true;
    const shift = values[0]!;
    let sum = 0;
    for (let i = 0; i < size; i++) sum += values[i]! - shift;
    if (!Number.isFinite(sum)) return false;
    if (this.count === 0) this.#origin = shift;
    const rest = sum / size;
    let squares = 0;
    for (let i = 0; i < size; i++) {
      const difference = values[i]! - shift - rest;
      squares += difference * difference;
    }
    const total = this.count + size;
    const apart = shift - this.#origin + rest - this.#mean;
    this.#mean += (apart * size) / total;
    this.#squares += squares + apart * apart * ((this.count * size) / total);
    this.count = total;
    return true;
  }

  #finite<T extends Float32Array | Float64Array>(values: T): T {
    for (const value of values) {
      if (value === Infinity) this.positiveInfinities++;
      else if (value === -Infinity) this.negativeInfinities++;
    }
    return values.filter((value) => Number.isFinite(value)) as T;
  }
}

function hasNaN(values: Float32Array | Float64Array): boolean {
  // A loop by index takes a third of the time of one by iterator.
  // eslint-disable-next-line @typescript-eslint/prefer-for-of
  for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) return true;
  return false;
}
