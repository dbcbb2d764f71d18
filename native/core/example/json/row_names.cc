#include "core/example/json/row_names.h"

#include <algorithm>
#include <utility>

namespace tfr {

RowNames::RowNames(RowChoice choice) : choice_(std::move(choice)) {
  std::sort(choice_.names.begin(), choice_.names.end());
}

void RowNames::Clear() {
  for (auto& numbers : numbers_) numbers.clear();
  names_.clear();
  last_.clear();
  due_ = 0;
}

size_t RowNames::held_bytes() const {
  // Nodes here, and an object in JavaScript.
  constexpr size_t kName = 256;
  // The text itself, its copy in an array, and a string.
  constexpr size_t kTexts = 3;
  size_t sum = last_.capacity() * sizeof(uint32_t);
  for (const std::string& name : choice_.names) {
    sum += sizeof(std::string) + name.capacity();
  }
  for (const RowName& name : names_) sum += kName + kTexts * name.text.size();
  return sum;
}

uint32_t RowNames::Find(RowSection section, Span text) {
  const std::string_view wanted(reinterpret_cast<const char*>(text.data),
                                text.size);
  if (due_ < last_.size()) {
    const RowName& due = names_[last_[due_]];
    if (due.section == section && due.text == wanted) return last_[due_++];
  }
  const uint32_t found = Search(section, wanted);
  if (due_ < last_.size()) {
    last_[due_] = found;
  } else {
    last_.push_back(found);
  }
  ++due_;
  return found;
}

uint32_t RowNames::Search(RowSection section, std::string_view text) {
  auto& numbers = numbers_[static_cast<size_t>(section)];
  const auto known = numbers.find(text);
  if (known != numbers.end()) return known->second;
  const auto number = static_cast<uint32_t>(names_.size());
  RowName name;
  name.text = text;
  name.section = section;
  const bool listed =
      std::binary_search(choice_.names.begin(), choice_.names.end(), name.text);
  name.skipped = choice_.mode != RowChoice::Mode::kAll &&
                 listed == (choice_.mode == RowChoice::Mode::kExcept);
  names_.push_back(std::move(name));
  numbers.emplace(names_.back().text, number);
  return number;
}

}  // namespace tfr
