/** Resumes from a state that another process took, and prints the remaining elements. */
import { argument, say } from '../../../support/running/case';
import type { DatasetState } from '../../../../lib';
import { usualPipeline } from './usual-pipeline';

async function main(): Promise<void> {
  const state = JSON.parse(argument(1)) as DatasetState;
  const rest: unknown[] = [];
  for await (const batch of usualPipeline(argument(0)).iterate({ state })) rest.push(batch);
  say(rest);
}

void main();
