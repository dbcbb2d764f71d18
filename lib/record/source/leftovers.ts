/**
 * Files that a killed process leaves behind: temporary files of a RecordWriter (`.NAME.PID-HEX.tmp`, made in
 * native/core/io/temporary_path.cc) and temporary folders of a disk cache (`FOLDER.PID-HEX.tmp`). They may be
 * incomplete, and nobody can tell; while their process runs, it still writes them.
 */

const FILE = /^\..+\.(\d{1,10})-[\da-f]{12}\.tmp$/s;
const FOLDER = /^.+\.(\d{1,10})-[\da-f]{16}\.tmp$/s;

/**
 * The process id in `name`, a name without its folder, if it is that of a RecordWriter's temporary file, or of a disk
 * cache's temporary folder; undefined for other names. No pattern matches that file or looks into that folder.
 */
export function leftoverOf(name: string, isFolder: boolean): string | undefined {
  return (isFolder ? FOLDER : FILE).exec(name)?.[1];
}
