/** Reads the files of `--spec` and `--schema`, which describe the features of records. */
import { Option, type Command } from 'commander';
import { readFile, stat } from 'node:fs/promises';

import type { SequenceExampleSpec, Spec } from '../example';
import type { Schema } from '../schema';
import { explain } from './terminal/reporter';
import { flagsOf } from './terminal/terms';
import { onDemand } from './on-demand';

export interface SpecFlags {
  /** The spec that parses records. */
  readonly spec?: Spec | SequenceExampleSpec;
}

export const SPEC_HELP = `
With --spec records are parsed by a file that names features and their types: the schema.pbtxt of TFX,
a folder of TensorFlow Datasets, or JSON:
{"id":{"type":"fixedLen","dtype":"int64","shape":[]},"tags":{"type":"varLen","dtype":"bytes"}}
prints {"id":7,"tags":["a","b"]}, and with --origin {"origin":{},"row":{}}. For
SequenceExamples the JSON is {"context":{},"sequence":{}}, with such features in each. A record
that does not fit is treated like a damaged one.
`;

export function specOption(description = 'parse records by a spec, and print the rows'): Option {
  return new Option('--spec <file>', description);
}

export function schemaOption(): Option {
  return new Option('--schema <file>', 'schema.pbtxt of TFX, a folder of TensorFlow Datasets, or a spec as JSON');
}

/**
 * Replaces the file names of `--spec` and `--schema` by their content, a spec or a `Schema`. Runs before the actions of
 * all commands, because parsers of options cannot await.
 * @throws CommanderError, as for other invalid values, for a file that is neither
 */
export async function readSpecs(_program: Command, command: Command): Promise<void> {
  for (const option of command.options) {
    const read = READERS[option.long ?? ''];
    const name = option.attributeName();
    const file: unknown = command.getOptionValue(name);
    if (read === undefined || typeof file !== 'string') continue;
    try {
      command.setOptionValue(name, await read(file));
    } catch (error) {
      command.error(
        `error: option '${option.flags}' argument '${file}' is invalid. ${explain(error, flagsOf(command))}`,
        {
          code: 'commander.invalidArgument',
        },
      );
    }
  }
}

const READERS: Readonly<Record<string, (file: string) => Promise<unknown>>> = {
  '--spec': async (file) => {
    // A pipe, such as <(tfrecord schema --as spec a), can be read only once.
    const stats = await stat(file).catch(() => undefined);
    if (stats?.isFIFO() === true) return specOfText((await readFile(file, 'utf8')).replace(/^\uFEFF/, ''));
    const { spec } = await readSchemaFile(file);
    onDemand.example.planSpec(spec);
    return spec;
  },
  '--schema': readSchemaFile,
};

function specOfText(text: string): Spec | SequenceExampleSpec {
  const { planFromText, specOfJSON } = onDemand.example;
  // It rejects errors that JSON.parse accepts, such as duplicate names.
  planFromText(text);
  return specOfJSON(JSON.parse(text));
}

function readSchemaFile(file: string): Promise<Schema> {
  const { readSchema } = onDemand.schema;
  return readSchema(file);
}
