/**
 * Files that a killed process leaves behind: temporary files of a RecordWriter (`.NAME.PID-HEX.tmp`, made in
 * native/core/io/temporary_path.cc) and temporary folders of a disk cache (`FOLDER.PID-HEX.tmp`). They may be
 * incomplete, and nobody can tell; while their process runs, it still writes them.
 */

const FILE = /^\..+\.\d{1,10}-[\da-f]{12}\.tmp$/s;
const FOLDER = /^.+\.\d{1,10}-[\da-f]{16}\.tmp$/s;

/** True if `name`, without its folder, is that of a RecordWriter's temporary file. No pattern matches it. */
export function isLeftoverFile(name: string): boolean {
  return FILE.test(name);
}

/** True if `name`, without its folder, is that of a disk cache's temporary folder. No pattern looks into it. */
export function isLeftoverFolder(name: string): boolean {
  return FOLDER.test(name);
}
