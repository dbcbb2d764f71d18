import { rowValues, type HostBytes, type HostNumbers, type HostValues, type NumberArray } from './host-values';
import { misfit, type Place } from './misfit';
import type { TensorRules } from './rules';

/** What rows have under a name, one behind the other, all of one kind and shape. @throws TFRecordError TFR_FEATURE */
export function stackRows(place: Place, rows: readonly unknown[], rules: TensorRules): HostValues {
  if (rows.every((value) => typeof value === 'number')) {
    return { kind: 'number', data: Float64Array.from(rows), shape: [rows.length] };
  }
  // Arrays in a row are of that row.
  const at = (index: number): Place => ({ ...place, row: place.row ?? index });
  const parts = rows.map((value, index) => {
    const part = Array.isArray(value) ? stackRows(at(index), value, rules) : rowValues(at(index), value, rules);
    if (part !== undefined) return part;
    throw misfit(at(index), 'numbers, bigints, booleans, text, bytes or arrays of these', shownValue(value));
  });
  const [first] = parts as [HostValues];
  parts.forEach((part, index) => {
    if (sameKind(part, first) && part.shape.join() === first.shape.join()) return;
    const advice = sameKind(part, first) ? 'Dataset.paddedBatch pads what differs in length' : undefined;
    throw misfit(at(index), `${shown(first)}, as in the first`, shown(part), advice);
  });
  const shape = [parts.length, ...first.shape];
  if (first.kind === 'bytes') return { kind: 'bytes', data: (parts as HostBytes[]).flatMap(({ data }) => data), shape };
  const size = first.data.length;
  const data = new (first.data.constructor as new (length: number) => NumberArray)(size * parts.length);
  (parts as HostNumbers[]).forEach((part, index) =>
    (data as Float32Array).set(part.data as Float32Array, index * size),
  );
  return { kind: first.kind, data, shape };
}

function sameKind(a: HostValues, b: HostValues): boolean {
  return a.kind === b.kind && a.data.constructor === b.data.constructor;
}

function shown({ kind, data, shape }: HostValues): string {
  const type = kind === 'integer' ? data.constructor.name : kind;
  return shape.length === 0 ? `a single value (${type})` : `${type} of shape [${shape.join(', ')}]`;
}

function shownValue(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
