import { named, reshuffleLabel, seedLabel, type Label } from '../../engine/labels';
import type { Numbered } from '../../engine/numbered';
import type { Json, Mark, Operator } from '../../engine/operator';
import { drawKey, stagePath, type Run } from '../../engine/run';
import { Stage } from '../../engine/stage';
import { inBlocks, type Blocks } from '../../numbered/blocks';
import { NumberedOperator } from '../../numbered/numbered-operator';
import { permuted } from '../../numbered/sequences';
import { seedJson, type Words } from '../../random';

/** Checked options of a shuffle by numbers. */
interface RecordShuffleSettings {
  /** Default: all orders are possible. */
  readonly blocks: Blocks | undefined;
  readonly seed: Words | undefined;
  readonly reshuffle: boolean;
}

/** The size of the block in which all records are mixed, in states: no other shuffle has it, and it is short. */
const ALL = 0;
/** The first number of the keys for the orders inside groups of blocks; a stage of its own has none as high. */
const GROUPS = 65_536;

/**
 * The stage of `shuffle('full')` and `shuffle({ blockSize, blocks })` of records. It computes their order number by number,
 * and reads each record where it is, so it holds little more than the index of the files.
 */
export class RecordShuffleStage extends Stage {
  readonly kind = 'shuffle';
  override readonly labels: readonly Label[];
  readonly #records: Numbered;
  readonly #settings: RecordShuffleSettings;

  constructor(input: Stage, records: Numbered, settings: RecordShuffleSettings) {
    const { seed, reshuffle } = settings;
    super(input, { draws: { seed, reshuffle } });
    this.#records = records;
    this.#settings = settings;
    const own = settings.blocks === undefined ? [(): string => 'full'] : [named('blockSize'), named('blocks')];
    this.labels = [...own, seedLabel, reshuffleLabel];
  }

  override get readsByNumber(): boolean {
    return true;
  }

  override get order(): Json {
    const { blocks, seed, reshuffle } = this.#settings;
    const own = blocks === undefined ? [ALL] : [blocks.blockSize, blocks.blocks];
    return [...own, seedJson(seed), reshuffle];
  }

  override get numbered(): Numbered {
    const { blocks } = this.#settings;
    const records = this.#records;
    return {
      open: (run, signal) => records.open(run, signal),
      sequence: (run, count) => {
        const input = records.sequence(run, count);
        if (blocks === undefined) return permuted(input, drawKey(run, this));
        return inBlocks(input, blocks, (group) => drawKey(run, this, group === undefined ? 0 : GROUPS + group));
      },
    };
  }

  open(run: Run, from: Mark): Operator {
    return new NumberedOperator(this.numbered, run, stagePath(run, this), from);
  }
}
