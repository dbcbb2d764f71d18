#ifndef TFR_ADDON_PIECE_VALUE_H_
#define TFR_ADDON_PIECE_VALUE_H_

#include "addon/napi_setup.h"
#include "core/example/flow/piece.h"
#include "core/example/parse/column_slice.h"

/// Conversion of pieces to the values of lib/native/binding-examples.ts.
namespace tfr::addon {

/// Writes the fields of `PieceField`, in order. Throws for an unsuitable array.
void WriteReport(const Piece& piece, const Napi::Value& report);

/// Returns `PieceFaults`; undefined if there are none.
Napi::Value PieceFaultsValue(Napi::Env env, const Piece& piece);

/// Copies the size of each record. Throws for an array of another length.
void CopyLengths(const Piece& piece, const Napi::Value& lengths);

/// Returns the rows from `from` to `to`. Throws if the piece does not have
/// them.
Range RowsOfPiece(const Piece& piece, const Napi::Value& from,
                  const Napi::Value& to);

}  // namespace tfr::addon

#endif  // TFR_ADDON_PIECE_VALUE_H_
