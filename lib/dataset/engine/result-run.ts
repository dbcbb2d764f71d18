import type { Column } from './column';
import type { Mark } from './operator';

/** Results of calls for neighbours. */
export interface Results {
  /** The elements, one a result. */
  readonly column: Column;
  readonly values: readonly unknown[];
  /** Where the first of them lies, and its number in the epoch. */
  readonly mark: Mark;
  readonly index: number;
}

/** What a call was made for. */
export interface Called {
  readonly column: Column;
  readonly at: number;
  /** Where the element lies, and its number in the epoch. */
  readonly mark: Mark;
  readonly index: number;
}

/** Results of neighbours, as they come. */
export class ResultRun {
  readonly values: unknown[] = [];
  #first: Called | undefined;

  begin(first: Called): void {
    this.#first = first;
  }

  /** Whether `call` was made for the element behind the last. */
  goesOnWith({ column, at }: Called): boolean {
    const first = this.#first;
    return first === undefined || (first.column === column && first.at + this.values.length === at);
  }

  results(): Results | undefined {
    if (this.#first === undefined) return undefined;
    const { column, at, mark, index } = this.#first;
    return { column: column.slice(at, at + this.values.length), values: this.values, mark, index };
  }
}
