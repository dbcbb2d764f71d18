import type { RecordType } from '../example';
import type { FileInfo } from './info';
import { grouped, plural } from './plural';
import { commandWording } from './reporter';

/** For people: a line for the file and one for every fact. */
export function infoText(info: FileInfo): string {
  const { file, compression, fileBytes, records, bytes, min, max, types } = info;
  const facts: [string, string][] = [
    ['compression', compression],
    ['file', plural(fileBytes, 'byte')],
    ['records', grouped(records)],
    ['payload', plural(bytes, 'byte')],
  ];
  if (records > 0) {
    facts.push(
      ['record size', `min ${grouped(min)}, mean ${grouped(bytes / records)}, max ${grouped(max)} bytes`],
      ['record type', typesText(types)],
    );
  }
  const width = Math.max(...facts.map(([name]) => name.length));
  return [file, ...facts.map(([name, fact]) => `  ${name.padEnd(width)}  ${fact}`)].join('\n');
}

/** For programs: one object a file; sizes are null when there is no record. */
export function infoJson(info: FileInfo): object {
  const { file, compression, fileBytes, records, bytes, min, max, types, fault } = info;
  return {
    file,
    compression,
    fileBytes,
    records,
    bytes,
    recordBytes: records === 0 ? null : { min, mean: bytes / records, max },
    recordType: recordType(types),
    recordTypes: Object.fromEntries(types),
    fault: fault === undefined ? null : { code: fault.code, message: commandWording(fault) },
  };
}

/**
 * The type of the records, if they have one. A SequenceExample without feature lists cannot be told from an Example, so
 * beside SequenceExamples such a record is one of them.
 */
export function recordType(types: ReadonlyMap<RecordType, number>): RecordType | 'mixed' | null {
  const names = [...types.keys()];
  if (names.length === 0) return null;
  const merged = names.includes('SequenceExample') ? names.filter((name) => name !== 'Example') : names;
  return merged.length === 1 ? (merged[0] as RecordType) : 'mixed';
}

function typesText(types: ReadonlyMap<RecordType, number>): string {
  const type = recordType(types);
  if (type === null) return 'unknown (the first records are empty)';
  if (type === 'unknown') return 'unknown (no Example, SequenceExample or Event)';
  if (type !== 'mixed') return type;
  return `mixed: ${[...types].map(([name, count]) => `${count} ${name}`).join(', ')}`;
}
