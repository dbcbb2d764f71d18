#include "duckdb/extension/spec/json_value.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <utility>

#include "core/example/json/json_cursor.h"
#include "duckdb/extension/query_error.h"

namespace tfr::duckdb {
namespace {

using Kind = JsonValue::Kind;

/// Specs need seven levels.
constexpr int kMaxDepth = 16;

/// Largest number that JavaScript takes for an index: 2^32 - 2.
constexpr uint64_t kMaxIndex = 0xfffffffe;

/// Returns the number that `name` is, if JavaScript takes it for an index; else
/// a larger one.
uint64_t IndexOf(const std::string& name) {
  const bool digits = !name.empty() && name.size() <= 10 &&
                      name.find_first_not_of("0123456789") == std::string::npos;
  if (!digits || (name.size() > 1 && name[0] == '0')) return kMaxIndex + 1;
  uint64_t index = 0;
  for (const char digit : name) {
    index = 10 * index + static_cast<uint64_t>(digit - '0');
  }
  return std::min(index, kMaxIndex + 1);
}

/// JavaScript puts members with numbers as names first, in their order.
void OrderMembers(JsonValue* object) {
  std::vector<size_t> order(object->names.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const uint64_t left = IndexOf(object->names[a]);
    const uint64_t right = IndexOf(object->names[b]);
    return left == right ? a < b : left < right;
  });
  std::vector<std::string> names;
  std::vector<JsonValue> items;
  names.reserve(order.size());
  items.reserve(order.size());
  for (const size_t index : order) {
    names.push_back(std::move(object->names[index]));
    items.push_back(std::move(object->items[index]));
  }
  object->names = std::move(names);
  object->items = std::move(items);
}

class Parser {
 public:
  explicit Parser(const std::string& text)
      : cursor_({reinterpret_cast<const uint8_t*>(text.data()), text.size()}) {}

  bool Whole(JsonValue* value) { return Take(value, 0) && cursor_.AtEnd(); }

 private:
  bool Take(JsonValue* value, int depth) {
    if (depth == kMaxDepth) return false;
    switch (cursor_.Peek()) {
      case 'n':
        return cursor_.TakeWord("null");
      case 't':
      case 'f':
        value->kind = Kind::kBoolean;
        value->boolean = cursor_.Peek() == 't';
        return cursor_.TakeWord(value->boolean ? "true" : "false");
      case '"':
        value->kind = Kind::kText;
        return TakeText(&value->text);
      case '[':
        value->kind = Kind::kList;
        return TakeList(value, depth);
      case '{':
        value->kind = Kind::kObject;
        return TakeObject(value, depth);
      default:
        value->kind = Kind::kNumber;
        return TakeNumber(value);
    }
  }

  bool TakeNumber(JsonValue* value) {
    const uint8_t first = cursor_.Peek();
    if (first != '-' && (first < '0' || first > '9')) return false;
    return cursor_.TakeNumber(&value->number);
  }

  bool TakeText(std::string* text) {
    Span found;
    if (!cursor_.TakeString(&found, &spare_)) return false;
    text->assign(reinterpret_cast<const char*>(found.data), found.size);
    return true;
  }

  bool TakeList(JsonValue* list, int depth) {
    (void)cursor_.Take('[');
    if (cursor_.Take(']')) return true;
    do {
      if (!Take(&list->items.emplace_back(), depth + 1)) return false;
    } while (cursor_.Take(','));
    return cursor_.Take(']');
  }

  bool TakeObject(JsonValue* object, int depth) {
    (void)cursor_.Take('{');
    if (cursor_.Take('}')) return true;
    std::set<std::string> known;
    do {
      std::string name;
      if (!TakeText(&name) || !cursor_.Take(':')) return false;
      if (!known.insert(name).second) {
        throw QueryError("TFR_SPEC", "spec: " + Quoted(name) +
                                         " is twice in an object of the JSON");
      }
      object->names.push_back(std::move(name));
      if (!Take(&object->items.emplace_back(), depth + 1)) return false;
    } while (cursor_.Take(','));
    OrderMembers(object);
    return cursor_.Take('}');
  }

  JsonCursor cursor_;
  std::vector<uint8_t> spare_;
};

}  // namespace

const JsonValue* JsonValue::Find(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end()
             ? nullptr
             : &items[static_cast<size_t>(found - names.begin())];
}

JsonValue ParseJson(const std::string& text) {
  JsonValue value;
  if (!Parser(text).Whole(&value)) {
    throw QueryError("TFR_SPEC", "spec is not the JSON of a spec");
  }
  return value;
}

}  // namespace tfr::duckdb
