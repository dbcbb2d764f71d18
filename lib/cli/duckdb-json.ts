/** Converts values of DuckDB to JSON. */
import type { DuckDBValue } from '@duckdb/node-api';

import { float32Json, float64Json } from '../example';
import { scalarJson } from '../tensor';
import type { ResultType } from '../sql';
import { lineJson } from './terminal/text';

/** DuckDB's ids of the types FLOAT and DOUBLE, in every version. Its other JavaScript numbers are integers. */
const FLOAT = 10;
const DOUBLE = 11;

/**
 * Returns `value`, of `type`, as JSON in one line. Floating-point numbers have a point or an exponent, so that they are
 * read back as floats; FLOAT has the fewest digits that restore it. Decimals keep their digits.
 */
export function duckdbJson(value: DuckDBValue, type: ResultType): string {
  if (value === null) return 'null';
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return lineJson(value);
  if (typeof value === 'number') return numberJson(value, type);
  if ('items' in value) return `[${value.items.map((item) => duckdbJson(item, innerType(type))).join(',')}]`;
  if ('bytes' in value && value.bytes instanceof Uint8Array)
    return lineJson(scalarJson('bytes', Uint8Array.from(value.bytes)));
  if ('entries' in value) {
    const { entries } = value;
    const members = Array.isArray(entries)
      ? entries.map(({ key, value: item }) => memberJson(keyText(key, type), item, innerType(type)))
      : Object.entries(entries).map(([name, item], i) => memberJson(name, item, entryType(type, i)));
    return `{${members.join(',')}}`;
  }
  if ('scale' in value && 'width' in value) return String(value);
  return lineJson(String(value));
}

function memberJson(name: string, value: DuckDBValue, type: ResultType): string {
  return `${lineJson(name)}:${duckdbJson(value, type)}`;
}

/** Formats JSON for people: strings without quotes. */
export function shownJson(json: string): string {
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

function numberJson(value: number, type: ResultType): string {
  switch (type.typeId) {
    case FLOAT:
      return float32Json(value);
    case DOUBLE:
      return float64Json(value);
    default:
      return String(value);
  }
}

/** Returns the type of the values in a list, an array or a map. */
function innerType(type: ResultType): ResultType {
  return 'valueType' in type ? type.valueType : type;
}

function entryType(type: ResultType, index: number): ResultType {
  return 'entryTypes' in type ? type.entryTypes[index]! : type;
}

function keyText(key: DuckDBValue, type: ResultType): string {
  return shownJson(duckdbJson(key, 'keyType' in type ? type.keyType : type));
}
