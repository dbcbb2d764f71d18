/** The names of classes of YOLO: `classes.txt`, or `names` in `data.yaml`. */
import { tfrecordError, worded } from '../../../base';
import { MAX_LABEL } from '../label-map';

/** The names in a file with one on each line. */
export function namesOfLines(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * The value of `names` in a file of YAML: a list (`[a, b]`, or lines of `- a`), or lines of `0: a`. Names are plain, or in
 * quotes. No other YAML is read. @throws TFRecordError TFR_DECODE
 */
export function namesOfYaml(text: string, file: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  const at = lines.findIndex((line) => /^names\s*:/.test(line));
  const wrong = (found: string): Error => {
    const expected = 'names: [a, b], or lines of - a, or of 0: a';
    return tfrecordError('TFR_DECODE', worded`${file}: expected ${expected}, found ${found}.`, {
      file,
      expected,
      found,
    });
  };
  if (at < 0) throw wrong('no names');
  const first = lines[at]!.replace(/^names\s*:/, '').trim();
  if (first !== '' && !first.startsWith('#')) return namesOfFlow([first, ...lines.slice(at + 1)].join('\n'), wrong);
  const names = new Map<number, string>();
  let isList: boolean | undefined;
  for (const line of lines.slice(at + 1)) {
    if (/^\s*(?:#.*)?$/.test(line)) continue;
    const [, item, number, value] = /^(?:\s*(-)|\s+(\d{1,6})\s*:)\s+(.*)$/.exec(line) ?? [];
    if (value === undefined) {
      if (/^\S/.test(line)) break;
      throw wrong(JSON.stringify(line.trim().slice(0, 80)));
    }
    isList ??= item !== undefined;
    const index = item === undefined ? Number(number) : names.size;
    if (isList !== (item !== undefined) || names.has(index) || index >= MAX_LABEL)
      throw wrong(JSON.stringify(line.trim().slice(0, 80)));
    names.set(index, scalar(value, wrong));
  }
  if (names.size === 0) throw wrong('none');
  return Array.from({ length: names.size }, (_, i) => {
    const name = names.get(i);
    if (name === undefined) throw wrong(`no name for ${i}`);
    return name;
  });
}

/** The names in `[a, 'b']`, whatever follows. */
function namesOfFlow(text: string, wrong: (found: string) => Error): readonly string[] {
  const item = /\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|[^\s"'[\]{},#&*!|>%@`][^[\]{},#\n]*?)\s*([,\]])/y;
  if (!text.startsWith('[')) throw wrong(JSON.stringify(text.split('\n')[0]!.slice(0, 80)));
  const names: string[] = [];
  for (item.lastIndex = 1; ;) {
    const start = item.lastIndex;
    const found = item.exec(text);
    if (found === null) throw wrong(JSON.stringify(text.slice(start, start + 80)));
    names.push(scalar(found[1]!, wrong));
    if (found[2] === ']') return names;
  }
}

function scalar(text: string, wrong: (found: string) => Error): string {
  const plain = text.trim();
  const [, double, single] = /^(?:("(?:[^"\\]|\\.)*")|'((?:[^']|'')*)')\s*(?:#.*)?$/.exec(plain) ?? [];
  try {
    if (double !== undefined) return JSON.parse(double) as string;
  } catch {
    throw wrong(double!);
  }
  if (single !== undefined) return single.replaceAll("''", "'");
  const name = plain.replace(/\s+#.*$/, '');
  if (name === '' || /^["'[\]{},#&*!|>%@`]|: /.test(name)) throw wrong(JSON.stringify(name));
  return name;
}
