/** Writes dist/tfrecord.1, the manual page of the command, from its own description of its commands and options. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const main = fileURLToPath(new URL('dist/cli/main.js', root));
const tree = JSON.parse(execFileSync(process.execPath, [main, 'completion', 'json'], { encoding: 'utf8' }));
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

/** Returns text in which no character is a request or an escape of roff. */
function plain(text) {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replace(/^\./gm, '\\&.');
}

/** Returns lines that are not filled. */
function verbatim(text) {
  return text === '' ? [] : ['.PP', '.nf', plain(text), '.fi'];
}

function optionLines({ short, long, value, choices, description }) {
  const flags = [short, long].filter((flag) => flag !== undefined).map((flag) => `\\fB${plain(flag)}\\fR`);
  const taken = value === undefined ? '' : ` \\fI${plain(value)}\\fR`;
  const among = choices === undefined ? '' : ` (${choices.join(', ')})`;
  return ['.TP', `${flags.join(', ')}${taken}`, plain(`${description}${among}`)];
}

function commandLines(command) {
  return [
    `.SS "${plain(command.usage)}"`,
    plain(command.description),
    ...command.arguments
      .filter(({ description }) => description !== '')
      .flatMap(({ name, description }) => ['.TP', `\\fI${plain(name)}\\fR`, plain(description)]),
    ...command.options.flatMap(optionLines),
    ...verbatim(command.notes),
  ];
}

const lines = [
  `.TH TFRECORD 1 "" "tfrecord\\-native ${plain(version)}" "User Commands"`,
  '.SH NAME',
  'tfrecord \\- look into TFRecord files, check and change them',
  '.SH SYNOPSIS',
  '.B tfrecord',
  '.I command',
  '[\\fIoptions\\fR] \\fIfiles\\fR...',
  '.SH DESCRIPTION',
  plain(tree.description),
  '.SH COMMANDS',
  ...tree.commands.flatMap(commandLines),
  '.SH OPTIONS',
  ...tree.options.flatMap(optionLines),
  '.SH EXAMPLES AND EXIT CODES',
  ...verbatim(tree.notes),
];
writeFileSync(new URL('dist/tfrecord.1', root), `${lines.join('\n')}\n`);
