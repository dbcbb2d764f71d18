#ifndef TFR_ADDON_PIECE_VALUE_H_
#define TFR_ADDON_PIECE_VALUE_H_

#include "addon/napi_setup.h"
#include "core/example/flow/piece.h"
#include "core/example/parse/column_slice.h"

/// What JavaScript sees of a piece, as lib/native/binding-examples.ts says.
namespace tfr::addon {

/// Writes the fields of `PieceField`, in their order. Throws for an array that
/// is none for them.
void WriteReport(const Piece& piece, const Napi::Value& report);

/// `PieceFaults`; undefined where there are none.
Napi::Value PieceFaultsValue(Napi::Env env, const Piece& piece);

/// Copies the size of each record. Throws for an array of another length.
void CopyLengths(const Piece& piece, const Napi::Value& lengths);

/// The rows that two arguments name. Throws where the piece does not have them.
Range RowsOfPiece(const Piece& piece, const Napi::Value& from,
                  const Napi::Value& to);

}  // namespace tfr::addon

#endif  // TFR_ADDON_PIECE_VALUE_H_
