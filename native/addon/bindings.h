#ifndef TFR_ADDON_BINDINGS_H_
#define TFR_ADDON_BINDINGS_H_

#include "addon/base/napi_setup.h"

/// The exports of the addon. Each function adds those of one `*_binding.cc`,
/// which one of lib/native/binding*.ts declares.
namespace tfr::addon {

void ExportReader(Napi::Env env, Napi::Object exports);
void ExportIndex(Napi::Env env, Napi::Object exports);
void ExportKeys(Napi::Env env, Napi::Object exports);
void ExportGathering(Napi::Env env, Napi::Object exports);
void ExportWriter(Napi::Env env, Napi::Object exports);
void ExportParser(Napi::Env env, Napi::Object exports);
void ExportParseJob(Napi::Env env, Napi::Object exports);
void ExportPieces(Napi::Env env, Napi::Object exports);
void ExportRows(Napi::Env env, Napi::Object exports);
void ExportDuckdb(Napi::Env env, Napi::Object exports);
void ExportDecoder(Napi::Env env, Napi::Object exports);
void ExportEncoder(Napi::Env env, Napi::Object exports);
void ExportSurvey(Napi::Env env, Napi::Object exports);
void ExportLines(Napi::Env env, Napi::Object exports);
void ExportJsonRows(Napi::Env env, Napi::Object exports);
void ExportCsvRows(Napi::Env env, Napi::Object exports);

}  // namespace tfr::addon

#endif  // TFR_ADDON_BINDINGS_H_
