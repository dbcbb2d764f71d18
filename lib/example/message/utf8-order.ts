/** Orders strings as their UTF-8 bytes: by code points, where JavaScript's `<` compares UTF-16 units. */
export function compareUtf8(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return codePointRank(x) - codePointRank(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above U+FFFF: they come behind U+E000 to U+FFFF. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x2800 : unit;
}
