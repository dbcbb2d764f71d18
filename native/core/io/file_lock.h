#ifndef TFR_CORE_IO_FILE_LOCK_H_
#define TFR_CORE_IO_FILE_LOCK_H_

namespace tfr {

/// Locks the file of `descriptor` for one writer, until the descriptor is
/// closed. Returns false if another descriptor, of any process, holds the lock.
/// The lock is advisory: only writers that ask for it heed it. Where the file
/// system has no locks, and on Windows, returns true without a lock.
[[nodiscard]] bool TryLockFile(int descriptor);

}  // namespace tfr

#endif  // TFR_CORE_IO_FILE_LOCK_H_
