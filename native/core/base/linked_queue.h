#ifndef TFR_CORE_BASE_LINKED_QUEUE_H_
#define TFR_CORE_BASE_LINKED_QUEUE_H_

namespace tfr {

/// A first-in, first-out queue of elements that hold the links (`T* next`). The
/// queue does not own them, so pushing allocates nothing and cannot fail. An
/// element is in at most one queue at a time.
template <class T>
class LinkedQueue {
 public:
  bool empty() const { return first_ == nullptr; }
  /// Null when the queue is empty.
  T* front() const { return first_; }

  void Push(T* element) {
    element->next = nullptr;
    (empty() ? first_ : last_->next) = element;
    last_ = element;
  }

  /// Null when the queue is empty. The caller may destroy the element.
  T* Pop() {
    T* const element = first_;
    if (element != nullptr) first_ = element->next;
    return element;
  }

  /// Moves all elements to the returned queue.
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
