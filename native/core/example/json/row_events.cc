#include "core/example/json/row_events.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace tfr {
namespace {

/// The place of a member in the order in which JavaScript lists the members of
/// an object: indices of arrays first, by their number, then all others.
uint64_t OrderOf(const std::string& name) {
  constexpr uint64_t kOther = 0xffffffff;
  constexpr size_t kMostDigits = 10;
  if (name.empty() || name.size() > kMostDigits) return kOther;
  uint64_t index = 0;
  for (const char c : name) {
    if (c < '0' || c > '9') return kOther;
    index = index * 10 + static_cast<uint64_t>(c - '0');
  }
  if (name[0] == '0' && name.size() > 1) return kOther;
  return std::min(index, kOther);
}

}  // namespace

void SortEvents(const RowNames& names, size_t first,
                std::vector<RowEvent>* events) {
  if (events->size() - first < 2) return;
  struct Place {
    RowSection section;
    uint64_t order;
    RowEvent event;
    size_t index;
  };
  std::vector<Place> places;
  for (size_t i = first; i < events->size(); ++i) {
    const RowName& name = names[(*events)[i].name];
    places.push_back({name.section, OrderOf(name.text), (*events)[i], i});
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return std::tie(a.section, a.order, a.index) <
           std::tie(b.section, b.order, b.index);
  });
  for (const Place& place : places) (*events)[first++] = place.event;
}

}  // namespace tfr
