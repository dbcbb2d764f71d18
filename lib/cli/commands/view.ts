import { spawn } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InvalidArgumentError, Option } from 'commander';

import { fromNodeError, objectScheme } from '../../base';
import { lookAtInput } from '../../io';
import { filesIn, type LeftOut } from '../../record';
import type { CommandDefinition, Context } from '../context';
import { addContentFlags, addFiles, type ContentFlags } from '../flags';
import { UsageError } from '../terminal/reporter';
import { lineText, plural } from '../terminal/text';
import { onDemand } from '../on-demand';

interface ViewFlags extends ContentFlags {
  readonly port: number;
  readonly open?: boolean;
}

const HELP = `
Prints the address of the page, serves it until Ctrl-C, and answers this machine only. The address has a
random token: whoever on this machine knows it can read the files. A folder stands for the TFRecord files
in it and below it, found by their names or by how they begin. A log folder of TensorBoard shows its curves,
which grow while the logs do. Counting and searching go on while the page is in use; nothing is written.
`;

export const viewCommand: CommandDefinition = (program, begin) =>
  addContentFlags(
    addFiles(
      program.command('view').description('Look at records, pictures, statistics and damage in a browser.'),
      'paths, URLs, folders, patterns, or name@N for N shards',
    )
      .option('--open', 'also open the browser')
      .addOption(
        new Option('--port <number>', 'the port on 127.0.0.1').argParser(parsePort).default(0, 'any free port'),
      ),
  )
    .addHelpText('after', HELP)
    .action((names: readonly string[], flags: ViewFlags) => serve(names, flags, begin()));

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('A port is a number up to 65535; 0 means any free port.');
  return port;
}

/** Serves the page until the command is interrupted. */
async function serve(names: readonly string[], flags: ViewFlags, context: Context): Promise<void> {
  if (names.includes('-')) {
    throw new UsageError(
      'view jumps about in files, which standard input does not allow: save the data to a file first',
    );
  }
  const { view } = onDemand.view;
  const { isEventFile } = onDemand.events;
  const files: string[] = [];
  const logs: string[] = [];
  for (const name of names) {
    const found = await filesOf(name, context);
    const events = found.filter((path) => isEventFile(basename(path)));
    files.push(...found);
    // A log folder as a whole, because more files and runs may appear in it.
    logs.push(...(events.length > 0 && (await isFolder(name)) ? [name] : events));
  }
  if (files.length === 0) {
    if (context.reporter.exitCode === 0) {
      throw new UsageError(`there is no TFRecord file in or below ${names.map(lineText).join(', ')}`);
    }
    return;
  }
  const { port, compression, verify, maxRecordBytes } = flags;
  const served = await view(files, { logs, port, compression, verify, maxRecordBytes });
  await context.writing(async (signal) => {
    let remove: (() => Promise<void>) | undefined;
    try {
      context.reporter.note(`serving ${plural(files.length, 'file')} to this machine only; Ctrl-C ends it`);
      await context.out.line(served.address);
      await context.out.flush();
      if (flags.open === true) remove = await openBrowser(served.address, context);
      await new Promise((resolve) => {
        if (signal.aborted) resolve(undefined);
        signal.addEventListener('abort', resolve, { once: true });
      });
    } finally {
      await Promise.all([served.close(), remove?.()]);
    }
  });
}

async function filesOf(name: string, context: Context): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of await context.files([name])) {
    try {
      if (objectScheme(path) !== undefined) {
        // Objects of a pattern were listed; another one may be missing.
        if (path === name) await lookAtInput(path, undefined);
        found.push(path);
      } else if ((await stat(path)).isDirectory()) {
        const onLeftOut = (left: LeftOut): void => context.noteLeftOut(path, left);
        found.push(...(await filesIn(path, { onLeftOut })));
      } else found.push(path);
    } catch (error) {
      context.reporter.error(fromNodeError(error, path, 'open'));
    }
  }
  return found;
}

function isFolder(name: string): Promise<boolean> {
  return stat(name).then(
    (about) => about.isDirectory(),
    () => false,
  );
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/**
 * Opens the browser. Returns a function that removes the temporary file. All users of a machine can see the arguments
 * of its processes, so the browser opens a file that contains the address, and that only this user can read.
 */
async function openBrowser(address: string, { reporter }: Context): Promise<() => Promise<void>> {
  const missing = (): void => reporter.note('no browser was opened: open the address yourself');
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(tmpdir(), 'tfrecord-view-'));
    const file = join(folder, 'open.html');
    const page = `<meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${address}">\n`;
    await writeFile(file, page, { mode: 0o600 });
    const [command = '', ...rest] = OPENERS[process.platform] ?? ['xdg-open'];
    const browser = spawn(command, [...rest, pathToFileURL(file).href], { stdio: 'ignore', detached: true });
    browser.on('error', missing);
    browser.on('exit', (code) => {
      if (code !== 0) missing();
    });
    browser.unref();
  } catch {
    // The file could not be written; the address was printed.
    missing();
  }
  return async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
}
