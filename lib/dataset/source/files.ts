import { invalidArgType, TFRecordError } from '../../errors';
import { classifySource, expandPath } from '../../record';
import { ArrayColumn } from '../core/column';
import { skipping, type Chunk, type Mark, type Operator } from '../core/operator';
import type { Run } from '../core/run';
import { Stage } from '../core/stage';

/** `Dataset.files`: the paths that patterns mean, in the order of their bytes. */
export class FilesStage extends Stage {
  readonly kind = 'files';
  readonly #patterns: Parameters<typeof expandPath>[0][];
  readonly #duplicates: boolean;

  /** @param duplicates whether a path may come twice */
  constructor(patterns: string | URL | readonly (string | URL)[], duplicates: boolean) {
    super(undefined);
    const source = classifySource(patterns);
    if (source.kind !== 'paths')
      throw invalidArgType('pattern', 'a path, a file URL, a pattern or a list of these', patterns);
    this.#patterns = [...source.paths];
    this.#duplicates = duplicates;
  }

  open(run: Run, [at, skip]: Mark): Operator {
    return skipping(new FilesOperator(() => this.#list(run)), ((at ?? 0) as number) + skip, run.scope);
  }

  /** Rejects with the first error of a pattern: ENOENT where nothing matches. */
  async #list(run: Run): Promise<string[]> {
    const paths: string[] = [];
    for (const pattern of this.#patterns) {
      for (const { path, error } of await expandPath(pattern, () => run.scope.closed)) {
        if (error !== undefined) throw error;
        paths.push(path);
      }
    }
    const sorted = paths.map((path) => Buffer.from(path)).sort((a, b) => Buffer.compare(a, b));
    const twice = sorted.findIndex((path, i) => i > 0 && path.equals(sorted[i - 1] as Buffer));
    if (twice >= 0 && !this.#duplicates) throw duplicate(String(sorted[twice]));
    return sorted.map(String);
  }
}

class FilesOperator implements Operator {
  readonly #list: () => Promise<string[]>;
  #files: readonly string[] | undefined;
  #next = 0;

  constructor(list: () => Promise<string[]>) {
    this.#list = list;
  }

  async next(max: number): Promise<Chunk | undefined> {
    this.#files ??= await this.#list();
    const begin = this.#next;
    const values = this.#files.slice(begin, begin + max);
    this.#next += values.length;
    return values.length === 0 ? undefined : { column: new ArrayColumn(values), mark: [begin, 0] };
  }

  async close(): Promise<void> {
    this.#next = Infinity;
  }
}

function duplicate(path: string): TFRecordError {
  return new TFRecordError(
    'ERR_INVALID_ARG_VALUE',
    `${path} is in the list of files twice: its records would come twice an epoch. \`duplicates: true\` allows it.`,
    { file: path },
  );
}
