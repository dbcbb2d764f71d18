/** The output of `inferSchema` reads the records it was inferred from: the Python in TensorFlow, the TypeScript in our reader. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import * as ts from 'typescript';

import { inferSchema } from '../../../lib/schema';
import { ROOT } from '../../support/running/compiled-sources';
import { NO_REAL_FILES, REAL_FACTS, REAL_FILES, REAL_SETS } from '../../support/records/real-data';
import { Peer } from '../peer';

interface Facts {
  readonly local: string;
  readonly proto: 'Example' | 'SequenceExample' | 'Event' | 'none';
}

let peer: Peer;
beforeAll(() => {
  peer = new Peer('messages/peer.py');
});
afterAll(() => peer.close());

const TAXI = join(REAL_SETS, 'tfx-taxi', 'Split-eval');
const sets: [name: string, files: readonly string[]][] = [
  ...(REAL_FACTS as readonly Facts[])
    .filter(({ proto }) => proto === 'Example' || proto === 'SequenceExample')
    .map(({ local }): [string, string[]] => [local, [join(REAL_FILES, local)]]),
  ...(existsSync(TAXI) ? [['tfx-taxi', readdirSync(TAXI).map((name) => join(TAXI, name))] as [string, string[]]] : []),
];

if (sets.length === 0) test.todo(NO_REAL_FILES);
else {
  test.each(sets)('TensorFlow parses all of %s by the Python', async (_name, files) => {
    const schema = await inferSchema(files);
    const answer = await peer.exchange<{ records: number }>({ op: 'features', python: schema.toPython(), files });
    expect(answer).toEqual({ records: schema.records });
  });

  test('the TypeScript of all compiles', async () => {
    const texts = new Map<string, string>();
    for (const [name, files] of sets) {
      const text = (await inferSchema(files)).toTypeScript();
      texts.set(
        join(ROOT, 'test', `${name.replaceAll('/', '-')}.ts`),
        text.replaceAll("'tfrecord-native'", "'../lib'"),
      );
    }
    const options: ts.CompilerOptions = { strict: true, noEmit: true, skipLibCheck: true, types: [], ...MODULES };
    const host = ts.createCompilerHost(options);
    const { fileExists, readFile } = host;
    host.fileExists = (name) => texts.has(name) || fileExists(name);
    host.readFile = (name) => texts.get(name) ?? readFile(name);
    const found = ts.getPreEmitDiagnostics(ts.createProgram([...texts.keys()], options, host));
    const own = found.filter(({ file }) => file === undefined || texts.has(file.fileName));
    expect(own.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  });
}

const MODULES: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
};
