// Prepares what the benchmark needs besides the build: TensorFlow, its data, a rival from npm, the C++ floors.
// Everything is made once, in .cache (git-ignored).

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import zlib from 'node:zlib';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CACHE = path.join(ROOT, '.cache');
const STREAM_VERSION = '0.2.0';

/** Returns the Python interpreter with TensorFlow; undefined if there is none. The script then prints why to stderr. */
export function tensorflow() {
  try {
    const stdio = ['ignore', 'pipe', 'inherit'];
    return execFileSync(path.join(ROOT, 'scripts', 'tensorflow-venv.sh'), { encoding: 'utf8', stdio }).trim();
  } catch {
    return undefined;
  }
}

/** Returns the folder of the data: .cache/bench, or the one that `TFRECORD_BENCH_DIR` names. Makes the data if missing. */
export function data(python) {
  const folder = process.env.TFRECORD_BENCH_DIR ?? path.join(CACHE, 'bench');
  const script = path.join(ROOT, 'bench', 'tf', 'make_data.py');
  if (python !== undefined) {
    execFileSync(python, [script, folder], { stdio: ['ignore', 'ignore', 'ignore'] });
  } else if (!fs.existsSync(path.join(folder, 'data.json'))) {
    throw new Error(`no data in ${folder}, and no TensorFlow to make it`);
  }
  return folder;
}

/** Writes the small Examples with this package, beside TensorFlow's files. */
export async function ownFiles(folder) {
  const { readRecords, RecordWriter } = createRequire(import.meta.url)('../dist/index.js');
  for (const level of [6, 1]) {
    const target = path.join(folder, `examples.own-${level}.tfrecord.gz`);
    if (fs.existsSync(target)) continue;
    const writer = await RecordWriter.open(target, { level });
    for await (const record of readRecords(path.join(folder, 'examples.tfrecord'))) await writer.write(record);
    await writer.close();
  }
}

/** Writes the files of the command: the small Examples five times over, plain and GZIP (five members), and one record. */
export async function commandFiles(folder) {
  const { RecordWriter } = createRequire(import.meta.url)('../dist/index.js');
  for (const kind of ['tfrecord', 'tfrecord.gz']) {
    const target = path.join(folder, `million.${kind}`);
    if (fs.existsSync(target)) continue;
    const bytes = fs.readFileSync(path.join(folder, `examples.${kind}`));
    fs.writeFileSync(`${target}.making`, Buffer.concat(Array(5).fill(bytes)));
    fs.renameSync(`${target}.making`, target);
  }
  const writer = await RecordWriter.open(path.join(folder, 'one.tfrecord'));
  await writer.write(new Uint8Array(100));
  await writer.close();
}

/** Writes copies of the small Examples, with 16 bytes inverted at each of 50 places. */
export function damagedFiles(folder) {
  for (const kind of ['tfrecord', 'own-6.tfrecord.gz']) {
    const target = path.join(folder, `damaged.${kind}`);
    if (fs.existsSync(target)) continue;
    const bytes = fs.readFileSync(path.join(folder, `examples.${kind}`));
    for (let i = 0; i < 50; i += 1) {
      const at = Math.floor(((i + 0.5) / 50) * bytes.length);
      for (let n = 0; n < 16; n += 1) bytes[at + n] ^= 0xff;
    }
    fs.writeFileSync(`${target}.making`, bytes);
    fs.renameSync(`${target}.making`, target);
  }
}

/** Writes the small Examples in turn to 16 shards, beside the other files. */
export async function shards(folder) {
  const target = path.join(folder, 'shards');
  if (fs.existsSync(target)) return;
  const { Dataset } = createRequire(import.meta.url)('../dist/index.js');
  const making = `${target}.making`;
  fs.mkdirSync(making, { recursive: true });
  await Dataset.tfrecord(path.join(folder, 'examples.tfrecord')).writeTo(path.join(making, 'examples'), { shards: 16 });
  fs.renameSync(making, target);
}

/** Writes files of text, CSV and records of 64 bytes. Returns their facts by name, in the form of `data.json`. */
export function lineFiles(folder) {
  let seed = 1;
  const below = (n) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % n;
  };
  const words = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'größe', 'heath'];
  const text = () => Array.from({ length: 3 + below(17) }, () => words[below(8)]).join(' ');
  const facts = {};
  const make = (name, count, line) => {
    const target = path.join(folder, name);
    if (!fs.existsSync(target)) write(target, count, line);
    facts[name.split('.')[0]] = { records: count, payloadBytes: fs.statSync(target).size };
  };
  const write = (target, count, line) => {
    const file = fs.openSync(`${target}.making`, 'w');
    for (let done = 0; done < count; done += 10_000) {
      fs.writeSync(file, Buffer.concat(Array.from({ length: 10_000 }, (_, i) => Buffer.from(line(done + i)))));
    }
    fs.closeSync(file);
    fs.renameSync(`${target}.making`, target);
  };
  make('lines.txt', 1_500_000, () => `${text()}\n`);
  make('table.csv', 500_000, (i) => {
    const row = `${i},${below(100_000) / 100},${words[below(8)]},${i % 10 === 0 ? '"said ""so"", and went"' : ''},${below(1000)}\n`;
    return i === 0 ? `id,price,name,note,count\n${row}` : row;
  });
  make('fixed.bin', 1_500_000, () => Buffer.alloc(64, words[below(8)]));
  const packed = path.join(folder, 'lines.txt.gz');
  if (!fs.existsSync(packed)) fs.writeFileSync(packed, zlib.gzipSync(fs.readFileSync(path.join(folder, 'lines.txt'))));
  return facts;
}

/**
 * Returns the folder whose node_modules has tfrecord-stream; undefined if it cannot be installed. Its native checksum is
 * built if possible.
 */
export function streamModules() {
  const folder = path.join(CACHE, `tfrecord-stream-${STREAM_VERSION}`);
  if (fs.existsSync(path.join(folder, 'node_modules', 'tfrecord-stream'))) return folder;
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n');
  const npm = (...args) =>
    execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, stdio: 'ignore' });
  try {
    npm('install', '--ignore-scripts', `tfrecord-stream@${STREAM_VERSION}`);
  } catch {
    console.error('bench: tfrecord-stream could not be installed; its rows are left out');
    return undefined;
  }
  try {
    npm('rebuild', 'sse4_crc32');
  } catch {
    console.error('bench: the native checksum of tfrecord-stream could not be built; it uses JavaScript');
  }
  return folder;
}

/** Builds the programs of the floors from native/bench, and returns their folder. */
export function floors() {
  const folder = path.join(CACHE, 'floors');
  const run = (...args) => execFileSync('cmake', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  run('-S', ROOT, '-B', folder, '-DCMAKE_BUILD_TYPE=Release', '-DTFR_BUILD_BENCH=ON');
  const targets = ['read_floor', 'read_threads_floor', 'write_floor'];
  run('--build', folder, '-j2', '--target', ...targets);
  return path.join(folder, 'native', 'bench');
}
