// Turns the reports of trials into tables, in Markdown.

import fs from 'node:fs';
import os from 'node:os';

export const MEMORY_GOAL_MIB = 64;
/** Groups that hold all their records, or the values to encode, in memory. */
const IN_MEMORY = ['write', 'write-gzip', 'parse-single', 'encode', 'encode-vectors'];

const number = (value, digits) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const mib = (kib) => number(kib / 1024, 0);

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Returns the least processor time of a pass, in seconds per record. */
function leastProcessor(reports) {
  const spent = reports.flatMap((report) => report.processor ?? []);
  return spent.length === 0 ? undefined : Math.min(...spent) / reports[0].records;
}

/** Returns the least and the median processor time of a pass, and its median by the clock, in seconds. */
function pass(reports) {
  const [processor, seconds] = ['processor', 'seconds'].map((key) => reports.flatMap((report) => report[key] ?? []));
  return { leastProcessor: Math.min(...processor), processor: median(processor), seconds: median(seconds) };
}

/** Returns a contender's best and median rate over all passes of all rounds, and its largest memory peak. */
export function summary(reports) {
  const seconds = reports.flatMap((report) => report.seconds ?? []);
  return {
    best: seconds.length === 0 ? undefined : reports[0].records / Math.min(...seconds),
    median: seconds.length === 0 ? undefined : reports[0].records / median(seconds),
    processor: leastProcessor(reports),
    pass: pass(reports),
    passes: seconds.length,
    peakKiB: Math.max(...reports.map((report) => report.peakKiB)),
    fileBytes: reports[0].fileBytes,
  };
}

function table(header, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

function contenderTable(group, results, bytesPerRecord) {
  const withSize = group.goals.some((goal) => goal.size);
  const fastest = Math.max(...results.map(({ stats }) => stats.best));
  const [unit, per] = fastest >= 1e5 ? ['M records/s', 1e6] : fastest >= 1e3 ? ['k records/s', 1e3] : ['records/s', 1];
  const header = ['', `${unit}, best`, 'median', 'GB/s, best', ...(withSize ? ['file, bytes'] : []), 'peak MiB'];
  const rows = results.map(({ name, stats }) => [
    name,
    number(stats.best / per, per === 1 ? 0 : 3),
    number(stats.median / per, per === 1 ? 0 : 3),
    number((stats.best * bytesPerRecord) / 1e9, 2),
    ...(withSize ? [stats.fileBytes === undefined ? '' : number(stats.fileBytes, 0)] : []),
    mib(stats.peakKiB),
  ]);
  return table(header, rows);
}

/** Returns the row of a goal in seconds a pass: of processor time, or by the clock. */
function secondsRow(group, { ours, processorSeconds, medianSeconds }, { leastProcessor, processor, seconds }) {
  const spent = (value) => `${number(value, 3)} s`;
  if (medianSeconds === undefined) {
    const reached = leastProcessor <= processorSeconds ? 'yes' : '**no**';
    return [
      `${group.id}: ${ours}, processor time`,
      spent(leastProcessor),
      spent(processor),
      `<= ${processorSeconds} s`,
      reached,
    ];
  }
  const verdict =
    medianSeconds === true ? ['', ''] : [`<= ${medianSeconds} s`, seconds <= medianSeconds ? 'yes' : '**no**'];
  return [`${group.id}: ${ours}, by the clock`, '', spent(seconds), ...verdict];
}

/** Returns one row of the table of goals: name, best and median ratio, target, whether it was reached. */
function goalRow(group, goal, results) {
  const find = (name) => results.find((result) => result.name === name);
  const mine = find(goal.ours);
  const other = find(goal.other);
  if (mine === undefined || (goal.other !== undefined && other === undefined)) return undefined;
  if (goal.rate) {
    const [best, middle] = [mine.stats.best / 1e6, mine.stats.median / 1e6];
    const measured = [best, middle].map((rate) => `${number(rate, 2)} M/s`);
    return [
      `${group.id}: ${goal.ours}`,
      ...measured,
      `>= ${goal.atLeast} M/s`,
      best >= goal.atLeast ? 'yes' : '**no**',
    ];
  }
  if (goal.processorSeconds || goal.medianSeconds) return secondsRow(group, goal, mine.stats.pass);
  if (goal.latency) {
    const { median: middle, p99 } = mine.reports[0];
    const measured = [`${number(middle, 2)} ms`, `p99 ${number(p99, 2)} ms`];
    const [limit, value] = goal.p99AtMostMs === undefined ? [goal.atMostMs, middle] : [goal.p99AtMostMs, p99];
    const target = `${goal.p99AtMostMs === undefined ? '' : 'p99 '}< ${limit} ms`;
    return [group.title, ...measured, target, value < limit ? 'yes' : '**no**'];
  }
  const what = `${group.id}: ${goal.ours} / ${goal.other}`;
  if (goal.size) {
    const ratio = mine.stats.fileBytes / other.stats.fileBytes;
    return [`${what}, file size`, number(ratio, 4), '', `<= ${goal.atMost}`, ratio <= goal.atMost ? 'yes' : '**no**'];
  }
  if (goal.memory) {
    const ratio = mine.stats.peakKiB / other.stats.peakKiB;
    const reached = ratio <= goal.atMost ? 'yes' : '**no**';
    return [`${what}, peak memory`, number(ratio, 3), '', `<= ${goal.atMost}`, reached];
  }
  if (goal.processor) {
    const ratio = mine.stats.processor / other.stats.processor;
    const reached = ratio <= goal.atMost ? 'yes' : '**no**';
    return [`${what}, processor time`, number(ratio, 3), '', `<= ${goal.atMost}`, reached];
  }
  const best = mine.stats.best / other.stats.best;
  const middle = mine.stats.median / other.stats.median;
  const times = (ratio) => `${number(ratio, ratio < 10 ? 2 : 1)} ×`;
  const target = goal.atLeast === undefined ? '' : `>= ${goal.atLeast} ×`;
  const reached = goal.atLeast === undefined ? '' : best >= goal.atLeast ? 'yes' : '**no**';
  return [what, times(best), times(middle), target, reached];
}

function memoryRows(outcomes, emptyKiB) {
  const limit = emptyKiB + MEMORY_GOAL_MIB * 1024;
  const rows = [];
  for (const { group, results } of outcomes) {
    // The target is for a single reader or writer, and the latency groups use several.
    if (IN_MEMORY.includes(group.id) || group.id.startsWith('latency')) continue;
    for (const { name, stats, kind } of results) {
      if (kind !== 'ours' && kind !== 'parse') continue;
      const over = (stats.peakKiB - emptyKiB) / 1024;
      const reached = stats.peakKiB <= limit ? 'yes' : '**no**';
      rows.push([`${group.id}: ${name}`, mib(stats.peakKiB), `+ ${number(over, 1)}`, `+ ${MEMORY_GOAL_MIB}`, reached]);
    }
  }
  return rows;
}

function machine(outcomes) {
  const all = outcomes.flatMap(({ results }) => results.flatMap(({ reports }) => reports));
  const first = (key) => all.find((report) => report[key] !== undefined)?.[key];
  const memory = number(os.totalmem() / 2 ** 30, 0);
  const codecs = first('codecs');
  return [
    `${os.cpus()[0].model}, ${os.cpus().length} cores, ${memory} GiB; ${os.type()} ${os.release()}, ${os.machine()}`,
    `Node ${process.version}; TensorFlow ${first('tensorflow') ?? 'not there'}; tfrecord-stream 0.2.0`,
    `CRC kernel ${first('crc32c')}; ISA-L ${codecs?.isal ? 'there' : 'not there'}; libdeflate ${codecs?.libdeflate ? 'there' : 'not there'}`,
  ];
}

/** Returns a description of the machine, and the ratios of our contenders to the others. */
export function ratios(outcomes, { rounds, seconds, date, load }) {
  const goals = outcomes.flatMap(({ group, results }) =>
    group.goals.map((goal) => goalRow(group, goal, results)).filter((row) => row !== undefined),
  );
  return [
    `Measured ${date} by \`npm run bench\`: ${rounds} rounds of about ${seconds} s each, interleaved, each trial a process of its own.`,
    `Load average before and after: ${load}.`,
    '',
    ...machine(outcomes).map((line) => `- ${line}`),
    '',
    '### Ratios',
    '',
    table(['ours / other', 'best', 'median', 'target', 'reached'], goals),
  ].join('\n');
}

/** Returns the peak memory and the rates of all contenders. */
export function rates(outcomes, { emptyKiB, facts }) {
  const parts = [
    `### Peak memory (MiB; \`node -e 0\`: ${mib(emptyKiB)})`,
    '',
    table(['', 'peak', 'over `node -e 0`', 'target', 'reached'], memoryRows(outcomes, emptyKiB)),
  ];
  for (const { group, results } of outcomes) {
    if (group.id.startsWith('latency')) continue;
    const set = facts.sets[group.file?.split('.')[0]];
    const bytes = group.recordBytes ?? (set === undefined ? 1000 : set.payloadBytes / set.records);
    parts.push('', `### ${group.title}`, '', contenderTable(group, results, bytes));
  }
  return parts.join('\n');
}

const BEGIN = '<!-- bench:begin -->';
const END = '<!-- bench:end -->';

/** Replaces the text between the marks of the page by what `edit` makes of it. */
function editPage(page, edit) {
  const old = fs.readFileSync(page, 'utf8');
  const from = old.indexOf(BEGIN) + BEGIN.length;
  const to = old.indexOf(END);
  if (from < BEGIN.length || to < from) throw new Error(`${page}: the marks ${BEGIN} and ${END} are missing`);
  fs.writeFileSync(page, `${old.slice(0, from)}\n\n${edit(old.slice(from, to).trim())}\n\n${old.slice(to)}`);
}

/** Replaces the whole table of the page. */
export function writePage(page, text) {
  editPage(page, () => text);
}

/**
 * Puts the rows of `text` into the table of the page, in place of those with the same names or at its end, and says above
 * it when and how they were measured.
 */
export function writeRows(page, text) {
  const nameOf = (row) => row.split(' | ')[0];
  const ratio = /^\| ([\w-]+): /;
  const rows = new Map(text.split('\n').flatMap((line) => (ratio.test(line) ? [[nameOf(line), line]] : [])));
  const groups = `Rows of ${[...new Set([...rows.keys()].map((name) => ratio.exec(name)[1]))].join(', ')}: `;
  const measured = text.slice(0, text.indexOf('\n\n'));
  const heading = '### Ratios';
  editPage(page, (old) => {
    const paragraphs = old.split('\n\n').filter((paragraph) => !paragraph.startsWith(groups));
    paragraphs.splice(paragraphs.indexOf(heading), 0, `${groups}${measured[0].toLowerCase()}${measured.slice(1)}`);
    const lines = paragraphs.join('\n\n').split('\n');
    for (const [i, line] of lines.entries()) {
      const name = nameOf(line);
      if (!rows.has(name)) continue;
      lines[i] = rows.get(name);
      rows.delete(name);
    }
    const end = lines.findLastIndex((line) => line.startsWith('| '));
    lines.splice(end + 1, 0, ...rows.values());
    return lines.join('\n');
  });
}
