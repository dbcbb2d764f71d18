/** Formats numbers for people. */

/** Formats `12345` as `12,345`. */
export function countText(count: number): string {
  return count.toLocaleString('en');
}

/** Returns `1 record`, `2 records` and so on. */
export function plural(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

const UNITS = ['byte', 'KB', 'MB', 'GB', 'TB'] as const;

/** Formats a size with three digits: `7,402 bytes`, `40.1 KB`, `1.23 MB`. */
export function sizeText(bytes: number): string {
  let unit = 0;
  let size = bytes;
  while (size >= (unit === 0 ? 9999.5 : 999.5) && unit < UNITS.length - 1) {
    size /= 1000;
    unit++;
  }
  if (unit === 0) return plural(size, UNITS[0]);
  return `${size.toPrecision(size < 999.5 ? 3 : 4)} ${UNITS[unit]!}`;
}

/** Formats a number with at most five significant digits. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return countText(value);
  const size = Math.abs(value);
  return size >= 1e-4 && size < 1e9 ? String(Number(value.toPrecision(5))) : value.toExponential(3);
}

/** Formats `0.4` as `40%`; 0% and 100% only for exactly none and all. */
export function shareText(part: number, whole: number): string {
  if (whole === 0) return '–';
  const share = (100 * part) / whole;
  if (share === 0 || share === 100) return `${share}%`;
  return share < 0.1 ? '< 0.1%' : share > 99.9 ? '> 99.9%' : `${Number(share.toPrecision(3))}%`;
}

/** Returns the last part of a path. */
export function baseName(path: string): string {
  return path.replace(/^.*[/\\](?=.)/, '');
}

/**
 * Returns short names of files: the last part of each path, with as many folders before it as distinguish it from the
 * others.
 */
export function fileLabels(paths: readonly string[]): string[] {
  const parts = paths.map((path) => path.split(/[/\\](?=.)/));
  const labels = parts.map((each) => each.at(-1)!);
  for (let depth = 2; ; depth++) {
    const counts = new Map<string, number>();
    for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
    let isLonger = false;
    parts.forEach((each, i) => {
      if (counts.get(labels[i]!) === 1 || each.length < depth) return;
      labels[i] = each.slice(-depth).join('/');
      isLonger = true;
    });
    if (!isLonger) return labels;
  }
}

/** Indents JSON of one line without parsing it, because its numbers may have more digits than JavaScript preserves. */
export function indented(json: string): string {
  let depth = 0;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  return json.replace(/"(?:[^"\\]|\\.)*"|[[\]{},:]/g, (token, at: number) => {
    switch (token) {
      case '{':
      case '[':
        if (/[\]}]/.test(json[at + 1] ?? '')) return token;
        depth++;
        return token + line();
      case '}':
      case ']':
        if (/[[{]/.test(json[at - 1] ?? '')) return token;
        depth--;
        return line() + token;
      case ',':
        return token + line();
      case ':':
        return ': ';
      default:
        return token;
    }
  });
}
