/** Files of five Examples, for the tests of the command. */
import { gzipSync } from 'node:zlib';

import { tensorflow } from '../../../lib/example/message/messages.generated';
import { Folder } from './record-files';
import { runCli, type CliResult } from '../running/run-cli';
import { runHere, type HereResult } from '../running/run-here';
import { flipBit, HEADER_BYTES, offsets, tfrecord } from './tfrecord';

const NAMES = ['Ann', 'Bob', 'Cid', 'Dan', 'Eve'];

export const PEOPLE = NAMES.map((name, age) =>
  Buffer.from(
    tensorflow.Example.encode({
      features: {
        feature: { name: { bytesList: { value: [Buffer.from(name)] } }, age: { int64List: { value: [age] } } },
      },
    }).finish(),
  ),
);
/** The line that the command prints for each. */
export const LINES = NAMES.map((name, age) => `{"features":{"age":[${age}],"name":["${name}"]}}`);
/** The offset of each in a plain file, and the size of the file. */
export const PLACES = offsets(PEOPLE.map((record) => record.toString('latin1')));
export const END = PLACES.at(-1)!;

/** `people.tfrecord`, `people.tfrecord.gz`, and `flipped.tfrecord`, in which the data of record 3 is damaged. */
export class PeopleFolder extends Folder {
  constructor() {
    super();
    this.put('people.tfrecord', tfrecord(PEOPLE));
    this.put('people.tfrecord.gz', gzipSync(tfrecord(PEOPLE)));
    this.put('flipped.tfrecord', flipBit(tfrecord(PEOPLE), PLACES[3]! + HEADER_BYTES));
  }

  /** Runs the command in this folder. */
  run(...args: string[]): Promise<CliResult> {
    return runCli(args, { cwd: this.path });
  }

  /** Runs the command in this folder and in this process, which is faster. */
  here(...args: string[]): Promise<HereResult> {
    return runHere(args, { cwd: this.path });
  }
}
