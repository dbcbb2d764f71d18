import {
  checkChoice,
  classifySource,
  COMPRESSION_OPTIONS,
  type CompressionOption,
  type RecordSource,
} from '../../record';
import { skipping, type Json, type Mark, type Operator } from '../engine/operator';
import type { RecordForm } from '../engine/records';
import { stagePath, type Run } from '../engine/run';
import type { Scope } from '../engine/scope';
import { Stage } from '../engine/stage';
import { cutFlow, type HeadCheck, type RecordCheck } from './cut/cut-flow';
import type { CutPlan } from './cut/cut-plan';
import { hasFiles, listFiles, sharedSource, sourceContents } from './file-sources';
import { filePlace, startAt, RecordsOperator } from './tfrecord';

/** Options of all these sources. */
export interface FileOptions {
  /**
   * `auto` judges by content: gzip by its magic, zlib only where it can be inflated, for text and raw data may look like it.
   * `none`, `gzip` and `zlib` insist; other content is TFR_COMPRESSION. Default `auto`.
   */
  compression?: CompressionOption | undefined;
}

export function checkCompression(value: unknown): CompressionOption {
  return checkChoice('options.compression', value, COMPRESSION_OPTIONS, 'auto');
}

/** How files are cut into records, and what these are shown as. */
interface CutFilesPlan extends CutPlan {
  readonly form: RecordForm;
  readonly check?: RecordCheck | undefined;
  readonly checkHead?: HeadCheck | undefined;
  /** What the elements depend on. */
  readonly order: Json;
}

/** Sources that cut files into records: lines, records of one length. Plain files go on by a seek. */
export abstract class CutFilesStage extends Stage {
  readonly #source: RecordSource;
  protected readonly plan: CutFilesPlan;

  constructor(source: RecordSource, plan: CutFilesPlan) {
    super(undefined);
    // Checked now, opened later.
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
    const plan = { ...this.plan, policy: run.policy(path), again: run.again };
    const inputs = cutFlow(sharedSource(this.#source, run), plan, startAt(place));
    return skipping(new RecordsOperator(inputs, path, place, this.plan.form), skip, run.scope);
  }
}
