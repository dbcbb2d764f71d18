#ifndef TFR_ADDON_BASE_STAY_LOADED_H_
#define TFR_ADDON_BASE_STAY_LOADED_H_

namespace tfr::addon {

/// Keeps this binary in memory until the process ends. Node unloads an addon
/// when the last worker that loaded it ends, while pool threads may still run
/// its code. On Linux the linker's flag nodelete does the same.
void StayLoaded();

}  // namespace tfr::addon

#endif  // TFR_ADDON_BASE_STAY_LOADED_H_
