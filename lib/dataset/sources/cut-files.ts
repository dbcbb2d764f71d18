import { checkChoice, COMPRESSION_OPTIONS, compressionNumber, type CompressionOption } from '../../base';
import { classifySource, type RecordSource } from '../../io';
import { resolveReadOptions, type Framing, type ReadPlan } from '../../record';
import { skipping, type Json, type Mark, type Operator } from '../engine/operator';
import type { RecordForm } from '../engine/records';
import { stagePath, type Run } from '../engine/run';
import type { Scope } from '../engine/scope';
import { Stage } from '../engine/stage';
import { cutSequence, type CutChecks } from './cut-records';
import { hasFiles, listFiles, sharedSource, sourceContents } from './file-sources';
import { filePlace, MANY_BESIDE, RecordsOperator, startBefore } from './tfrecord';

/** Options that sources of lines, CSV and fixed-length records share. */
export interface FileOptions {
  /**
   * `auto` detects the compression by content: gzip by its magic, zlib only if it can be inflated, because text and raw
   * data may look like it. With `none`, `gzip` and `zlib`, other content is TFR_COMPRESSION. Default: `auto`.
   */
  compression?: CompressionOption | undefined;
}

export function checkCompression(value: unknown): CompressionOption {
  return checkChoice('options.compression', value, COMPRESSION_OPTIONS, 'auto');
}

/** Settings for splitting files into records, and for the form of their elements. */
interface CutFilesPlan extends CutChecks {
  readonly compression: CompressionOption;
  readonly framing: Framing;
  /** Maximum length of a record in bytes, if its length is not fixed. */
  readonly maxRecordBytes?: number | undefined;
  /** See `ReadOptions`. */
  readonly batchBytes?: number | undefined;
  readonly form: RecordForm;
  /** The settings that the elements depend on; part of the keys of caches. */
  readonly order: Json;
}

/** The base of sources that split files into records: lines, records of one length. Plain files resume by seeking. */
export abstract class CutFilesStage extends Stage {
  readonly #source: RecordSource;
  protected readonly plan: CutFilesPlan;

  constructor(source: RecordSource, plan: CutFilesPlan) {
    super(undefined);
    // Only checks the argument; opening classifies it again.
    classifySource(source);
    this.#source = source;
    this.plan = plan;
  }

  override get order(): Json {
    return this.plan.order;
  }

  override get hasFiles(): boolean {
    return hasFiles(this.#source);
  }

  override get contents(): Json {
    return sourceContents(this.#source);
  }

  override listFiles(scope: Scope): Promise<readonly string[] | undefined> {
    return listFiles(this.#source, scope);
  }

  open(run: Run, from: Mark): Operator {
    return this.openRecords(run, from);
  }

  protected openRecords(run: Run, [at, skip]: Mark): Operator {
    const path = stagePath(run, this);
    const place = at === null ? null : filePlace(path, at);
    const { compression, framing, maxRecordBytes, batchBytes } = this.plan;
    const defaults = resolveReadOptions({ maxRecordBytes, batchBytes });
    const plan: ReadPlan = {
      ...defaults,
      compression: compressionNumber(compression),
      framing,
      policy: run.policy(path),
      readAhead: run.beside >= MANY_BESIDE ? 1 : defaults.readAhead,
      ahead: run.scope.budget,
      again: run.again,
      notes: true,
    };
    const inputs = cutSequence(sharedSource(this.#source, run), plan, this.plan, startBefore(place));
    return skipping(new RecordsOperator(inputs, path, place, this.plan.form), skip, run.scope);
  }
}
