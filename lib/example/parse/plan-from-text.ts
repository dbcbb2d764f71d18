/** Spec files: a spec as JSON text, of Examples or of SequenceExamples. */
import { refuseDuplicates } from '../message';
import { sequenceSpecFromJSON, specFromJSON } from '../spec';
import { planExample, planSequenceExample, type Plan } from './plan';

/**
 * The plan of a spec: of Examples in the form of `specToJSON`, or of SequenceExamples as `{ "context": …, "sequence": … }`
 * with a spec in each, or in one of them. @throws SyntaxError for text that is no JSON, or has a name twice in an object.
 * @throws TFRecordError TFR_SPEC
 */
export function planFromText(text: string): Plan {
  const json: unknown = JSON.parse(text);
  refuseDuplicates(text);
  if (!isSequenceSpec(json)) return planExample(specFromJSON(json));
  const { context, sequence } = sequenceSpecFromJSON(json);
  return planSequenceExample(context, sequence);
}

/** A feature says its `type`, which a spec with a feature of that name does not. */
function isSequenceSpec(json: unknown): boolean {
  if (typeof json !== 'object' || json === null) return false;
  const parts = Object.entries(json);
  return (
    parts.length > 0 &&
    parts.every(([name, part]) => {
      const isPart = name === 'context' || name === 'sequence';
      return isPart && typeof (part as { type?: unknown } | null)?.type !== 'string';
    })
  );
}
