# CMakeLists.txt's counterpart for node-gyp: the same sources, definitions and link rules; see the reasons there.
# Not in the tarball, because npm would run it as an install script.
{
  "targets": [
    {
      "target_name": "tfrecord",
      "dependencies": ["<!(node -p \"require('node-addon-api').targets\"):node_addon_api_except"],
      "sources": ["<!@(node scripts/gyp-config.mjs sources)"],
      "include_dirs": ["native"],
      "defines": [
        "NAPI_VERSION=8",
        "NODE_ADDON_API_DISABLE_DEPRECATED",
        "NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS",
        "NODE_API_NO_EXTERNAL_BUFFERS_ALLOWED",
        "NODE_ADDON_API_REQUIRE_BASIC_FINALIZERS",
        "<!@(node scripts/gyp-config.mjs defines)",
      ],
      "libraries": ["<!@(node scripts/gyp-config.mjs libraries)"],
      "conditions": [
        ["OS!='win'", {
          "cflags_cc!": ["-std=gnu++17", "-std=gnu++20"],
          "cflags_cc": ["-std=c++17", "-fvisibility=hidden", "-fvisibility-inlines-hidden", "-Wall", "-Wextra"],
        }],
        ["OS=='linux'", {
          "ldflags": [
            "-Wl,--exclude-libs,ALL", "-Wl,-Bsymbolic", "-Wl,-z,nodelete", "-Wl,-z,now", "-Wl,--gc-sections",
            "-Wl,--version-script=<(module_root_dir)/native/addon/exports.map",
          ],
        }],
        ["OS=='mac'", {
          "xcode_settings": {
            "CLANG_CXX_LANGUAGE_STANDARD": "c++17",
            "GCC_SYMBOLS_PRIVATE_EXTERN": "YES",
            "MACOSX_DEPLOYMENT_TARGET": "11.0",
          },
        }],
        ["OS=='win'", {
          "msvs_settings": {"VCCLCompilerTool": {"AdditionalOptions": ["/std:c++17", "/EHsc"]}},
        }],
      ],
    },
  ],
}
