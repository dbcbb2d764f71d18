/** Surveys: `ExampleBinding` in binding-examples.ts. */
/* eslint-disable @typescript-eslint/no-unsafe-enum-assignment -- the numbers of the module are those of the enums */
import { SurveyField, type ExampleBinding, type SurveyFaultCode, type SurveyHandle } from '../binding-examples';
import { Handles, type NativeObject } from './handles';
import type { Instance } from './instance';
import { placeFrames } from './parsers';
import { Report } from './report';

type SurveyBinding = Pick<
  ExampleBinding,
  'surveyNew' | 'surveyTake' | 'surveyMerge' | 'surveyTotals' | 'surveyFeature'
>;

interface SurveyObject extends NativeObject {
  /** A promise is pending. */
  busy: boolean;
}

export function surveyBinding(instance: Instance): SurveyBinding {
  const { exports } = instance;
  const surveys = new Handles<SurveyObject, SurveyHandle>(instance, 'tfr_survey_free');

  function idle(handle: SurveyHandle): SurveyObject {
    const survey = surveys.of(handle);
    if (survey.busy) throw new Error('tfrecord: the survey is at work');
    return survey;
  }

  /** Resolves with `value`; until then the surveys are at work. */
  function later<T>(value: T, ...held: SurveyObject[]): Promise<T> {
    for (const each of held) each.busy = true;
    return Promise.resolve().then(() => {
      for (const each of held) each.busy = false;
      return value;
    });
  }

  function totals(pointer: number): Float64Array<ArrayBuffer> {
    return new Report(instance, exports.tfr_survey_totals(pointer)).numbers(3);
  }

  return {
    surveyNew: () => surveys.new({ pointer: exports.tfr_survey_new(), busy: false }),

    surveyTake(handle, slab, frames, begin, end) {
      const survey = idle(handle);
      const { pointer } = survey;
      const placed = placeFrames(slab, frames, begin, end);
      const report = instance.withBytes(placed.records, (at) =>
        instance.withBytes(
          placed.frames,
          (places) => new Report(instance, exports.tfr_survey_take(pointer, at, places, end - begin)),
        ),
      );
      const code = report.number();
      return later(code === 0 ? undefined : { code: code as SurveyFaultCode, row: report.number() }, survey);
    },

    surveyMerge(into, from) {
      const target = idle(into);
      const source = idle(from);
      if (target === source) throw new TypeError('tfrecord: a survey is merged with itself');
      const report = new Report(instance, exports.tfr_survey_merge(target.pointer, source.pointer));
      const code = report.number();
      if (code !== 0) return later(code as SurveyFaultCode, target, source);
      const at = report.number();
      const size = 16 * report.number();
      return later(size === 0 ? undefined : new Uint32Array(instance.copy(at, size).buffer), target, source);
    },

    surveyTotals: (handle) => totals(idle(handle).pointer),

    surveyFeature(handle, index) {
      const { pointer } = idle(handle);
      if (!(index < totals(pointer)[2]!)) throw new RangeError('tfrecord: no such feature');
      const report = new Report(instance, exports.tfr_survey_feature(pointer, index));
      const bytes = (unit = 1): Uint8Array<ArrayBuffer> => {
        const at = report.number();
        return instance.copy(at, unit * report.number());
      };
      const section = report.number() as 0 | 1;
      const name = bytes();
      const extent = [report.bits(), report.bits()];
      const manyInts = report.flag();
      const distinct = new BigInt64Array(bytes(8).buffer);
      const words = bytes();
      const manyWords = report.flag();
      const ends = Uint32Array.from(report.numbers(report.number()));
      return {
        section,
        name,
        numbers: report.numbers(SurveyField.Count),
        ints: BigInt64Array.from([...extent, ...distinct]),
        manyInts,
        words,
        wordEnds: manyWords ? undefined : ends,
      };
    },
  };
}
