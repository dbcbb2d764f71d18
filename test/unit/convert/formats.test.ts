import { formatByName, formatOf, listFormats } from '../../../lib/convert/formats';
import { runHere } from '../../support/running/run-here';

interface Tree {
  readonly commands: readonly {
    readonly name: string;
    readonly notes: string;
    readonly options: readonly { readonly long?: string; readonly choices?: readonly string[] }[];
  }[];
}

const formats = listFormats();
const readable = formats.filter((format) => format.isReadable).map(({ name }) => name);
const writable = formats.filter((format) => format.isWritable).map(({ name }) => name);

async function commandOf(name: string): Promise<Tree['commands'][number]> {
  const { commands } = JSON.parse((await runHere(['completion', 'json'])).stdout) as Tree;
  return commands.find((each) => each.name === name)!;
}

describe('the list of formats', () => {
  it('gives each extension to one format', () => {
    const extensions = formats.flatMap((format) => format.extensions);
    expect(new Set(extensions).size).toBe(extensions.length);
    expect(extensions).toContain('.parquet');
    for (const { name, extensions: own } of formats) {
      for (const extension of own) {
        expect(extension).toMatch(/^\.[a-z]+$/);
        expect(formatByName(`A${extension.toUpperCase()}.gz`)).toBe(name);
      }
    }
  });

  it('is that of the options of the command, and of its help', async () => {
    const { options, notes } = await commandOf('convert');
    const choicesOf = (long: string): unknown => options.find((option) => option.long === long)?.choices;
    expect(choicesOf('--from')).toEqual(readable);
    expect(choicesOf('--to')).toEqual(writable);
    for (const { title, extensions } of formats) {
      if (title !== undefined) for (const extension of extensions) expect(notes).toContain(extension);
    }
    const schema = await commandOf('schema');
    const files = formats.filter((format) => format.isReadable && format.isWritable && !format.isFolder);
    expect(files.map(({ name }) => name)).not.toContain('coco');
    expect(schema.options.find(({ long }) => long === '--from')?.choices).toEqual(files.map(({ name }) => name));
  });

  it('refuses names of formats that are not in it', async () => {
    const { code, stderr } = await runHere(['convert', '--to', 'images', 'a', 'b']);
    expect(code).toBe(2);
    expect(stderr).toContain(`Allowed choices are ${writable.join(', ')}.`);
  });

  it('names the extension that a slip means', () => {
    expect(() => formatOf('to', undefined, ['a.ndjsonl'])).toThrow(
      /\.ndjsonl is not a format .*did you mean \.jsonl\?/,
    );
    expect(() => formatOf('to', undefined, ['a.jpg'])).toThrow(
      /\.jpg is not a format that can be written: choose one of/,
    );
    // It has no usual spelling.
    expect(() => formatOf('to', undefined, ['a.npy'])).toThrow(
      /\.npy is not a format that can be written: choose one of/,
    );
    expect(formatOf('from', undefined, ['a.ndjsonl'])).toBe('tfrecord');
  });
});
