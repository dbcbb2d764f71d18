import {
  markAfter,
  type Chunk,
  countedMark,
  countedPlace,
  type Mark,
  openFirst,
  type Operator,
  START,
} from '../engine/operator';
import { drawKey, type Run, stagePath } from '../engine/run';
import { openNested, Stage } from '../engine/stage';

/** The stage of `concatenate`, which reads datasets one after the other, each with a chain of its own. */
export class ConcatenateStage extends Stage {
  readonly kind = 'concatenate';
  override readonly parts: readonly Stage[];

  constructor(parts: readonly Stage[]) {
    super(undefined, { draws: true });
    this.parts = parts;
  }

  override get size(): number | undefined {
    return this.parts.reduce<number | undefined>(
      (sum, { size }) => (sum === undefined || size === undefined ? undefined : sum + size),
      0,
    );
  }

  override passesOn(): boolean {
    return this.parts.every((part) => part.passesOn());
  }

  open(run: Run, from: Mark): Operator {
    const holder = { run, path: stagePath(run, this), key: drawKey(run, this), beside: 1 };
    const openPart = (index: number, start: Mark): Operator | undefined => {
      const part = this.parts[index];
      return part && openNested(holder, part, index, start);
    };
    return openFirst(from, run.scope, (first) => {
      const [place, part] = countedPlace(first, holder.path, this.parts.length - 1);
      return new ConcatenateOperator(openPart, part, markAfter(place, first[1]));
    });
  }
}

class ConcatenateOperator implements Operator {
  readonly #openPart: (part: number, from: Mark) => Operator | undefined;
  #part: number;
  #from: Mark;
  #operator: Operator | undefined;

  constructor(openPart: (part: number, from: Mark) => Operator | undefined, part: number, from: Mark) {
    this.#openPart = openPart;
    this.#part = part;
    this.#from = from;
  }

  async next(max: number): Promise<Chunk | undefined> {
    for (;;) {
      this.#operator ??= this.#openPart(this.#part, this.#from);
      if (this.#operator === undefined) return undefined;
      const chunk = await this.#operator.next(max);
      if (chunk !== undefined) return { elements: chunk.elements, mark: countedMark(chunk.mark, this.#part) };
      await this.#operator.close();
      this.#operator = undefined;
      this.#from = START;
      this.#part++;
    }
  }

  async close(): Promise<void> {
    this.#part = Infinity;
    await this.#operator?.close();
  }
}
