#ifndef TFR_CORE_EXAMPLE_TYPE_GRAMMAR_H_
#define TFR_CORE_EXAMPLE_TYPE_GRAMMAR_H_

#include <cstddef>
#include <cstdint>

#include "core/example/wire/wire.h"

namespace tfr {

struct Grammar;

/// The form of a field's content.
enum class Form : uint8_t {
  kBytes,
  kText,  ///< UTF-8, which protobuf demands of strings.
  kName,  ///< The same; the matcher notes one that is not empty.
  kVarint,
  kFixed32,
  kFixed64,
  kPackedVarints,
  kPackedFixed32,
  kMessage,
  /// An entry of a map from strings to messages: key and value at most once
  /// each. Some writers leave out an empty key or value; an entry without its
  /// value must have a name without control characters.
  kEntry,
};

/// A field that a message may have. `inner`: the grammar of its message, or of
/// the value of its entry; null for entries whose values are any bytes.
struct GrammarField {
  uint32_t tag;
  Form form;
  const Grammar* inner = nullptr;
};

/// The fields of a message. A parser skips unknown fields. A grammar refuses
/// them, which shows that a record is of another type.
struct Grammar {
  const GrammarField* fields;
  size_t count;
};

/// Holds messages against grammars.
class GrammarMatcher {
 public:
  /// True if `message` has fields of `grammar` only.
  bool Matches(Span message, const Grammar& grammar);

  /// True if a name had a control character, as the bytes of a message have
  /// that is taken for a name.
  bool odd_names() const { return odd_names_; }

  /// True if a field of the form `kName` was not empty.
  bool named() const { return named_; }

 private:
  bool MatchesField(const GrammarField& field, WireReader* reader);
  bool MatchesEntry(Span entry, const Grammar* value);

  bool odd_names_ = false;
  bool named_ = false;
};

/// True if `packed` consists of whole integers.
bool AreVarints(Span packed);

/// True if `text` has a character below U+0020.
bool HasControls(Span text);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_TYPE_GRAMMAR_H_
