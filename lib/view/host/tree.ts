/** Shows a record as a tree. */
import { JsonText, RecordPrinter } from '../../example';
import type { PlacedRecord } from '../../record';
import type { BytesNode, FeatureNode, RecordTree } from '../protocol';
import { DecodedRecord, type Feature } from './decoded-record';
import { mediaOf } from './media';
import { boxesOf, masksOf } from './objects';
import { problemOf } from './problem';
import { numberText, textOf } from './texts';

const MAX_NUMBERS = 4096;
const MAX_ITEMS = 256;
const MAX_STEPS = 512;
const MAX_TEXT = 16 * 1024;
/** Maximum number of values in the tree of one record. */
const MAX_VALUES = 2 ** 17;
/** Bytes of texts of one record from which on texts are cut shorter. */
const MAX_TEXTS = 2 ** 20;
const LEAST_TEXT = 32;

/** Returns the tree of a record, and the decoded record if it can be decoded. */
export function treeOf({ record, offset, data, error }: PlacedRecord): { tree: RecordTree; decoded?: DecodedRecord } {
  const place = { record, offset, bytes: data.length };
  const nothing = { context: [], lists: [], event: null, boxes: [], masks: null, problem: null } as const;
  if (error !== undefined) return { tree: { ...place, ...nothing, kind: 'bytes', problem: problemOf(error) } };
  try {
    const decoded = new DecodedRecord(data);
    const budget = { values: MAX_VALUES, text: MAX_TEXTS };
    const tree = {
      ...place,
      kind: decoded.kind,
      context: decoded.context.map(([name, feature]) => ({ name, feature: nodeOf(feature, budget) })),
      lists: decoded.lists.map(([name, steps]) => ({
        name,
        count: steps.length,
        steps: steps.slice(0, MAX_STEPS).map((step) => nodeOf(step, budget)),
      })),
      event: decoded.kind === 'Event' ? eventJson(data) : null,
      boxes: boxesOf(decoded),
      masks: masksOf(decoded),
      problem: null,
    };
    return { tree, decoded };
  } catch (thrown) {
    return { tree: { ...place, ...nothing, kind: 'bytes', problem: problemOf(thrown) } };
  }
}

/** The numbers of values and bytes that may still be added to a tree. */
interface Budget {
  values: number;
  text: number;
}

function nodeOf(feature: Feature, budget: Budget): FeatureNode {
  if (feature === undefined) return { kind: 'none', count: 0, numbers: [], items: [] };
  const { kind, values } = feature;
  const count = values.length;
  const shown = Math.min(count, kind === 'bytes' ? MAX_ITEMS : MAX_NUMBERS, budget.values);
  budget.values -= shown;
  if (kind !== 'bytes') {
    const numbers = Array.from<bigint | number, string>(values.subarray(0, shown), numberText);
    return { kind, count, numbers, items: [] };
  }
  return { kind, count, numbers: [], items: Array.from({ length: shown }, (_, i) => bytesNode(values.at(i)!, budget)) };
}

function bytesNode(value: Uint8Array, budget: Budget): BytesNode {
  const text = textOf(value, Math.max(LEAST_TEXT, Math.min(MAX_TEXT, budget.text)));
  budget.text -= text?.length ?? 0;
  return { bytes: value.length, text: text ?? null, media: text === undefined ? mediaOf(value) : null };
}

/** Returns an Event as the JSON that `tfrecord head` prints. */
function eventJson(data: Uint8Array): string {
  const out = new JsonText();
  new RecordPrinter().print(data, out);
  return out.toString();
}
