import { ExampleListWithContext, loadMessageTypes, PredictionLog } from '../../../lib';
import { PROTOS } from '../../support/messages/protos';
import { ProtoFolder } from '../../support/messages/proto-folder';
import { runHere } from '../../support/running/run-here';
import { tfrecord } from '../../support/records/tfrecord';

const folder = new ProtoFolder();
afterAll(() => {
  folder.remove();
});
const run = (...args: string[]) => runHere(args, { cwd: folder.path });
const THINGS = ['--proto', 'nested/things.proto', '--message', 'Choice'];
const LINES = [
  '{"number":1,"color":"RED"}',
  '{"text":"two","long":"9007199254740993"}',
  '{"node":{"inner":{"deep":{"x":3},"all":[{"x":4},{"x":5}]}}}',
  '{"real":0.1}',
  '{"flag":false}',
];
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

beforeAll(async () => {
  const choice = (await loadMessageTypes(folder.at('nested/things.proto'))).type('Choice');
  const records = LINES.map((line) => choice.encode(choice.fromJSON(line)));
  folder.put('choices.tfrecord', tfrecord(records));
  folder.put('damaged.tfrecord', tfrecord([records[0]!, Buffer.from([0x12, 9]), records[1]!]));
  folder.put('empty.tfrecord', '');
  folder.put(
    'long.tfrecord',
    tfrecord([choice.encode({ text: 'é'.repeat(300) }), choice.encode({ data: new Uint8Array(100) })]),
  );
});

describe('tfrecord … --proto FILE --message NAME', () => {
  it.each([['head'], ['cat'], ['tail']])('%s prints canonical JSON', async (command) => {
    expect(await run(command, ...THINGS, 'choices.tfrecord')).toEqual({ code: 0, stdout: text(LINES), stderr: '' });
    expect(await run(command, ...THINGS, 'empty.tfrecord')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('prints origins, and the records that are asked for', async () => {
    const { stdout } = await run('head', '-n', '1', '--skip', '3', '--origin', ...THINGS, 'choices.tfrecord');
    expect(JSON.parse(stdout)).toMatchObject({ origin: { record: 3 }, message: { real: 0.1 } });
    expect((await run('get', ...THINGS, 'choices.tfrecord', '4', '0')).stdout).toBe(text([LINES[4]!, LINES[0]!]));
  });

  it('cuts long values, and says so', async () => {
    const { stdout, stderr } = await run('head', ...THINGS, 'long.tfrecord');
    const [first, second] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(first).toEqual({ text: { text: 'é'.repeat(128), more: 344 } });
    expect(second).toEqual({ data: { base64: 'A'.repeat(64), more: 52 } });
    expect(stderr).toMatch(/cut 2 long values/);
    expect((await run('head', '--full', ...THINGS, 'long.tfrecord')).stdout).toContain(`"${'é'.repeat(300)}"`);
  });

  it('treats a record that is no such message like a damaged one', async () => {
    const failed = await run('cat', ...THINGS, 'damaged.tfrecord');
    expect(failed).toMatchObject({ code: 1, stdout: text(LINES.slice(0, 1)) });
    expect(failed.stderr).toMatch(
      /^tfrecord: error: TFR_DECODE: Record 1 of damaged\.tfrecord: The bytes are not a .*at byte 1 of 2/,
    );
    const skipped = await run('cat', '--on-error', 'skip', ...THINGS, 'damaged.tfrecord');
    expect(skipped).toMatchObject({ code: 0, stdout: text(LINES.slice(0, 2)) });
    expect((await run('cat', '--on-error', 'stop', ...THINGS, 'damaged.tfrecord')).stdout).toBe(
      text(LINES.slice(0, 1)),
    );
  });

  it('reads sets of descriptors', async () => {
    const set = folder.descriptorSet();
    if (set === undefined) return console.warn('protoc is not installed: no set of descriptors was read');
    expect(
      (await run('head', '--proto', 'all.pb', '--message', 'every.things.Choice', 'choices.tfrecord')).stdout,
    ).toBe(text(LINES));
  });

  it('looks for imports in the folders of --proto-path', async () => {
    folder.putProto(
      'apart/deep/top.proto',
      'syntax = "proto3"; import "things.proto"; message Top { every.things.Choice one = 1; }',
    );
    folder.putProto('apart/roots/things.proto', PROTOS['nested/things.proto']!);
    folder.putProto('apart/more/enums.proto', PROTOS['enums.proto']!);
    const paths = ['--proto-path', 'apart/roots', '--proto-path', 'apart/more'];
    const proto = ['--proto', 'apart/deep/top.proto', '--message', 'Choice'];
    expect((await run('head', ...proto, ...paths, 'choices.tfrecord')).stdout).toBe(text(LINES));
  });

  it.each<[args: string[], message: RegExp]>([
    [['--message', 'Choice'], /--message needs --proto, except PredictionLog/],
    [
      ['--proto', 'enums.proto', '--message', 'Choice'],
      /--proto is invalid: TFR_SPEC: enums\.proto defines no messages/,
    ],
    [['--proto', 'nested/things.proto'], /--proto needs --message: every\.things\.Choice, every\.things\.Colors/],
    [['--proto', 'nested/things.proto', '--message', 'Choise'], /--message is invalid: .*Did you mean "Choice"\?/],
    [['--proto', 'none.proto', '--message', 'Choice'], /--proto is invalid: ENOENT.*none\.proto/],
    [[...THINGS, '--kinds'], /cannot be used with/],
    [[...THINGS, '--spec', 'x'], /cannot be used with/],
  ])('%j is wrong use', async (args, message) => {
    const { code, stdout, stderr } = await run('head', ...args, 'choices.tfrecord');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });
});

describe('messages that are built in', () => {
  it('need no --proto', async () => {
    const json = '{"examples":[{"features":{"feature":{"a":{"int64List":{"value":["1"]}}}}}]}';
    const bytes = ExampleListWithContext.encode(ExampleListWithContext.fromJSON(json));
    folder.put('lists.tfrecord', tfrecord([bytes]));
    expect(await run('head', '--message', 'ExampleListWithContext', 'lists.tfrecord')).toEqual({
      code: 0,
      stdout: `${json}\n`,
      stderr: '',
    });
    folder.put('logs.tfrecord', tfrecord([PredictionLog.encode({ predictLog: {} })]));
    expect((await run('cat', '--message', 'PredictionLog', 'logs.tfrecord')).stdout).toBe('{"predictLog":{}}\n');
  });
});

describe('tfrecord grep --message', () => {
  const grep = (...args: string[]) => run('grep', ...args, ...THINGS, 'choices.tfrecord');

  it.each<[conditions: string[], found: number[]]>([
    [['number=1'], [0]],
    [['color=RED'], [0]],
    [['text~^tw'], [1]],
    [['long=9007199254740993'], [1]],
    [['long>9007199254740992'], [1]],
    [['node.inner.deep.x=3'], [2]],
    [['node.inner.all.x=5'], [2]],
    [['node'], [2]],
    [
      ['!node', '--and', 'color!=RED'],
      [1, 3, 4],
    ],
    [['real=0.1'], [3]],
    [['real<0.10000000000000001'], []],
    [['flag=false'], [4]],
    [
      ['-v', 'number'],
      [1, 2, 3, 4],
    ],
  ])('%j', async (conditions, found) => {
    const { code, stdout } = await grep(...conditions);
    expect([code, stdout]).toEqual([found.length > 0 ? 0 : 1, text(found.map((i) => LINES[i]!))]);
  });

  it('names the member that was probably meant', async () => {
    expect((await grep('numbr=1')).stderr).toMatch(/Did you mean "number"\?/);
  });

  it('counts, and copies records', async () => {
    expect((await grep('-c', 'node')).stdout).toBe('1\n');
    await grep('node', '-o', 'found.tfrecord', '--force');
    expect((await run('cat', ...THINGS, 'found.tfrecord')).stdout).toBe(text([LINES[2]!]));
  });
});

describe('tfrecord convert --message', () => {
  it('converts to JSON Lines and back', async () => {
    expect((await run('convert', ...THINGS, 'choices.tfrecord', 'a.jsonl')).code).toBe(0);
    expect((await run('convert', ...THINGS, 'choices.tfrecord', '--to', 'jsonl', '-')).stdout).toBe(text(LINES));
    expect((await run('convert', ...THINGS, 'a.jsonl', 'back.tfrecord.gz')).code).toBe(0);
    expect((await run('cat', ...THINGS, 'back.tfrecord.gz')).stdout).toBe(text(LINES));
  });

  it('names the line that is no such message', async () => {
    folder.put('bad.jsonl', text([LINES[0]!, '', '{"number":"x"}']));
    const { code, stderr } = await run('convert', ...THINGS, 'bad.jsonl', 'bad.tfrecord');
    expect(code).toBe(1);
    expect(stderr).toMatch(/Line 3 of bad\.jsonl: The JSON is not a Choice: .*number/);
  });

  it('refuses other formats', async () => {
    for (const args of [
      ['choices.tfrecord', 'a.parquet'],
      ['choices.tfrecord', 'copy.tfrecord'],
      ['choices.tfrecord', 'b.jsonl', '--features', 'a'],
    ]) {
      const { code, stderr } = await run('convert', ...THINGS, ...args);
      expect(code).toBe(2);
      expect(stderr).toMatch(/--message|--features/);
    }
  });
});
