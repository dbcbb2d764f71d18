import { invalidArgType } from '../errors';
import { planFromText, specFromJSON, type Plan, type Spec } from '../example';
import { isObject } from '../record';

/** A caller's spec, in the forms that formats need. */
export interface RowSpec {
  readonly plan: Plan;
  /** The features of Examples; undefined for SequenceExamples. */
  readonly features: Spec | undefined;
  readonly json: unknown;
}

/** The spec that `spec`, or its JSON, means. @throws TypeError; TFRecordError TFR_SPEC */
export function rowSpecOf(spec: unknown): RowSpec | undefined {
  if (spec === undefined) return undefined;
  if (!isObject(spec) || Array.isArray(spec)) throw invalidArgType('options.spec', 'a spec', spec);
  const text = JSON.stringify(spec);
  const plan = planFromText(text);
  const json: unknown = JSON.parse(text);
  return { plan, features: plan.sequenceExample ? undefined : specFromJSON(json), json };
}
