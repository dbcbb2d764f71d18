#ifndef TFR_CORE_BASE_LINKED_QUEUE_H_
#define TFR_CORE_BASE_LINKED_QUEUE_H_

namespace tfr {

/// First in, first out. The elements carry the links (`T* next`) and belong to
/// somebody else, so adding one takes no memory and cannot fail. An element is
/// in one queue at a time.
template <class T>
class LinkedQueue {
 public:
  bool empty() const { return first_ == nullptr; }
  /// Null when empty.
  T* front() const { return first_; }

  void Push(T* element) {
    element->next = nullptr;
    (empty() ? first_ : last_->next) = element;
    last_ = element;
  }

  /// Null when empty. The element may be gone before the next call.
  T* Pop() {
    T* const element = first_;
    if (element != nullptr) first_ = element->next;
    return element;
  }

  /// All elements; none stay.
  LinkedQueue TakeAll() {
    const LinkedQueue all = *this;
    first_ = nullptr;
    return all;
  }

 private:
  T* first_ = nullptr;
  T* last_ = nullptr;
};

}  // namespace tfr

#endif  // TFR_CORE_BASE_LINKED_QUEUE_H_
