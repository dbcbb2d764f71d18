/** `1 record`, `12,345 records`. */
export function plural(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Digits in groups of three, whatever the locale. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US', { maximumFractionDigits: 1 });
}
