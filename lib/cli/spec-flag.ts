/** The option `--spec`, from the name of a file to what is parsed of each record. */
import { readFileSync } from 'node:fs';

import { InvalidArgumentError, Option } from 'commander';

import type { Plan } from '../example';
import { explain } from './reporter';

export interface SpecFlags {
  /** Records are parsed by it. */
  readonly spec?: Plan;
}

export const SPEC_HELP = `
With --spec records are parsed by a file that names features and their types, in JSON:
{"id":{"type":"fixedLen","dtype":"int64","shape":[]},"tags":{"type":"varLen","dtype":"bytes"}}
prints {"id":7,"tags":["a","b"]}, and with --origin {"origin":{},"row":{}}. For
SequenceExamples the file is {"context":{},"sequence":{}}, with such features in each. A record
that does not fit is at fault like a damaged one.
`;

export function specOption(): Option {
  return new Option('--spec <file>', 'parse records by a spec, and print the rows')
    .argParser(readSpec)
    .conflicts('kinds');
}

function readSpec(file: string): Plan {
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- who gives no spec does without the parser
    const { planFromText } = require('../example') as typeof import('../example');
    return planFromText(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new InvalidArgumentError(explain(error));
  }
}
