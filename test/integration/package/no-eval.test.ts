/** The built package works without `eval` and `new Function`, which pages of Electron forbid. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const PACKAGE = join(__dirname, '..', '..', '..', 'dist', 'index.js');

const PROGRAM = `
  const { Example, Event, encodeExample, decodeExample, int64 } = require(${JSON.stringify(PACKAGE)});
  let forbidden = false;
  try { new Function('return 1'); } catch { forbidden = true; }
  const message = { features: { feature: { a: { int64List: { value: [2n ** 62n] } } } } };
  const forms = [
    Example.decode(Example.encode(message)),
    Example.fromJSON(JSON.stringify(Example.toJSON(message))),
    Example.fromText(Example.toText(message)),
    Example.decode(encodeExample(decodeExample(Example.encode(message)))),
  ].map(({ features }) => String(features.feature.a.int64List.value[0]));
  forms.push(String(Event.fromText(Event.toText(Event.fromJSON('{"step":"7","summary":{"value":[{"tag":"t"}]}}'))).step));
  console.log(JSON.stringify({ forbidden, forms }));
`;

test('messages in every form', () => {
  const flags = ['--disallow-code-generation-from-strings', '-e', PROGRAM];
  const two62 = String(2n ** 62n);
  expect(JSON.parse(execFileSync(process.execPath, flags, { encoding: 'utf8' }))).toEqual({
    forbidden: true,
    forms: [two62, two62, two62, two62, '7'],
  });
});

test('loading the package loads no protobufjs', () => {
  const program = `
    require(${JSON.stringify(PACKAGE)});
    console.log(Object.keys(require.cache).filter((path) => /protobufjs|lossless-json|messages\\.generated/.test(path)).length);
  `;
  expect(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' }).trim()).toBe('0');
});
