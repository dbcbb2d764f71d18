import type { Feature } from '../message';
import type { DecodedFeatures } from './decode-example';
import { RowField, STEPS_ROW } from './decoded-block';
import { decodedFeature } from './decoded-feature';
import { refuseOther } from './other-type';
import { RecordDecoder } from './record-decoder';

/** Both objects have no prototype. */
export interface DecodedSequenceExample {
  /** Features of the whole. */
  readonly context: DecodedFeatures;
  /** One feature a step; undefined for a step without a kind. */
  readonly featureLists: Record<string, (Feature | undefined)[]>;
}

let decoder: RecordDecoder | undefined;

/**
 * The context and the feature lists of a tf.train.SequenceExample, by the rules of {@link decodeExample}. An Example is
 * one that has a context only.
 *
 * @throws TFRecordError TFR_EXAMPLE, telling the byte, when the bytes are not a SequenceExample; else as
 *   {@link decodeExample}.
 */
export function decodeSequenceExample(record: Uint8Array): DecodedSequenceExample {
  decoder ??= new RecordDecoder('a SequenceExample');
  const decoded = decoder.take(record);
  refuseOther(decoded.record, 'a SequenceExample', true);
  const context = Object.create(null) as DecodedFeatures;
  const featureLists = Object.create(null) as DecodedSequenceExample['featureLists'];
  const { block } = decoded;
  const { rows } = block;
  let row = 0;
  for (let position = 0; row < rows; position++) {
    const name = decoder.name(decoded, row, position);
    const at = row++;
    if (block.at(at, RowField.Kind) !== STEPS_ROW) {
      context[name] = decodedFeature(decoded, at);
      continue;
    }
    const end = row + block.at(at, RowField.Count);
    const steps: (Feature | undefined)[] = [];
    while (row < end) steps.push(decodedFeature(decoded, row++));
    featureLists[name] = steps;
  }
  return { context, featureLists };
}
