import type { DType } from '../../tensor';
import type { KindName } from './definition';
import type { FeatureSpec } from './infer';
import type { JSONObject } from './literals';

/** A kind of features, as the list of kinds has it. */
export interface FeatureKind {
  readonly name: KindName;
  /** Members of its JSON besides `type` and `dtype`. */
  readonly members: readonly string[];
  /** The feature that `json` tells. @throws TFRecordError TFR_SPEC */
  fromJSON(dtype: DType, json: JSONObject): FeatureSpec;
}
