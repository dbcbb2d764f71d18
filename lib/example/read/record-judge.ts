import { faultError } from '../../base';
import type { RecordTypeCode, RowFault } from '../../native';
import type { ErrorPolicy } from '../../record';
import type { FeatureFault } from '../columns';
import { otherTypeOf, typeCodeOf, type OtherType } from '../feature';
import { featureFaultError, isTheBatch, noteFirst, parseFaultError, type Plan, type RecordPlace } from '../parse';

/** The origin of a record of a file. */
type Place = RecordPlace & { readonly file: string };

/** Asks the policy about the records without a row of readers that keep all rows in native memory. */
export class RecordJudge {
  readonly #plan: Plan;
  readonly #policy: ErrorPolicy;

  constructor(plan: Plan, policy: ErrorPolicy) {
    this.#plan = plan;
    this.#policy = policy;
  }

  /**
   * Decides about a record that is damaged, or does not fit the plan. `type`: its type, if it is known and clearly another
   * than the plan's. @throws TFRecordError if the policy decides so
   */
  record({ data, parse, index }: RowFault, place: Place, type: RecordTypeCode | undefined): 'skip' | 'stop' {
    if (data !== undefined) return this.#policy.resolve(faultError(data, { file: place.file }));
    const fault = parse!;
    const always = isTheBatch(fault);
    const error = parseFaultError(this.#plan, fault, place, index, always ? undefined : this.#other(type));
    // A fault of the batch itself says nothing about the records after it.
    if (always) throw error;
    return this.#policy.resolve(error);
  }

  /** Decides about a record with a feature that is not as its dtype demands. @throws as {@link record} */
  feature(fault: FeatureFault, place: Place, type: RecordTypeCode | undefined): 'skip' | 'stop' {
    return this.#policy.resolve(featureFaultError(fault, place, this.#other(type)));
  }

  /** Warns that the first record of `file`, which has the type `firstType`, has no values. */
  note(file: string, firstType: RecordTypeCode): void {
    const other = otherTypeOf(typeCodeOf(firstType), this.#plan.sequenceExample);
    if (other !== undefined) noteFirst(this.#plan, file, other);
  }

  #other(type: RecordTypeCode | undefined): OtherType | undefined {
    return type === undefined ? undefined : otherTypeOf(typeCodeOf(type), this.#plan.sequenceExample);
  }
}
