// The addon imports Node-API from "node.exe", but its host may have any name: Electron's is that of the app. Windows asks
// this hook before it would load a library by that name. cmake-js has such a hook for MSVC only.
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
// Needs the types of windows.h.
#include <delayimp.h>
#include <string.h>

namespace {

FARPROC WINAPI FindHost(unsigned event, PDelayLoadInfo info) {
  if (event != dliNotePreLoadLibrary ||
      _stricmp(info->szDll, "node.exe") != 0) {
    return nullptr;
  }
  // Some hosts keep Node in a library; in all others it is the program itself.
  HMODULE host = GetModuleHandleA("node.dll");
  if (host == nullptr) host = GetModuleHandleA(nullptr);
  return reinterpret_cast<FARPROC>(host);
}

}  // namespace

extern "C" {
PfnDliHook __pfnDliNotifyHook2 = FindHost;
}
