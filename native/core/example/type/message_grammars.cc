#include "core/example/type/message_grammars.h"

namespace tfr {

namespace {

template <size_t kCount>
constexpr Grammar GrammarOf(const GrammarField (&fields)[kCount]) {
  return {fields, kCount};
}

constexpr GrammarField MessageOf(uint32_t field, const Grammar& inner) {
  return {LengthTag(field), Form::kMessage, &inner};
}

constexpr GrammarField EntryOf(uint32_t field, const Grammar* value) {
  return {LengthTag(field), Form::kEntry, value};
}

constexpr GrammarField BytesOf(uint32_t field) {
  return {LengthTag(field), Form::kBytes};
}

constexpr GrammarField TextOf(uint32_t field) {
  return {LengthTag(field), Form::kText};
}

constexpr GrammarField VarintOf(uint32_t field) {
  return {VarintTag(field), Form::kVarint};
}

// ---- tf.train.Example and SequenceExample

constexpr GrammarField kBytesListFields[] = {BytesOf(1)};
constexpr Grammar kBytesList = GrammarOf(kBytesListFields);
constexpr GrammarField kFloatListFields[] = {
    {LengthTag(1), Form::kPackedFixed32}, {Fixed32Tag(1), Form::kFixed32}};
constexpr Grammar kFloatList = GrammarOf(kFloatListFields);
constexpr GrammarField kInt64ListFields[] = {
    {LengthTag(1), Form::kPackedVarints}, VarintOf(1)};
constexpr Grammar kInt64List = GrammarOf(kInt64ListFields);
constexpr GrammarField kFeatureFields[] = {MessageOf(1, kBytesList),
                                           MessageOf(2, kFloatList),
                                           MessageOf(3, kInt64List)};
constexpr Grammar kFeature = GrammarOf(kFeatureFields);
constexpr GrammarField kFeaturesFields[] = {EntryOf(1, &kFeature)};
constexpr Grammar kFeatures = GrammarOf(kFeaturesFields);
constexpr GrammarField kFeatureListFields[] = {MessageOf(1, kFeature)};
constexpr Grammar kFeatureList = GrammarOf(kFeatureListFields);
constexpr GrammarField kFeatureListsFields[] = {EntryOf(1, &kFeatureList)};
constexpr Grammar kFeatureLists = GrammarOf(kFeatureListsFields);
constexpr GrammarField kExampleFields[] = {MessageOf(1, kFeatures)};
constexpr GrammarField kSequenceExampleFields[] = {MessageOf(1, kFeatures),
                                                   MessageOf(2, kFeatureLists)};

// ---- TensorBoard's Event

constexpr GrammarField kSummaryValueFields[] = {
    TextOf(1),  {Fixed32Tag(2), Form::kFixed32},
    BytesOf(3), BytesOf(4),
    BytesOf(5), BytesOf(6),
    TextOf(7),  BytesOf(8),
    BytesOf(9)};
constexpr Grammar kSummaryValue = GrammarOf(kSummaryValueFields);
constexpr GrammarField kSummaryFields[] = {MessageOf(1, kSummaryValue)};
constexpr Grammar kSummary = GrammarOf(kSummaryFields);
constexpr GrammarField kEventFields[] = {{kWallTimeTag, Form::kFixed64},
                                         VarintOf(2),
                                         TextOf(3),
                                         BytesOf(4),
                                         MessageOf(5, kSummary),
                                         BytesOf(6),
                                         BytesOf(7),
                                         BytesOf(8),
                                         BytesOf(9),
                                         BytesOf(10)};

// ---- TF-Ranking's ExampleListWithContext: examples and their context

constexpr GrammarField kExampleListFields[] = {MessageOf(1, kExampleGrammar),
                                               MessageOf(2, kExampleGrammar)};

// ---- TensorFlow Serving's PredictionLog: metadata, and one log of a call

constexpr GrammarField kVersionFields[] = {VarintOf(1)};
constexpr Grammar kVersion = GrammarOf(kVersionFields);
constexpr GrammarField kModelFields[] = {
    {LengthTag(1), Form::kName}, MessageOf(2, kVersion), TextOf(3), TextOf(4)};
constexpr Grammar kModel = GrammarOf(kModelFields);
constexpr GrammarField kSamplingFields[] = {{Fixed64Tag(1), Form::kFixed64}};
constexpr Grammar kSampling = GrammarOf(kSamplingFields);
constexpr GrammarField kMetadataFields[] = {MessageOf(1, kModel),
                                            MessageOf(2, kSampling),
                                            TextOf(3),
                                            VarintOf(4),
                                            TextOf(5),
                                            TextOf(6),
                                            TextOf(7),
                                            VarintOf(8)};
constexpr Grammar kMetadata = GrammarOf(kMetadataFields);

// Classify and Regress: the model and the input; the result and the model.
constexpr GrammarField kInputFields[] = {MessageOf(1, kModel), BytesOf(2)};
constexpr Grammar kInput = GrammarOf(kInputFields);
constexpr GrammarField kResultFields[] = {BytesOf(1), MessageOf(2, kModel)};
constexpr Grammar kResult = GrammarOf(kResultFields);
constexpr GrammarField kInputLogFields[] = {MessageOf(1, kInput),
                                            MessageOf(2, kResult)};
constexpr Grammar kInputLog = GrammarOf(kInputLogFields);

// Predict: tensors by name.
constexpr GrammarField kTensorsFields[] = {
    MessageOf(1, kModel), EntryOf(2, nullptr), TextOf(3),
    BytesOf(5),           BytesOf(6),          BytesOf(7)};
constexpr Grammar kTensors = GrammarOf(kTensorsFields);
constexpr GrammarField kOutputsFields[] = {EntryOf(1, nullptr),
                                           MessageOf(2, kModel)};
constexpr Grammar kOutputs = GrammarOf(kOutputsFields);
constexpr GrammarField kPredictLogFields[] = {MessageOf(1, kTensors),
                                              MessageOf(2, kOutputs)};
constexpr Grammar kPredictLog = GrammarOf(kPredictLogFields);

// MultiInference: several tasks with one input.
constexpr GrammarField kTaskFields[] = {MessageOf(1, kModel), TextOf(2)};
constexpr Grammar kTask = GrammarOf(kTaskFields);
constexpr GrammarField kTasksFields[] = {MessageOf(1, kTask), BytesOf(2)};
constexpr Grammar kTasks = GrammarOf(kTasksFields);
constexpr GrammarField kResultsFields[] = {BytesOf(1)};
constexpr Grammar kResults = GrammarOf(kResultsFields);
constexpr GrammarField kTasksLogFields[] = {MessageOf(1, kTasks),
                                            MessageOf(2, kResults)};
constexpr Grammar kTasksLog = GrammarOf(kTasksLogFields);

// SessionRun: named tensors.
constexpr GrammarField kFeedFields[] = {MessageOf(1, kModel), BytesOf(2),
                                        TextOf(3), TextOf(4), BytesOf(5)};
constexpr Grammar kFeed = GrammarOf(kFeedFields);
constexpr GrammarField kFetchedFields[] = {BytesOf(1), BytesOf(2),
                                           MessageOf(3, kModel)};
constexpr Grammar kFetched = GrammarOf(kFetchedFields);
constexpr GrammarField kSessionLogFields[] = {MessageOf(1, kFeed),
                                              MessageOf(2, kFetched)};
constexpr Grammar kSessionLog = GrammarOf(kSessionLogFields);

constexpr GrammarField kPredictionLogFields[] = {
    MessageOf(1, kMetadata),   MessageOf(2, kInputLog),
    MessageOf(3, kInputLog),   MessageOf(4, kTasksLog),
    MessageOf(5, kSessionLog), MessageOf(6, kPredictLog),
    MessageOf(7, kPredictLog)};

}  // namespace

constexpr Grammar kExampleGrammar = GrammarOf(kExampleFields);
constexpr Grammar kSequenceExampleGrammar = GrammarOf(kSequenceExampleFields);
constexpr Grammar kEventGrammar = GrammarOf(kEventFields);
constexpr Grammar kExampleListGrammar = GrammarOf(kExampleListFields);
constexpr Grammar kPredictionLogGrammar = GrammarOf(kPredictionLogFields);

}  // namespace tfr
