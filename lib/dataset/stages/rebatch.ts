import { counted, neededInteger } from '../../base';
import { RecordBatch } from '../../record';
import { joinBatches, type BatchPart } from '../../tensor';
import { MAX_HELD } from '../arguments';
import { ArrayElements, valuesOf } from '../engine/elements';
import { joined, type Input } from '../engine/input';
import { countedPlace, misplaced, skipping, type Chunk, type Mark, type Operator } from '../engine/operator';
import { gatheredOrigins, joinedOrigins, rowOrigins, type Origins } from '../engine/origins';
import { RAW } from '../engine/record-forms';
import { NeighbourRecords, RecordElements } from '../engine/records';
import { stagePath, type Run } from '../engine/run';
import type { Stage } from '../engine/stage';
import { BatchingStage, dropRemainder, type DatasetBatchOptions } from './batch';
import { countedRows } from './unbatch';

/** The stage of `rebatch`, which makes batches of another length and of the same kind. */
export class RebatchStage extends BatchingStage {
  readonly kind = 'rebatch';

  static of(input: Stage, size: number, options: DatasetBatchOptions | undefined): RebatchStage {
    const drop = dropRemainder(options, '{ dropRemainder: true } to leave out the last batch when it is not full');
    return new RebatchStage(input, neededInteger('size', size, 1, MAX_HELD), drop);
  }

  override get size(): undefined {
    return undefined;
  }

  open(run: Run, [at, skip]: Mark): Operator {
    const path = stagePath(run, this);
    const [start, row] = countedPlace([at, skip], path);
    const input = this.readInput(run, start);
    const operator = new RebatchOperator(input, this.length, this.dropRemainder, path, row);
    return skipping(operator, skip, run.scope);
  }
}

/** Rows of an input batch that become part of the next output batch. */
interface RowRange extends BatchPart {
  readonly origins: Origins;
}

class RebatchOperator implements Operator {
  readonly #input: Input;
  readonly #length: number;
  readonly #dropRemainder: boolean;
  readonly #path: string;
  /** Index of the next row in the next batch of the input. */
  #row: number;
  #failure: { readonly error: unknown } | undefined;

  constructor(input: Input, length: number, dropRemainder: boolean, path: string, row: number) {
    this.#input = input;
    this.#length = length;
    this.#dropRemainder = dropRemainder;
    this.#path = path;
    this.#row = row;
  }

  async next(): Promise<Chunk | undefined> {
    if (this.#failure !== undefined) throw this.#failure.error;
    const parts: RowRange[] = [];
    let rows = 0;
    let mark: Mark | undefined;
    try {
      while (rows < this.#length && (await this.#input.load(1))) {
        const at: Mark = [[this.#input.mark, this.#row], 0];
        const part = this.#take(this.#length - rows);
        if (part.end === part.begin) continue;
        mark ??= at;
        parts.push(part);
        rows += part.end - part.begin;
      }
    } catch (error) {
      this.#failure = { error };
    }
    const short = rows < this.#length && (this.#dropRemainder || rows === 0);
    if (mark !== undefined && !short) return { elements: batchOf(parts, rows), mark };
    if (this.#failure !== undefined) throw this.#failure.error;
    return undefined;
  }

  close(): Promise<void> {
    return this.#input.close();
  }

  /** Takes up to `wanted` rows of the current batch. */
  #take(wanted: number): RowRange {
    const { elements, index } = this.#input;
    const batch = elements.at(index);
    const rows = countedRows(batch, this.#path);
    const begin = this.#row;
    if (begin > 0 && begin >= rows)
      throw misplaced(this.#path, `a batch of more than ${counted(begin, 'row')}`, counted(rows, 'row'));
    const end = Math.min(rows, begin + wanted);
    this.#row = end;
    if (end === rows) {
      this.#row = 0;
      this.#input.index++;
    }
    return { batch, begin, end, origins: rowOrigins(elements.origins, index, rows) };
  }
}

/** Joins `parts` into one batch, the only element of the result. */
function batchOf(parts: readonly RowRange[], rows: number): ArrayElements {
  const origins: Origins[] = [];
  const at: number[] = [];
  for (const part of parts) {
    for (let row = part.begin; row < part.end; row++) {
      origins.push(part.origins);
      at.push(row);
    }
  }
  return new ArrayElements([valueOf(parts)], joinedOrigins(gatheredOrigins(origins, at), rows));
}

function valueOf(parts: readonly RowRange[]): unknown {
  if (!parts.every(({ batch }) => batch instanceof RecordBatch)) return joinBatches(parts);
  const records = joined(
    parts.map(({ batch, begin, end }) => ({ elements: NeighbourRecords.of(RAW, batch as RecordBatch), begin, end })),
  );
  return records instanceof RecordElements ? RAW.batch(records) : valuesOf(records);
}
