/** Quotes names and texts for SQL. */

/** `name` as an identifier. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** `text` as a literal. @throws TypeError for a null character, which would end the text */
export function literal(text: string): string {
  if (text.includes('\0')) throw new TypeError('SQL cannot have null characters in texts');
  return `'${text.replaceAll("'", "''")}'`;
}
