import { stat } from 'node:fs/promises';

import {
  counted,
  fullPath,
  invalidArgType,
  isObject,
  lacksDescriptors,
  locate,
  TFRecordError,
  type Origin,
} from '../../base';
import { filesClosed, type ExpandedPath } from '../../io';
import { type ErrorPolicy } from '../../record';
import { checkFunction } from '../arguments';
import { ArrayElements } from '../engine/elements';
import { valueContents } from '../engine/fingerprint';
import {
  otherFiles,
  sizeText,
  placeCount,
  placeList,
  placeOrNull,
  placeText,
  skipping,
  type Chunk,
  type Json,
  type Mark,
  type Operator,
} from '../engine/operator';
import type { Origins } from '../engine/origins';
import { stagePath, type Run } from '../engine/run';
import type { Scope } from '../engine/scope';
import { Stage } from '../engine/stage';
import { DefinedFile, type SourceReader } from './defined-file';
import { expandWhenPossible, hasFiles, hashOf, listFiles, mayTryAgain, sharedSource } from './file-sources';

/** Names of files: paths, patterns, lists of these. */
export type FileNames = string | URL | readonly (string | URL)[];

/**
 * The place of a user-defined source: number of the file, number of records read from it, state of the reader (null
 * without `state`), size of the file, hash of the paths.
 */
type DefinePosition = readonly [file: number, record: number, state: Json, bytes: number | null, files: string];

/** The stage of `Dataset.define`, which reads files with the user's reader. */
export class DefineStage extends Stage {
  readonly kind = 'define';
  readonly #files: FileNames;
  readonly #reader: SourceReader<unknown, unknown>;

  constructor(files: FileNames, reader: SourceReader<unknown, unknown>) {
    super(undefined);
    checkReader(reader);
    if (!hasFiles(files)) throw invalidArgType('files', 'a path, a file URL, a pattern or a list of these', files);
    this.#files = files;
    this.#reader = reader;
  }

  override get hasFiles(): boolean {
    return true;
  }

  override get contents(): Json {
    const reader = this.#reader as unknown as Readonly<Record<string, unknown>>;
    return valueContents([reader, ...['open', 'read', 'close', 'state', 'seek'].map((name) => reader[name])]);
  }

  override listFiles(scope: Scope): Promise<readonly string[] | undefined> {
    return listFiles(this.#files, scope);
  }

  open(run: Run, [at, skip]: Mark): Operator {
    const path = stagePath(run, this);
    const place = at === null ? null : definePlace(path, at);
    const operator = new DefineOperator(() => this.#list(run), this.#reader, run, path, place);
    return skipping(operator, skip, run.scope);
  }

  async #list(run: Run): Promise<ExpandedPath[]> {
    const source = sharedSource(this.#files, run);
    if (source.kind !== 'paths') return [];
    const files = await expandWhenPossible(source.paths, run);
    return [...(run.files?.pick(files) ?? files)];
  }
}

/** Checks a reader of `Dataset.define`: an object, or an instance of a class. */
function checkReader(reader: unknown): void {
  if (!isObject(reader)) throw invalidArgType('reader', 'an object', reader);
  for (const name of ['open', 'read']) checkFunction(`reader.${name}`, reader[name]);
  for (const name of ['close', 'state', 'seek'])
    if (reader[name] !== undefined) checkFunction(`reader.${name}`, reader[name]);
}

function definePlace(path: string, at: Json): DefinePosition {
  const [file, record, state, bytes, files] = placeList(path, at, 5);
  return [
    placeCount(path, 'the number of a file', file),
    placeCount(path, 'the number of a record', record),
    state,
    placeOrNull(bytes, (size) => placeCount(path, 'the size of a file', size)),
    placeText(path, 'a hash of paths', files),
  ];
}

class DefineOperator implements Operator {
  readonly #list: () => Promise<ExpandedPath[]>;
  readonly #reader: SourceReader<unknown, unknown>;
  readonly #run: Run;
  readonly #stage: string;
  readonly #policy: ErrorPolicy;
  #files: readonly ExpandedPath[] | undefined;
  #hash = '';
  /** The place to resume at; null after resuming. */
  #from: DefinePosition | null;
  #number: number;
  #file: DefinedFile | undefined;
  #bytes: number | null = null;
  #ended = false;
  /** Thrown by the next call of `next`. */
  #failure: { readonly error: unknown } | undefined;

  constructor(
    list: () => Promise<ExpandedPath[]>,
    reader: SourceReader<unknown, unknown>,
    run: Run,
    stage: string,
    from: DefinePosition | null,
  ) {
    this.#list = list;
    this.#reader = reader;
    this.#run = run;
    this.#stage = stage;
    this.#policy = run.policy(stage);
    this.#from = from;
    this.#number = from?.[0] ?? 0;
  }

  async next(max: number): Promise<Chunk | undefined> {
    if (this.#failure !== undefined) throw this.#failure.error;
    while (!this.#over) {
      await this.#run.scope.breathe();
      const file = await this.#open();
      if (file === undefined) break;
      const chunk = await this.#read(file, max);
      if (chunk !== undefined) return chunk;
    }
    if (!this.#run.scope.closed) this.#policy.ended();
    return undefined;
  }

  async close(): Promise<void> {
    this.#ended = true;
    await this.#file?.close().catch(() => undefined);
  }

  get #over(): boolean {
    return this.#ended || this.#run.scope.closed;
  }

  /** Returns the current file, or opens the next one that can be opened; undefined after the last. */
  async #open(): Promise<DefinedFile | undefined> {
    if (this.#files === undefined) {
      this.#files = await this.#list();
      this.#hash = hashOf(this.#files.map(({ path }) => path));
      if (this.#from !== null && this.#from[4] !== this.#hash)
        throw otherFiles(this.#stage, 'the same files', 'others');
    }
    while (this.#file === undefined && !this.#over) {
      const listed = this.#files[this.#number];
      if (listed === undefined) return undefined;
      const file = new DefinedFile(listed.path, this.#reader, this.#stage);
      const from = this.#from;
      const before = filesClosed();
      this.#file = file;
      try {
        if (listed.error !== undefined) throw listed.error;
        this.#bytes = await sizeOf(fullPath(listed.path, this.#run.scope.folder));
        if (this.#over) return undefined;
        await this.#goOn(file);
      } catch (error) {
        if (lacksDescriptors(error) && (await this.#mayTryAgain(file, before))) this.#from = from;
        else await this.#resolve(error);
      }
    }
    return this.#file;
  }

  /** Closes `file`, for which no descriptor was left, and waits for one. True if the file should be opened again. */
  async #mayTryAgain(file: DefinedFile, before: number): Promise<boolean> {
    await file.close().catch(() => undefined);
    if (!(await mayTryAgain(this.#run, before)) || this.#over) return false;
    this.#file = undefined;
    return true;
  }

  async #goOn(file: DefinedFile): Promise<void> {
    const from = this.#from;
    this.#from = null;
    if (from !== null && from[3] !== this.#bytes)
      throw otherFiles(this.#stage, `a file of ${sizeText(from[3])}`, sizeText(this.#bytes));
    const { signal, folder } = this.#run.scope;
    await file.open(locate(file.path, folder), signal);
    if (from === null || from[1] === 0 || this.#over) return;
    const [, record, state] = from;
    if (await file.seek(record, state)) return;
    process.emitWarning(
      `The reader given to ${this.#stage} has no seek and state: ${file.path} is read again from its start.`,
      'TFRecordWarning',
    );
    while (file.record < record && !this.#over) {
      await this.#run.scope.breathe();
      if ((await file.read()) === undefined)
        throw otherFiles(this.#stage, `${counted(record, 'record')} and more`, `${file.record}`);
    }
  }

  /** Reads records of `file`; undefined at its end, and if there is no record for another reason. */
  async #read(file: DefinedFile, max: number): Promise<Chunk | undefined> {
    const values: unknown[] = [];
    const origins: Origin[] = [];
    let place: DefinePosition | undefined;
    try {
      while (values.length < max && !this.#over) {
        place ??= [this.#number, file.record, file.state(), this.#bytes, this.#hash];
        const reading = file.read();
        // A value that had to be awaited is handed on at once.
        const waits = reading instanceof Promise;
        const found = waits ? await reading : reading;
        if (this.#over) break;
        if (found === undefined) {
          await this.#leave();
          break;
        }
        values.push(found.value);
        origins.push(found.origin);
        if (waits || this.#run.scope.due) break;
      }
    } catch (error) {
      await this.#resolve(error, values.length > 0);
    }
    this.#policy.passed(values.length);
    if (values.length === 0 || place === undefined) return undefined;
    return { elements: new ArrayElements(values, new ListedOrigins(origins)), mark: [place, 0] };
  }

  async #leave(): Promise<void> {
    const file = this.#file;
    // `#file` stays set until the file is closed, so that a concurrent `close()` waits for it.
    this.#number++;
    await file?.close().finally(() => (this.#file = undefined));
  }

  /** Lets the policy decide about `error`. If `later`, records that were read before are returned first. */
  async #resolve(error: unknown, later = false): Promise<void> {
    if (this.#over) return;
    const file = this.#file;
    const continues = file?.moved === true;
    if (!continues && file !== undefined) await this.#leave().catch(() => undefined);
    try {
      if (!(error instanceof TFRecordError) || error.code === 'TFR_STATE_MISMATCH') throw error;
      if (this.#policy.resolve(error) === 'stop') this.#ended = true;
      else if (continues) file.skip();
    } catch (thrown) {
      this.#failure = { error: thrown };
      if (!later) throw thrown;
    }
    if (this.#ended) await this.#file?.close().catch(() => undefined);
  }
}

/** Returns the size of a local file; null if it is unknown. */
async function sizeOf(path: string): Promise<number | null> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isFile() === true ? stats.size : null;
}

class ListedOrigins implements Origins {
  readonly #origins: readonly Origin[];

  constructor(origins: readonly Origin[]) {
    this.#origins = origins;
  }

  origin(index: number): Origin | undefined {
    return this.#origins[index];
  }

  all(index: number): readonly Origin[] {
    return this.#origins.slice(index, index + 1);
  }

  valid(): boolean {
    return true;
  }

  valids(): readonly boolean[] {
    return [true];
  }
}
