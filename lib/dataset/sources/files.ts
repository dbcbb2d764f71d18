import { checkBoolean, checkOptions, counted, invalidArgType, TFRecordError } from '../../base';
import { classifySource, type ExpandedPath } from '../../io';
import { ArrayElements } from '../engine/elements';
import {
  otherFiles,
  placeCount,
  placeList,
  placeText,
  skipping,
  type Chunk,
  type Json,
  type Mark,
  type Operator,
} from '../engine/operator';
import { stagePath, type Run } from '../engine/run';
import type { Scope } from '../engine/scope';
import { Stage } from '../engine/stage';
import type { FileNames } from './define';
import { expandAll, expandWhenPossible, hashOf, type Paths } from './file-sources';

/** Options of `Dataset.files`. Unknown names throw. */
export interface FilesOptions {
  /** If true, a file may be listed twice; its records are then read twice in each epoch. Default false. */
  duplicates?: boolean | undefined;
}

/** The stage of `Dataset.files`, which lists the paths that match patterns, in the order of their bytes. */
export class FilesStage extends Stage {
  readonly kind = 'files';
  readonly #patterns: Paths;
  readonly #duplicates: boolean;

  static of(patterns: FileNames, options: FilesOptions | undefined): FilesStage {
    const { duplicates } = checkOptions(options, ['duplicates']);
    return new FilesStage(patterns, checkBoolean('options.duplicates', duplicates, false));
  }

  /** @param duplicates true if a path may be listed twice */
  private constructor(patterns: FileNames, duplicates: boolean) {
    super(undefined);
    const source = classifySource(patterns);
    if (source.kind !== 'paths')
      throw invalidArgType('pattern', 'a path, a file URL, a pattern or a list of these', patterns);
    this.#patterns = source.paths;
    this.#duplicates = duplicates;
  }

  override get hasFiles(): boolean {
    return true;
  }

  override listFiles(scope: Scope): Promise<readonly string[]> {
    return this.#sorted(expandAll(this.#patterns, scope));
  }

  open(run: Run, [at, skip]: Mark): Operator {
    const list = async (): Promise<readonly string[]> => {
      const files = await this.#sorted(expandWhenPossible(this.#patterns, run));
      return run.files?.pick(files) ?? files;
    };
    const path = stagePath(run, this);
    const place = at === null ? null : filesPlace(path, at);
    const operator = new FilesOperator(list, place?.[1], path);
    return skipping(operator, (place?.[0] ?? 0) + skip, run.scope);
  }

  /** Returns the names of `files`, sorted. Rejects with the first error of a pattern: ENOENT if no file matches. */
  async #sorted(files: Promise<readonly ExpandedPath[]>): Promise<string[]> {
    const paths = (await files).map(({ path, error }) => {
      if (error !== undefined) throw error;
      return path;
    });
    const sorted = paths.map((path) => Buffer.from(path)).sort((a, b) => Buffer.compare(a, b));
    const twice = sorted.findIndex((path, i) => i > 0 && path.equals(sorted[i - 1]!));
    if (twice >= 0 && !this.#duplicates) throw duplicate(String(sorted[twice]));
    return sorted.map(String);
  }
}

/** The place of a list of files: number of the file, and hash of the list. */
type FilesPlace = [file: number, files: string];

function filesPlace(path: string, at: Json): FilesPlace {
  const [file, files] = placeList(path, at, 2);
  return [placeCount(path, 'the number of a file', file), placeText(path, 'a hash of paths', files)];
}

class FilesOperator implements Operator {
  readonly #list: () => Promise<readonly string[]>;
  /** The hash of the list that the state was saved with. */
  readonly #expected: string | undefined;
  readonly #stage: string;
  #files: readonly string[] | undefined;
  #hash = '';
  #next = 0;

  constructor(list: () => Promise<readonly string[]>, expected: string | undefined, stage: string) {
    this.#list = list;
    this.#expected = expected;
    this.#stage = stage;
  }

  async next(max: number): Promise<Chunk | undefined> {
    this.#files ??= await this.#listOnce();
    const begin = this.#next;
    const values = this.#files.slice(begin, begin + max);
    this.#next += values.length;
    return values.length === 0 ? undefined : { elements: new ArrayElements(values), mark: [[begin, this.#hash], 0] };
  }

  async close(): Promise<void> {
    this.#next = Infinity;
  }

  async #listOnce(): Promise<readonly string[]> {
    const files = await this.#list();
    this.#hash = hashOf(files);
    if (this.#expected !== undefined && this.#expected !== this.#hash) {
      throw otherFiles(this.#stage, 'the files that it was taken of', `${counted(files.length, 'file')}, others`);
    }
    return files;
  }
}

function duplicate(path: string): TFRecordError {
  return new TFRecordError(
    'ERR_INVALID_ARG_VALUE',
    `${path} is in the list of files twice: its records would come twice an epoch. \`duplicates: true\` allows it.`,
    { file: path },
  );
}
