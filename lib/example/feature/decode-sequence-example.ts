import { checkRecord, newFeatures, readFeatures, type DecodedFeatures } from './decode-example';
import { FeatureBuilder } from './decode-feature';
import { readMap, type ValueBuilder } from './decode-map';
import type { Feature } from '../message';
import { LENGTH_DELIMITED, tagOf, WireReader } from './wire-reader';

const CONTEXT = tagOf(1, LENGTH_DELIMITED);
const FEATURE_LISTS = tagOf(2, LENGTH_DELIMITED);
const STEP = tagOf(1, LENGTH_DELIMITED);

/** Both objects have no prototype. */
export interface DecodedSequenceExample {
  /** Features of the whole. */
  readonly context: DecodedFeatures;
  /** One feature a step; undefined for a step without a kind. */
  readonly featureLists: Record<string, (Feature | undefined)[]>;
}

/**
 * The context and the feature lists of a tf.train.SequenceExample, by the rules of {@link decodeExample}. An Example is
 * one that has a context only.
 *
 * @throws TFRecordError TFR_EXAMPLE, telling the byte, when the bytes are not a SequenceExample.
 */
export function decodeSequenceExample(record: Uint8Array): DecodedSequenceExample {
  const reader = new WireReader(checkRecord(record), 'a SequenceExample');
  const end = record.length;
  const context = newFeatures();
  const featureLists = Object.create(null) as DecodedSequenceExample['featureLists'];
  while (reader.position < end) {
    const tag = reader.tag(end);
    if (tag === CONTEXT) readFeatures(reader, reader.contentEnd(end), context);
    else if (tag === FEATURE_LISTS) {
      readMap(reader, reader.contentEnd(end), 1, featureLists, () => new FeatureListBuilder());
    } else reader.skipField(tag, end, 0);
  }
  return { context, featureLists };
}

/** One FeatureList, which may come in several parts: their steps are joined. */
class FeatureListBuilder implements ValueBuilder<(Feature | undefined)[]> {
  readonly #steps: FeatureBuilder[] = [];

  read(reader: WireReader, end: number, depth: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag !== STEP) {
        reader.skipField(tag, end, depth);
        continue;
      }
      const step = new FeatureBuilder();
      step.read(reader, reader.contentEnd(end), depth + 1);
      this.#steps.push(step);
    }
  }

  build(bytes: Uint8Array): (Feature | undefined)[] {
    return this.#steps.map((step) => step.build(bytes));
  }
}
