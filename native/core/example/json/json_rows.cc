#include "core/example/json/json_rows.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/example/json/base64.h"

namespace tfr {
namespace {

bool IsBlank(Span line) {
  return std::all_of(line.data, line.end(), [](uint8_t c) {
    return c == ' ' || c == '\t' || c == '\r';
  });
}

uint32_t BitsOf(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

}  // namespace

float JsonRows::real(size_t value) const {
  const auto bits = static_cast<uint32_t>(values_[value]);
  float result = 0;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

size_t JsonRows::held_bytes() const {
  // Objects, handles and arrays that all rows together have.
  constexpr size_t kFixed = 4096;
  return kFixed + names_.held_bytes() + buffer_bytes();
}

size_t JsonRows::buffer_bytes() const {
  return rows_.capacity() * sizeof(Row) +
         entries_.capacity() * sizeof(RowEntry) + literals_.capacity() +
         values_.capacity() * sizeof(uint64_t) + bytes_.capacity() +
         events_.capacity() * sizeof(RowEvent) + name_spare_.capacity() +
         text_spare_.capacity();
}

void JsonRows::Clear() {
  if (buffer_bytes() > kMostKeptRowBytes) return Free();
  names_.Clear();
  rows_.clear();
  entries_.clear();
  literals_.clear();
  values_.clear();
  bytes_.clear();
  events_.clear();
}

void JsonRows::Add(Span line) {
  Row row;
  row.begin = row.lists = row.end = static_cast<uint32_t>(entries_.size());
  if (!IsBlank(line)) {
    const size_t values = values_.size();
    const size_t bytes = bytes_.size();
    const size_t events = events_.size();
    row.state = State::kTaken;
    names_.BeginRow();
    has_booleans_ = false;
    if (line.size <= kMaxLine && AddRow(line, &row)) {
      SortEvents(names_, events, &events_);
      row.has_booleans = has_booleans_;
    } else {
      row.state = State::kRefused;
      Undo(row, values, bytes, events);
    }
  }
  rows_.push_back(row);
}

bool JsonRows::AddRow(Span line, Row* row) {
  JsonCursor cursor(line);
  if (!cursor.Take('{')) return false;
  if (cursor.Peek() == '}') return cursor.Take('}') && cursor.AtEnd();
  Span name;
  if (!cursor.TakeString(&name, &name_spare_) || !cursor.Take(':')) {
    return false;
  }
  const std::string_view first = ViewOf(name);
  const bool may_be_sequence =
      cursor.Peek() == '{' &&
      (first == "context" || first == "featureLists" || first == "sequence");
  if (may_be_sequence) {
    if (names_.examples_only()) return false;
    JsonCursor start(line);
    return start.Take('{') && AddSequence(&start, row) && start.AtEnd();
  }
  if (!AddMembersAfter(name, &cursor, RowSection::kFeatures)) return false;
  row->lists = row->end = static_cast<uint32_t>(entries_.size());
  return cursor.AtEnd();
}

/// Adds both parts of a SequenceExample. Refuses features that have the names
/// of the parts.
bool JsonRows::AddSequence(JsonCursor* cursor, Row* row) {
  // The index of the entry with which each part begins.
  size_t begins[2] = {};
  bool seen[2] = {};
  bool lists_first = false;
  for (int part = 0; part < 2; ++part) {
    Span name;
    if ((part > 0 && !cursor->Take(',')) ||
        !cursor->TakeString(&name, &name_spare_) || !cursor->Take(':')) {
      return false;
    }
    const std::string_view view = ViewOf(name);
    const bool is_lists = view == "featureLists" || view == "sequence";
    if ((!is_lists && view != "context") || seen[is_lists ? 1 : 0]) {
      return false;
    }
    seen[is_lists ? 1 : 0] = true;
    lists_first |= is_lists && part == 0;
    begins[is_lists ? 1 : 0] = entries_.size();
    if (!AddMembers(cursor,
                    is_lists ? RowSection::kLists : RowSection::kFeatures)) {
      return false;
    }
  }
  if (!cursor->Take('}')) return false;
  const auto [context, lists] = begins;
  row->is_sequence = true;
  row->end = static_cast<uint32_t>(entries_.size());
  row->lists = static_cast<uint32_t>(lists);
  if (lists_first) {
    const auto first = entries_.begin();
    std::rotate(first + static_cast<ptrdiff_t>(lists),
                first + static_cast<ptrdiff_t>(context), entries_.end());
    row->lists = static_cast<uint32_t>(lists + (row->end - context));
  }
  return true;
}

bool JsonRows::AddMembers(JsonCursor* cursor, RowSection section) {
  if (!cursor->Take('{')) return false;
  if (cursor->Peek() == '}') return cursor->Take('}');
  Span name;
  return cursor->TakeString(&name, &name_spare_) && cursor->Take(':') &&
         AddMembersAfter(name, cursor, section);
}

/// Adds the member `name`, whose value is next, and those after it.
bool JsonRows::AddMembersAfter(Span name, JsonCursor* cursor,
                               RowSection section) {
  if (!AddMember(name, cursor, section)) return false;
  while (cursor->Take(',')) {
    if (!cursor->TakeString(&name, &name_spare_) || !cursor->Take(':') ||
        !AddMember(name, cursor, section)) {
      return false;
    }
  }
  return cursor->Take('}');
}

bool JsonRows::AddMember(Span text, JsonCursor* cursor, RowSection section) {
  const uint32_t name = names_.Find(section, text);
  RowName& known = names_[name];
  const size_t row = rows_.size() + 1;
  // The same name twice.
  if (known.last_row == row) return false;
  known.last_row = row;
  if (!known.used) {
    known.used = true;
    events_.push_back({static_cast<uint32_t>(rows_.size()), name});
  }
  if (known.skipped) return cursor->SkipValue();
  return section == RowSection::kLists ? AddSteps(cursor, name)
                                       : AddValues(cursor, name);
}

bool JsonRows::AddSteps(JsonCursor* cursor, uint32_t name) {
  if (!cursor->Take('[')) return false;
  const size_t list = entries_.size();
  entries_.push_back({name, 0, 0, RowEntry::Form::kSteps});
  if (cursor->Peek() == ']') return cursor->Take(']');
  do {
    if (!AddValues(cursor, name)) return false;
    ++entries_[list].count;
  } while (cursor->Take(','));
  return cursor->Take(']');
}

bool JsonRows::AddValues(JsonCursor* cursor, uint32_t name) {
  RowEntry entry{name, static_cast<uint32_t>(values_.size()), 0,
                 RowEntry::Form::kValues};
  const uint8_t c = cursor->Peek();
  if (c == 'n') {
    entry.form = RowEntry::Form::kNull;
    if (!cursor->TakeWord("null")) return false;
  } else if (c != '[') {
    if (!AddValue(cursor, name)) return false;
  } else {
    cursor->Take('[');
    if (cursor->Peek() != ']') {
      do {
        if (!AddValue(cursor, name)) return false;
      } while (cursor->Take(','));
    }
    if (!cursor->Take(']')) return false;
  }
  entry.count = static_cast<uint32_t>(values_.size()) - entry.first;
  entries_.push_back(entry);
  return true;
}

bool JsonRows::AddValue(JsonCursor* cursor, uint32_t name) {
  switch (cursor->Peek()) {
    case '"':
      return AddText(cursor, name);
    case '{':
      return AddBase64(cursor, name);
    case 't':
      has_booleans_ = true;
      Push(name, Literal::kInt64, 1);
      return cursor->TakeWord("true");
    case 'f':
      has_booleans_ = true;
      Push(name, Literal::kInt64, 0);
      return cursor->TakeWord("false");
    case 0:
      return false;
    default:
      break;
  }
  JsonNumber number;
  if (!cursor->TakeNumber(&number)) return false;
  switch (number.form) {
    case JsonNumber::Form::kInt64:
      Push(name, Literal::kInt64, static_cast<uint64_t>(number.integer));
      return true;
    case JsonNumber::Form::kFloat:
      Push(name, Literal::kFloat, BitsOf(number.real));
      return true;
    default:
      return false;
  }
}

bool JsonRows::AddText(JsonCursor* cursor, uint32_t name) {
  Span text;
  if (!cursor->TakeString(&text, &text_spare_)) return false;
  const size_t offset = bytes_.size();
  bytes_.insert(bytes_.end(), text.data, text.end());
  Push(name, LiteralOf(text), uint64_t{offset} << 32U | text.size);
  return true;
}

bool JsonRows::AddBase64(JsonCursor* cursor, uint32_t name) {
  Span member;
  Span text;
  const size_t offset = bytes_.size();
  if (!cursor->Take('{') || !cursor->TakeString(&member, &text_spare_) ||
      ViewOf(member) != "base64" || !cursor->Take(':') ||
      !cursor->TakeString(&text, &text_spare_) || !cursor->Take('}') ||
      !AddBase64Bytes(text, &bytes_)) {
    return false;
  }
  Push(name, Literal::kBytes,
       uint64_t{offset} << 32U | (bytes_.size() - offset));
  return true;
}

void JsonRows::Push(uint32_t name, Literal literal, uint64_t value) {
  values_.push_back(value);
  literals_.push_back(literal);
  RowName& known = names_[name];
  const auto kind = static_cast<uint32_t>(literal);
  const auto bit = static_cast<uint8_t>(1U << kind);
  if ((known.literals & bit) != 0) return;
  known.literals |= bit;
  events_.push_back({static_cast<uint32_t>(rows_.size()), name, kind + 1});
}

/// Forgets what a refused row has added.
void JsonRows::Undo(const Row& row, size_t values, size_t bytes,
                    size_t events) {
  entries_.resize(row.begin);
  values_.resize(values);
  literals_.resize(values);
  bytes_.resize(bytes);
  for (size_t i = events; i < events_.size(); ++i) {
    RowName& name = names_[events_[i].name];
    const uint32_t what = events_[i].what;
    if (what == RowEvent::kNamed) {
      name.used = false;
    } else {
      name.literals &= static_cast<uint8_t>(~(1U << (what - 1)));
    }
  }
  events_.resize(events);
}

}  // namespace tfr
