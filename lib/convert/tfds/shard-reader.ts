/** Checks that the shards of a data set have as many records as its description says. */
import { wrongRecords } from '../../schema/tfds';
import type { InputBatch, InputReader, ReadSettings } from '../format';
import type { Inputs } from '../input/inputs';

/** A shard. */
export interface ExpectedShard {
  /** Number of records that it must have. */
  readonly records: number;
  /** Number in the split of its first record. */
  readonly first: number;
}

/** The shards of a split, by their files. */
export type ExpectedShards = ReadonlyMap<string, ExpectedShard>;

/** An {@link InputReader} of batches of one type. */
export interface ReaderOf<B extends InputBatch> extends InputReader {
  next(): Promise<B | undefined>;
}

/** Reads shards, and reports each that has more or fewer records than its description says. */
export class ShardReader<B extends InputBatch> implements InputReader {
  readonly #reader: ReaderOf<B>;
  readonly #inputs: Inputs;
  readonly #expected: ExpectedShards;
  readonly #settings: Pick<ReadSettings, 'policy' | 'faults'>;
  /** Number of the current shard. */
  #input: number;
  /** Number of records that the current shard has had so far, damaged ones included. */
  #records = 0;
  /** Number of faults that were left out before the current shard. */
  #skipped: number;

  /** `first`: the number of the first input that `reader` reads. Shards of which a part is read are not checked. */
  constructor(
    reader: ReaderOf<B>,
    inputs: Inputs,
    expected: ExpectedShards,
    settings: Pick<ReadSettings, 'policy' | 'faults'>,
    first = 0,
  ) {
    this.#reader = reader;
    this.#inputs = inputs;
    this.#expected = expected;
    this.#settings = settings;
    this.#input = first;
    this.#skipped = settings.policy.skipped;
  }

  get bytes(): number {
    return this.#reader.bytes;
  }

  async next(): Promise<B | undefined> {
    const portion = await this.#reader.next();
    const { policy, faults } = this.#settings;
    if (faults.stopped || policy.stopped) return portion;
    const input = portion?.input ?? this.#inputs.files.length;
    while (this.#input < input) this.#end();
    if (portion === undefined) return undefined;
    const { batch, numbers } = portion;
    this.#records = typeof numbers === 'number' ? numbers + batch.length : (numbers.at(-1) ?? -1) + 1;
    return portion;
  }

  close(): Promise<void> {
    return this.#reader.close();
  }

  /** Ends the current shard. */
  #end(): void {
    const { policy, faults } = this.#settings;
    const [input, records] = [this.#input++, this.#records];
    // Damage that is left out explains a wrong number.
    const isWhole = policy.skipped === this.#skipped;
    this.#skipped = policy.skipped;
    this.#records = 0;
    if (!isWhole || isCut(this.#inputs, input)) return;
    const { file } = this.#inputs.files[input]!;
    const expected = this.#expected.get(file)!.records;
    if (records === expected) return;
    faults.leaveOut(wrongRecords(file, expected, records), { input, number: records });
  }
}

/** True for inputs of which this part of the job reads a part. */
export function isCut({ slice, files }: Inputs, input: number): boolean {
  return slice !== undefined && (input === 0 || input === files.length - 1);
}
