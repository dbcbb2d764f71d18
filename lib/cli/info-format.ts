import type { RecordType } from '../example';
import type { FileInfo } from './info';
import { grouped, plural } from './plural';
import { commandWording } from './reporter';
import { lineText } from './streams';

/** For people: a line for the file and one for every fact. */
export function infoText(info: FileInfo): string {
  const { file, compression, fileBytes, records, bytes, min, max } = info;
  const facts: [string, string][] = [
    ['compression', compression],
    ['file', plural(fileBytes, 'byte')],
    ['records', `${grouped(records)}${limits(info)}`],
    ['payload', plural(bytes, 'byte')],
  ];
  if (records > 0) {
    facts.push(
      ['record size', `min ${grouped(min)}, mean ${grouped(bytes / records)}, max ${grouped(max)} bytes`],
      ['record type', typesText(info)],
    );
  }
  const width = Math.max(...facts.map(([name]) => name.length));
  return [lineText(file), ...facts.map(([name, fact]) => `  ${name.padEnd(width)}  ${fact}`)].join('\n');
}

/** For programs: one object a file; sizes are null when there is no record. */
export function infoJson(info: FileInfo): object {
  const { file, compression, fileBytes, records, bytes, min, max, types, sampled, lostBytes, fault } = info;
  return {
    file,
    compression,
    fileBytes,
    complete: limits(info) === '',
    records,
    bytes,
    recordBytes: records === 0 ? null : { min, mean: bytes / records, max },
    recordType: typeOfAll(types),
    recordTypes: Object.fromEntries(types),
    sampled,
    lostBytes,
    fault: fault === undefined ? null : { code: fault.code, message: commandWording(fault) },
  };
}

/**
 * The type of the records, if they have one. A SequenceExample without feature lists cannot be told from an Example, so
 * beside SequenceExamples such a record is one of them.
 */
export function typeOfAll(types: ReadonlyMap<RecordType, number>): RecordType | 'mixed' | null {
  const names = [...types.keys()];
  if (names.length === 0) return null;
  const merged = names.includes('SequenceExample') ? names.filter((name) => name !== 'Example') : names;
  return merged.length === 1 ? merged[0]! : 'mixed';
}

/** What the counts leave out, in words; empty when they are of the whole file. */
function limits({ fault, accepted }: FileInfo): string {
  if (fault !== undefined) return ' before the fault';
  return accepted > 0 ? ' without what was lost' : '';
}

function typesText({ types, records, sampled }: FileInfo): string {
  const type = typeOfAll(types);
  if (type === null) return 'unknown (the first records are empty)';
  if (type === 'unknown') return 'unknown (no Example, SequenceExample or Event)';
  if (type !== 'mixed') return type;
  const counts = [...types].map(([name, count]) => `${count} ${name}`).join(', ');
  return `mixed: ${counts}${records > sampled ? `, of the first ${sampled}` : ''}`;
}
