/** Names of the folders of partitions, in the form of Apache Hive: `label=3`. */

/** The value of records that have none, and of empty text. */
const DEFAULT_PARTITION = '__HIVE_DEFAULT_PARTITION__';

/** The characters that Hive escapes, as `%` and two hexadecimal digits. All others, beyond ASCII too, stay. */
const ESCAPED = /[\x00-\x1f\x7f"#%'*/:=?\\{[\]^]/g;
/** Characters that Windows forbids in names as well, and those that it drops at their ends. */
const ESCAPED_ON_WINDOWS = /[<>|]|[. ]$/g;

/** Returns the name of the folder for records whose feature `name` has the value `value`; undefined means no value. */
export function hiveName(name: string, value: string | undefined, platform: string = process.platform): string {
  const text = value === undefined || value === '' ? DEFAULT_PARTITION : escaped(value, platform);
  return `${escaped(name, platform)}=${text}`;
}

function escaped(text: string, platform: string): string {
  const escape = (character: string): string =>
    `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  const ours = text.replace(ESCAPED, escape);
  return platform === 'win32' ? ours.replace(ESCAPED_ON_WINDOWS, escape) : ours;
}
