#include "addon/piece_value.h"

#include <algorithm>
#include <vector>

#include "addon/columns_value.h"
#include "addon/fault_value.h"
#include "addon/handle.h"
#include "addon/properties.h"

namespace tfr::addon {
namespace {

Napi::Value RowFaultValue(Napi::Env env, const RowFault& fault) {
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties({
      Field("index", Napi::Number::New(env, static_cast<double>(fault.index))),
      Field("data", FaultValue(env, fault.data)),
      Field("parse", fault.parse
                         ? ParseFaultValue(env, fault.parse, fault.index)
                         : env.Undefined()),
  });
  return object;
}

}  // namespace

void WriteReport(const Piece& piece, const Napi::Value& report) {
  constexpr const char* kWrong = "tfrecord: not a report";
  constexpr size_t kFields = 9;
  const ArrayMemory to = GetArray(report, napi_float64_array, kWrong);
  if (to.length != kFields) throw Napi::TypeError::New(report.Env(), kWrong);
  const size_t rows = piece.parser == nullptr ? 0 : piece.parser->rows();
  const uint64_t numbers[kFields] = {rows,
                                     piece.lengths.size(),
                                     piece.payload,
                                     piece.first_record,
                                     piece.offset,
                                     static_cast<uint64_t>(piece.outcome),
                                     static_cast<uint64_t>(piece.compression),
                                     piece.compressed_bytes,
                                     piece.total_bytes};
  auto* const out = static_cast<double*>(to.data);
  for (size_t i = 0; i < kFields; ++i) {
    out[i] = numbers[i] == kUnknown ? -1 : static_cast<double>(numbers[i]);
  }
}

Napi::Value PieceFaultsValue(Napi::Env env, const Piece& piece) {
  if (piece.faults.empty() && !piece.halt) return env.Undefined();
  Napi::Array faults = Napi::Array::New(env, piece.faults.size());
  for (size_t i = 0; i < piece.faults.size(); ++i) {
    faults.DefineProperty(Element(env, i, RowFaultValue(env, piece.faults[i])));
  }
  Napi::Object object = Napi::Object::New(env);
  object.DefineProperties(
      {Field("rows", faults), Field("halt", FaultValue(env, piece.halt))});
  return object;
}

void CopyLengths(const Piece& piece, const Napi::Value& lengths) {
  constexpr const char* kWrong = "tfrecord: not the lengths of this piece";
  const ArrayMemory to = GetArray(lengths, napi_uint32_array, kWrong);
  const std::vector<uint32_t>& from = piece.lengths;
  if (to.length != from.size()) {
    throw Napi::TypeError::New(lengths.Env(), kWrong);
  }
  std::copy(from.begin(), from.end(), static_cast<uint32_t*>(to.data));
}

Range RowsOfPiece(const Piece& piece, const Napi::Value& from,
                  const Napi::Value& to) {
  const Range rows = {from.As<Napi::Number>().Uint32Value(),
                      to.As<Napi::Number>().Uint32Value()};
  if (piece.parser != nullptr && rows.begin <= rows.end &&
      rows.end <= piece.parser->rows()) {
    return rows;
  }
  throw Napi::RangeError::New(from.Env(), "tfrecord: not rows of this piece");
}

}  // namespace tfr::addon
