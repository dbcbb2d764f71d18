/**
 * The examples are programs that people begin with: each says what is wrong with an input, leaves no files behind, and
 * loses nothing in silence. Those that need no input have none here: digits, damaged-file, schematics.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { bytes, encodeExample, float, int64, type FeatureLike } from '../../../lib';
import { picture } from '../../support/records/pictures';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';
import { ROOT } from '../../support/running/compiled-sources';
import { checkBuilt } from '../../support/running/run-example';

beforeAll(checkBuilt);
const folder = new Folder();
afterAll(() => folder.remove());

const example = (name: string): string => join(ROOT, 'examples', name);

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder of its own for each test, with `files`, and one for temporary files, which must be empty in the end. */
class Place {
  readonly path: string;
  readonly at: (name: string) => string;

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    ({ path: this.path, at: this.at } = folder.place());
    mkdirSync(this.at('tmp'));
    for (const [name, data] of Object.entries(files)) writeFileSync(this.at(name), data);
  }

  get env(): NodeJS.ProcessEnv {
    return { ...process.env, TMPDIR: this.at('tmp'), NO_COLOR: '1' };
  }

  run(name: string, args: readonly string[], input: string | Uint8Array = ''): Outcome {
    const result = spawnSync(process.execPath, [example(name), ...args], {
      cwd: this.path,
      env: this.env,
      input,
      timeout: 60_000,
    });
    expect(readdirSync(this.at('tmp'))).toEqual([]);
    return { status: result.status, stdout: String(result.stdout), stderr: String(result.stderr) };
  }
}

/** Errors of programs that were not prepared for what they got. */
const UNPREPARED = /TypeError|ReferenceError|RangeError|SyntaxError|is not iterable|Cannot read|is not a function/;

/** The outcome of a program that refuses its input, and says why in `stderr`. */
function refusal(why: RegExp | string): unknown {
  return {
    status: expect.any(Number) as number,
    stdout: expect.any(String) as string,
    stderr: typeof why === 'string' ? expect.stringContaining(why) : expect.stringMatching(why),
  };
}

function expectRefused(outcome: Outcome, why: RegExp | string): void {
  expect(outcome).toEqual(refusal(why));
  expect([1, 2]).toContain(outcome.status);
  expect(outcome.stderr).not.toMatch(UNPREPARED);
}

const row = (features: Readonly<Record<string, FeatureLike>>): Buffer => Buffer.from(encodeExample(features));
const good = tfrecord([row({ a: int64([1]) }), row({ a: int64([2]) })]);
const flipped = Buffer.from(good);
flipped[flipped.length - 6]! ^= 1;

describe.each([
  ['read-records.mjs', '0 records in all\n'],
  ['read-batches.mjs', '0 records, 0 bytes, the longest of 0 bytes\n'],
  ['frames.mjs', '0 frames\n'],
])('%s', (name, ofNothing) => {
  test.each([
    ['absent', undefined, 'ENOENT'],
    ['damaged', flipped, 'TFR_CORRUPT_DATA'],
    ['cut', good.subarray(0, -1), 'TFR_TRUNCATED'],
    ['text', Buffer.from('{"a":1}\n'), 'TFR_NOT_TFRECORD'],
  ])('%s', (_, content, code) => {
    const place = new Place(content === undefined ? {} : { in: content });
    expectRefused(place.run(name, ['in']), code);
  });

  test('empty', () => {
    expect(new Place({ in: '' }).run(name, ['in'])).toEqual({ status: 0, stdout: ofNothing, stderr: '' });
  });
});

describe('read-records.mjs', () => {
  test('names and texts that a terminal would obey', () => {
    const record = row({
      'a\u001B[2Jb': 'x\u202Ey\u009B1m',
      'c\nd': float([NaN]),
      e: bytes([Buffer.alloc(5_000_000)]),
    });
    const { status, stdout } = new Place({ in: tfrecord([record]) }).run('read-records.mjs', ['in']);
    expect(status).toBe(0);
    expect(stdout).not.toMatch(/[^\x20-\x7e\n]/);
    expect(stdout).toContain('  c\\u{a}d');
    expect(stdout).toContain('... (5000000 bytes)');
    expect(stdout.length).toBeLessThan(5000);
  });

  test('a feature without a kind, and records of another type', () => {
    const none = Buffer.from('0a050a030a0161', 'hex');
    expect(new Place({ in: tfrecord([none]) }).run('read-records.mjs', ['in']).stdout).toContain('no value');
    const other = Buffer.from('0a0568656c6c6f', 'hex');
    expectRefused(new Place({ in: tfrecord([other]) }).run('read-records.mjs', ['in']), 'TFR_EXAMPLE');
  });

  test('no number', () => {
    expectRefused(new Place({ in: good }).run('read-records.mjs', ['in', 'x']), 'usage');
  });

  test('a reader that goes away', () => {
    const many = Array.from({ length: 20_000 }, (_, i) => row({ a: int64([i]), text: 'x'.repeat(50) }));
    const place = new Place({ in: tfrecord(many) });
    const line = `set -o pipefail; "${process.execPath}" "${example('read-records.mjs')}" in 20000 | head -n 1`;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', line], { cwd: place.path, encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'record 0, 78 bytes\n', stderr: '' });
  });
});

test.each([
  ['', '0 records from standard input\n', 0],
  [good, '2 records from standard input\n', 0],
  [good.subarray(0, -1), '', 1],
])('read-stream.mjs of standard input, %#', (input, stdout, status) => {
  expect(new Place().run('read-stream.mjs', ['-'], input)).toMatchObject({ stdout, status });
});

describe('taxi.mjs', () => {
  const trip = (more: Readonly<Record<string, FeatureLike>> = {}): Buffer =>
    row({
      fare: float([5]),
      trip_miles: float([1]),
      trip_seconds: int64([60]),
      trip_start_hour: int64([7]),
      payment_type: 'Cash',
      ...more,
    });

  test('no trips', () => {
    expect(new Place({ in: tfrecord([]) }).run('taxi.mjs', ['in'])).toEqual({
      status: 0,
      stdout: '0 trips in 0 batches\n',
      stderr: '',
    });
  });

  test('several companies of a trip are those of one trip', () => {
    const trips = [trip({ company: ['a', 'b', 'c'] }), trip(), trip()];
    expect(new Place({ in: tfrecord(trips) }).run('taxi.mjs', ['in']).stdout).toContain('2 without a company');
  });

  test.each([
    [{ trip_start_hour: int64([25]) }, 'a trip begins at 25 h'],
    [{ trip_start_hour: int64([-1]) }, 'a trip begins at -1 h'],
    [{ fare: int64([5]) }, 'TFR_FEATURE'],
    [{ fare: [] }, 'TFR_FEATURE'],
  ])('%j', (more, why) => {
    expectRefused(new Place({ in: tfrecord([trip(more)]) }).run('taxi.mjs', ['in']), why);
  });
});

describe('cifar.mjs', () => {
  const image = (label: number): Buffer => Buffer.alloc(3073, 9).fill(label, 0, 1);

  test('no images', () => {
    const { status, stdout } = new Place({ in: '' }).run('cifar.mjs', ['in']);
    expect([status, stdout.split('\n').slice(0, 2)]).toEqual([0, ['0 images in batches of ', 'airplane: 0']]);
  });

  test.each([
    [image(10), 'label 10'],
    [image(1).subarray(1), 'TFR_TRUNCATED'],
    [undefined, 'ENOENT'],
  ])('%#', (content, why) => {
    expectRefused(new Place(content === undefined ? {} : { in: content }).run('cifar.mjs', ['in']), why);
  });
});

describe('mnist.mjs', () => {
  const idx = (shape: readonly number[], data: number): Buffer => {
    const head = Buffer.alloc(4 + 4 * shape.length);
    head.writeUInt32BE(0x0800 + shape.length, 0);
    for (const [i, size] of shape.entries()) head.writeUInt32BE(size, 4 + 4 * i);
    return Buffer.concat([head, Buffer.alloc(data)]);
  };
  const images = idx([2, 3, 3], 18);
  const labels = idx([2], 2);

  test.each<[string, Uint8Array, Uint8Array, RegExp]>([
    ['empty images', Buffer.alloc(0), labels, /images is not an idx file of bytes in 3 dimensions/],
    ['cut images', images.subarray(0, -1), labels, /images: expected 18 bytes behind its header, found 17/],
    ['cut labels', images, idx([2], 1), /labels: expected 2 bytes/],
    ['more images', idx([3, 3, 3], 27), labels, /3 images, 2 labels/],
    ['both in each other’s place', labels, images, /images is not an idx file/],
    ['huge sizes', idx([0xffffffff, 0xffffffff, 0xffffffff], 9), labels, /expected \d/],
    ['cut gzip', gzipSync(images).subarray(0, -4), labels, /images: .*end of file/],
    ['garbage', Buffer.from('hello, world, hello'), labels, /images is not an idx file/],
  ])('%s', (_, first, second, why) => {
    const place = new Place({ images: first, labels: second });
    expectRefused(place.run('mnist.mjs', ['images', 'labels', 'out']), why);
    expect(existsSync(place.at('out'))).toBe(false);
  });

  test('a file of images alone is no demonstration', () => {
    expectRefused(new Place({ images }).run('mnist.mjs', ['images']), 'usage');
  });

  test('no images', () => {
    expect(
      new Place({ images: idx([0, 3, 3], 0), labels: idx([0], 0) }).run('mnist.mjs', ['images', 'labels']),
    ).toEqual({
      status: 0,
      stdout: '0 images\n',
      stderr: '',
    });
  });
});

describe('boxes.mjs', () => {
  const tag = { name: 'cat', left: 1, top: 2, width: 3, height: 4 };
  const png = picture('png', 10, 20);

  test.each<[string, Uint8Array, string | undefined, RegExp]>([
    ['no tags', png, undefined, /ENOENT/],
    ['text instead of tags', png, 'tags', /a\.png\.json: .*JSON/],
    ['null', png, 'null', /a\.png\.json: /],
    ['null tags', png, '{"tags":null}', /expected tags of cat, dog with four numbers, found undefined/],
    ['a null tag', png, '{"tags":[null]}', /found null/],
    ['an unknown tag, which would be the background', png, JSON.stringify({ tags: [{ ...tag, name: 'cow' }] }), /cow/],
    ['numbers as text', png, JSON.stringify({ tags: [{ ...tag, left: '1' }] }), /"left":"1"/],
    ['no picture', Buffer.from('GIF89a, or so it says: no PNG'), '{"tags":[]}', /a\.png is not a PNG file/],
    ['an empty picture', Buffer.alloc(0), '{"tags":[]}', /a\.png is not a PNG file/],
    ['no width', picture('png', 0, 5), '{"tags":[]}', /a\.png is 0 x 5/],
  ])('%s', (_, image, tags, why) => {
    const place = new Place();
    mkdirSync(place.at('in'));
    writeFileSync(join(place.at('in'), 'a.png'), image);
    if (tags !== undefined) writeFileSync(join(place.at('in'), 'a.png.json'), tags);
    const outcome = place.run('boxes.mjs', ['in', 'out']);
    expect(outcome.stderr).not.toMatch(/^TypeError/m);
    expect(outcome).toEqual(refusal(why));
    expect(outcome.status).toBe(1);
    expect(readdirSync(place.path).sort()).toEqual(['in', 'tmp']);
  });

  test('names in capitals, and names that a shell would take apart', () => {
    const place = new Place();
    mkdirSync(place.at('in'));
    for (const name of ['A.PNG', 'b $(x)\n.png']) {
      writeFileSync(join(place.at('in'), name), png);
      writeFileSync(join(place.at('in'), `${name}.json`), JSON.stringify({ tags: [tag] }));
    }
    expect(place.run('boxes.mjs', ['in', 'out'])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^2 images\n/) as string,
    });
  });
});

describe('annotations.mjs', () => {
  const image = { id: 1, file_name: 'a.jpg', width: 10, height: 10 };
  const box = { image_id: 1, category_id: 2, bbox: [1, 2, 3, 4] };
  const coco = (more: object = {}): string =>
    JSON.stringify({ images: [image], annotations: [box], categories: [{ id: 2, name: '007' }], ...more });
  const voc = (object: string, name = 'a.jpg', size = '<width>10</width><height>10</height>'): string =>
    `<annotation><filename>${name}</filename><size>${size}</size>${object}</annotation>`;
  const object =
    '<object><name>007</name><bndbox><xmin>1</xmin><ymin>2</ymin><xmax>4</xmax><ymax>6</ymax></bndbox></object>';

  const run = (name: string, text: string): { readonly place: Place; readonly outcome: Outcome } => {
    const place = new Place({ [name]: text, secret: 'a secret' });
    mkdirSync(place.at('images'));
    writeFileSync(join(place.at('images'), 'a.jpg'), 'x');
    return { place, outcome: place.run('annotations.mjs', ['out', 'images', name]) };
  };

  test.each([
    ['coco.json', coco()],
    ['voc.xml', voc(object)],
  ])('%s keeps the class 007', (name, text) => {
    const { place, outcome } = run(name, text);
    expect(outcome).toEqual({ status: 0, stdout: '1 images\n', stderr: '' });
    expect(readFileSync(place.at('out')).includes('\x03007')).toBe(true);
  });

  test.each<[string, string, RegExp]>([
    ['a.json', 'no JSON', /a\.json: .*JSON/],
    ['a.json', 'null', /a\.json: expected lists/],
    ['a.json', coco({ annotations: null }), /a\.json: expected lists/],
    ['a.json', coco({ categories: [null] }), /a\.json: expected lists/],
    ['a.json', coco({ categories: [] }), /a name of the class/],
    ['a.json', coco({ annotations: [{ ...box, image_id: 9 }] }), /an annotation of image 9, which is not listed/],
    ['a.json', coco({ annotations: [{ ...box, bbox: ['1', 2, 3, 4] }] }), /four numbers for the box of each 007/],
    ['a.json', coco({ annotations: [{ ...box, bbox: null }] }), /four numbers/],
    ['a.json', coco({ images: [{ ...image, width: 0 }] }), /a width and a height/],
    ['a.json', coco({ images: [{ ...image, file_name: '../secret' }] }), /the name of a file in the folder/],
    ['a.json', coco({ images: [{ ...image, file_name: '/etc/passwd' }] }), /the name of a file in the folder/],
    ['a.json', coco({ images: [{ ...image, file_name: 'b.jpg' }] }), /ENOENT/],
    ['a.xml', 'no XML', /a\.xml: /],
    ['a.xml', '<annotation><filename>', /a\.xml: /],
    ['a.xml', '<other/>', /the name of a file in the folder/],
    ['a.xml', voc(object, 'x/../../secret'), /the name of a file in the folder/],
    ['a.xml', voc(object, 'a.jpg', ''), /a width and a height/],
    ['a.xml', voc('<object><name>007</name></object>'), /four numbers for the box of each 007/],
    ['a.xml', voc(object.replace('<xmin>1</xmin>', '<xmin>left</xmin>')), /four numbers/],
    ['a.xml', voc(object.replace('<name>007</name>', '')), /a name of the class/],
    ['a.csv', '', /usage/],
  ])('%s %s', (name, text, why) => {
    const { place, outcome } = run(name, text);
    expect(outcome).toEqual(refusal(why));
    expect([1, 2]).toContain(outcome.status);
    expect(outcome.stderr).not.toMatch(/^TypeError/m);
    expect(readdirSync(place.path).filter((each) => each.includes('out'))).toEqual([]);
  });
});

describe('convert.mjs', () => {
  test.each([
    ['one name', ['a.csv'], /^usage/],
    ['an absent file', ['none.csv', 'out'], /ENOENT/],
    ['damage', ['damaged', 'out.csv'], /TFR_CORRUPT_DATA/],
    ['several kinds', ['mixed.jsonl', 'out'], /TFR_FEATURE/],
    ['no JSON', ['text.jsonl', 'out'], /TFR_DECODE/],
    ['an output of another format', ['a.csv', 'out.npy'], /npy/],
  ])('%s', (_, args, why) => {
    const place = new Place({
      'a.csv': 'x\n1\n',
      damaged: flipped,
      'mixed.jsonl': '{"a":1}\n{"a":"x"}\n',
      'text.jsonl': 'x\n',
    });
    const outcome = place.run('convert.mjs', args);
    expect(outcome).toEqual(refusal(why));
    expect([1, 2]).toContain(outcome.status);
    expect(readdirSync(place.path).filter((name) => name.includes('out'))).toEqual([]);
  });

  test('null and empty fields have no value; what changes is said', () => {
    const place = new Place({ 'a.jsonl': '{"x":null,"y":1}\n', 'b.csv': 'x,y\n,1\nNA,2\n3,4\n' });
    expect(place.run('convert.mjs', ['a.jsonl', 'a.tfrecord'])).toMatchObject({ status: 0 });
    expect(place.run('convert.mjs', ['b.csv', 'b.tfrecord']).stdout).toMatch(/^3 records in b\.tfrecord\nnote: line 3/);
  });

  test('Ctrl-C leaves no half of an output', async () => {
    const place = new Place();
    spawnSync('mkfifo', [place.at('in.jsonl')]);
    const child = spawn(process.execPath, [example('convert.mjs'), 'in.jsonl', 'out.tfrecord'], {
      cwd: place.path,
      env: place.env,
      stdio: 'ignore',
    });
    const feeding = spawn('bash', ['-c', `exec 3> in.jsonl; echo '{"a":1}' >&3; echo fed; sleep 60`], {
      cwd: place.path,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(feeding.stdout, 'data');
    await new Promise((resolve) => setTimeout(resolve, 300));
    const exit = once(child, 'exit');
    child.kill('SIGINT');
    const [code, signal] = (await exit) as [number | null, string | null];
    feeding.kill('SIGKILL');
    expect([code, signal]).not.toEqual([0, null]);
    expect(readdirSync(place.path).sort()).toEqual(['in.jsonl', 'tmp']);
  });
});

describe('worker-pool.mjs', () => {
  test('large, empty, absent and damaged shards', () => {
    const many = Array.from({ length: 300_000 }, (_, i) => row({ elevation: int64([i % 5000]) }));
    const place = new Place({ many: tfrecord(many), none: tfrecord([]), flipped });
    expect(place.run('worker-pool.mjs', ['many', 'none'])).toEqual({
      status: 0,
      stdout: '300000 values, the highest 4999\n0 values\n',
      stderr: '',
    });
    expectRefused(place.run('worker-pool.mjs', ['many', 'absent']), 'ENOENT');
    expectRefused(place.run('worker-pool.mjs', ['flipped', 'none']), /TFR_/);
  });
});

describe.each(['images.mjs', 'captions.mjs', 'movie-recommendation.mjs', 'observations.mjs', 'write-records.mjs'])(
  '%s',
  (name) => {
    test('a target that cannot be written', () => {
      const place = new Place();
      expectRefused(place.run(name, ['absent/out']), 'ENOENT');
      expectRefused(place.run(name, ['tmp']), /E(ISDIR|EXIST|NOTEMPTY)/);
    });

    test('a target whose name a shell would take apart', () => {
      const place = new Place();
      const target = '-n $(x) "é"\n.tfrecord';
      expect(place.run(name, [target])).toMatchObject({ status: 0, stderr: '' });
      expect(readdirSync(place.path).sort()).toEqual([target, 'tmp']);
    });
  },
);

test('pipeline.mjs reads what it wrote, and nothing else', () => {
  const place = new Place();
  mkdirSync(place.at('[x]'));
  writeFileSync(join(place.at('[x]'), 'train-old.tfrecord.gz'), gzipSync(good));
  expect(place.run('pipeline.mjs', ['[x]'])).toMatchObject({ status: 0, stderr: '' });
  expectRefused(place.run('pipeline.mjs', ['absent']), 'ENOENT');
});

describe('json-lines-server.mjs', () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => row({ i: int64([i]), text: 'x'.repeat(100) }));
  const whole = tfrecord(rows);
  const late = Buffer.from(whole);
  late[late.length - 10]! ^= 1;

  async function freePort(): Promise<number> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return port;
  }

  async function serving(place: Place, use: (port: number, errors: () => string) => Promise<void>): Promise<void> {
    const port = await freePort();
    const child = spawn(process.execPath, [example('json-lines-server.mjs'), place.at('data'), String(port)], {
      cwd: place.path,
      env: place.env,
    });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)));
    const exit = once(child, 'exit');
    try {
      await once(child.stdout, 'data');
      await use(port, () => errors);
      expect([child.exitCode, child.signalCode]).toEqual([null, null]);
    } finally {
      child.kill('SIGKILL');
      await exit;
    }
  }

  /** The answer to bytes that are sent as they are. */
  async function answerTo(port: number, text: string): Promise<string> {
    const socket: Socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(text);
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    await new Promise((resolve) => socket.once('close', resolve));
    return answer;
  }
  const get = (path: string, method = 'GET'): string =>
    `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

  test('requests and clients of any kind', async () => {
    const nan = row({ x: float([NaN, -Infinity, 1.5]), y: int64([2n ** 60n]) });
    const place = new Place();
    mkdirSync(place.at('data'));
    const put = (name: string, data: Uint8Array): void => writeFileSync(join(place.at('data'), name), data);
    put('whole', whole);
    put('late', late);
    put('flipped', tfrecord([Buffer.from('x')]).fill(0, 0, 1));
    put('text', Buffer.from('hello, this is no record'));
    put('none', tfrecord([]));
    put('nan', tfrecord([nan]));
    put('a b%20c', good);
    mkdirSync(join(place.at('data'), 'folder'));
    await serving(place, async (port, errors) => {
      const status = async (text: string): Promise<string> =>
        /^HTTP\/1\.1 (\d+)/.exec(await answerTo(port, text))?.[1] ?? '';
      for (const path of ['/', '//', '/%', '/%E0%A4%A', '/..%2Fsecret', '/folder', '/%00', '/whole%00', '*']) {
        expect([path, await status(get(path))]).toEqual([path, '404']);
      }
      expect(await status(get(`/${'a'.repeat(15_000)}`))).toBe('404');
      expect(await status(get(`/${'a'.repeat(100_000)}`))).toBe('431');
      expect(await status('nonsense\r\n\r\n')).toBe('400');
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
        expect(await status(get('/whole', method))).toBe('405');
      expect(await answerTo(port, get('/whole', 'HEAD'))).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n$/);
      for (const name of ['flipped', 'text']) expect(await status(get(`/${name}`))).toBe('500');
      expect(await status(get('/none'))).toBe('200');
      expect(await status(get('/a%20b%2520c'))).toBe('200');
      expect(await answerTo(port, get('/nan'))).toContain(
        '{"x":["NaN","-Infinity",1.5],"y":["1152921504606846976"]}\n',
      );

      // Without the last chunk, a client knows that rows are missing.
      const damaged = await answerTo(port, get('/late'));
      expect([damaged.slice(0, 12), damaged.endsWith('0\r\n\r\n')]).toEqual(['HTTP/1.1 200', false]);
      expect((await answerTo(port, get('/whole'))).endsWith('0\r\n\r\n')).toBe(true);

      for (let i = 0; i < 20; i++) {
        const socket = connect(port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write(get('/whole'));
        if (i % 2 === 0) await new Promise((resolve) => socket.once('data', resolve));
        socket.resetAndDestroy();
      }
      expect(await status(get('/none'))).toBe('200');
      const lines = errors().trimEnd().split('\n');
      expect(lines).toHaveLength(3);
      for (const line of lines) expect(line).toMatch(/(flipped|text|late)/);
    });
  });

  test('a folder that is not there is no missing file', async () => {
    await serving(new Place(), async (port, errors) => {
      expect(await answerTo(port, get('/a'))).toMatch(/^HTTP\/1\.1 500/);
      expect(errors()).toContain('ENOENT');
    });
  });
});
