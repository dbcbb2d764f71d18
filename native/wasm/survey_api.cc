#include <cstdint>
#include <new>
#include <vector>

#include "core/example/survey/survey.h"
#include "core/record/slab_fill.h"
#include "wasm/exports.h"
#include "wasm/report.h"

namespace tfr::wasm {
namespace {

using Outcome = Survey::Outcome;

template <class Work>
Outcome OutcomeOf(Work work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return Outcome::kNoMemory;
  }
}

}  // namespace

TFR_EXPORT(tfr_survey_new)
Survey* tfr_survey_new() {
  return Guarded([] { return new Survey; });
}

TFR_EXPORT(tfr_survey_free)
void tfr_survey_free(Survey* survey) { delete survey; }

/// Empties the survey, and takes the records. Reports the outcome and the
/// number of records taken.
TFR_EXPORT(tfr_survey_take)
const double* tfr_survey_take(Survey* survey, const uint8_t* slab,
                              const Frame* frames, size_t count) {
  size_t taken = 0;
  const Outcome outcome = OutcomeOf([&] {
    survey->Clear();
    for (; taken < count; ++taken) {
      const auto [offset, length] = frames[taken];
      const Outcome one = survey->Take({slab + offset, length});
      if (one != Outcome::kTaken) return one;
    }
    return Outcome::kTaken;
  });
  return Guarded([&] {
    return Report::New()
        .Add(static_cast<double>(outcome))
        .Add(static_cast<double>(taken))
        .data();
  });
}

/// Reports the outcome, then the address and number of the pictures.
TFR_EXPORT(tfr_survey_merge)
const double* tfr_survey_merge(Survey* into, Survey* from) {
  const Outcome outcome = OutcomeOf([&] { return into->Merge(from); });
  return Guarded([&] {
    const std::vector<PicturePlace>& places = from->pictures();
    return Report::New()
        .Add(static_cast<double>(outcome))
        .AddAddress(places.data())
        .Add(static_cast<double>(places.size()))
        .data();
  });
}

TFR_EXPORT(tfr_survey_totals)
const double* tfr_survey_totals(const Survey* survey) {
  return Guarded([&] {
    return Report::New()
        .AddPlace(survey->records())
        .AddPlace(survey->with_lists())
        .AddPlace(survey->features().size())
        .data();
  });
}

/// Reports a `NativeSurveyedFeature` of lib/native/binding-examples.ts: its
/// arrays by address and length, the numbers last.
TFR_EXPORT(tfr_survey_feature)
const double* tfr_survey_feature(const Survey* survey, size_t index) {
  return Guarded([&] {
    const SurveyedFeature& feature = *survey->features()[index];
    const IntSummary& ints = feature.summary.ints;
    const auto& distinct = feature.summary.bytes.distinct;
    Report& report = Report::New();
    report.Add(static_cast<double>(feature.section))
        .AddAddress(feature.name.data())
        .Add(static_cast<double>(feature.name.size()))
        .AddBits(static_cast<uint64_t>(ints.min))
        .AddBits(static_cast<uint64_t>(ints.max))
        .Add(ints.distinct.many() ? 1 : 0)
        .AddAddress(ints.distinct.values().data())
        .Add(static_cast<double>(ints.distinct.values().size()))
        .AddAddress(distinct.data().data())
        .Add(static_cast<double>(distinct.data().size()))
        .Add(distinct.many() ? 1 : 0);
    const size_t ends = distinct.many() ? 0 : distinct.size();
    report.Add(static_cast<double>(ends));
    for (size_t i = 0; i < ends; ++i) report.Add(distinct.ends()[i]);
    for (const double number : feature.summary.Numbers()) report.Add(number);
    return report.data();
  });
}

}  // namespace tfr::wasm
