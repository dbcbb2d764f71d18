#ifndef TFR_TEST_DEFLATE_CODEC_SAMPLES_H_
#define TFR_TEST_DEFLATE_CODEC_SAMPLES_H_

#include <zlib.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/deflate/implementations.h"

/// Data and deflate streams shared by the codec tests.
namespace tfr::test {

using Bytes = std::vector<uint8_t>;

/// A fixed pseudo-random sequence, equal on every machine.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 2 + 1) {}
  uint32_t Next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state_ >> 33);
  }
  uint32_t Below(uint32_t n) { return Next() % n; }

 private:
  uint64_t state_;
};

inline Bytes Noise(size_t size, uint64_t seed = 1) {
  Random random(seed);
  Bytes bytes(size);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.Next() >> 7);
  return bytes;
}

/// Words, numbers and some noise: matches of all lengths and distances.
inline Bytes Mixture(size_t size, uint64_t seed = 1) {
  static const char* const kWords[] = {"feature",    "label", "image/encoded",
                                       "int64_list", "value", "\x0a\x12\x08"};
  Random random(seed);
  Bytes bytes;
  while (bytes.size() < size) {
    const uint32_t kind = random.Below(8);
    if (kind < 5) {
      for (const char* c = kWords[random.Below(6)]; *c != 0; ++c) {
        bytes.push_back(static_cast<uint8_t>(*c));
      }
    } else if (kind < 7 || bytes.empty()) {
      for (uint32_t i = random.Below(9); i > 0; --i) {
        bytes.push_back(static_cast<uint8_t>(random.Next()));
      }
    } else {
      const size_t back = random.Below(40000) % bytes.size();
      const size_t from = bytes.size() - 1 - back;
      for (uint32_t i = 0, n = random.Below(600); i < n; ++i) {
        bytes.push_back(bytes[from + i]);
      }
    }
  }
  bytes.resize(size);
  return bytes;
}

struct Sample {
  std::string name;
  Bytes data;
};

inline std::vector<Sample> Samples() {
  std::vector<Sample> samples;
  samples.push_back({"empty", {}});
  samples.push_back({"one byte", {42}});
  samples.push_back({"13 bytes", Mixture(13)});
  samples.push_back({"zeros", Bytes(200000, 0)});
  samples.push_back({"noise", Noise(70000)});
  samples.push_back({"short mixture", Mixture(2000)});
  samples.push_back({"mixture", Mixture(300000)});
  // The longest distance, and one byte more.
  Bytes far = Noise(32768, 7);
  far.insert(far.end(), far.begin(), far.begin() + 300);
  samples.push_back({"distance 32768", far});
  Bytes farther = Noise(32769, 8);
  farther.insert(farther.end(), farther.begin(), farther.begin() + 300);
  samples.push_back({"distance 32769", farther});
  return samples;
}

inline Bytes DeflateAll(BlockDeflater* deflater, const Bytes& data) {
  Bytes out(deflater->Bound(data.size()));
  out.resize(
      deflater->Deflate(data.data(), data.size(), out.data(), out.size()));
  return out;
}

/// zlib as the oracle, with every setting that affects the stream's structure.
inline Bytes ZlibDeflate(const Bytes& data, int level, int strategy,
                         int window_bits = 15, size_t flush_each = 0) {
  z_stream stream = {};
  deflateInit2(&stream, level, Z_DEFLATED, -window_bits, 8, strategy);
  Bytes out(data.size() * 2 + 1000 +
            (flush_each > 0 ? data.size() / flush_each * 20 : 0));
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  stream.next_in = const_cast<Bytef*>(data.data());
  size_t left = data.size();
  while (flush_each > 0 && left > 0) {
    const size_t piece = left < flush_each ? left : flush_each;
    stream.avail_in = static_cast<uInt>(piece);
    deflate(&stream, Z_FULL_FLUSH);
    left -= piece;
  }
  stream.avail_in = static_cast<uInt>(left);
  deflate(&stream, Z_FINISH);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

struct DeflatedSample {
  std::string name;
  Bytes data;
  Bytes deflated;
};

/// Every sample deflated by every implementation and in every block type.
inline std::vector<DeflatedSample> DeflatedSamples() {
  std::vector<DeflatedSample> all;
  for (const Sample& sample : Samples()) {
    const Bytes& data = sample.data;
    const auto add = [&](const std::string& how, Bytes deflated) {
      all.push_back({sample.name + ", " + how, data, std::move(deflated)});
    };
    for (int level : {0, 1, 6, 9}) {
      add("zlib " + std::to_string(level),
          ZlibDeflate(data, level, Z_DEFAULT_STRATEGY));
      if (auto deflater = NewLibdeflateBlockDeflater(level)) {
        add("libdeflate " + std::to_string(level),
            DeflateAll(deflater.get(), data));
      }
    }
    if (auto deflater = NewIsalDeflater()) {
      add("igzip", DeflateAll(deflater.get(), data));
    }
    add("fixed codes", ZlibDeflate(data, 6, Z_FIXED));
    add("Huffman only", ZlibDeflate(data, 6, Z_HUFFMAN_ONLY));
    add("RLE", ZlibDeflate(data, 6, Z_RLE));
    add("window 512", ZlibDeflate(data, 6, Z_DEFAULT_STRATEGY, 9));
    add("flushed", ZlibDeflate(data, 6, Z_DEFAULT_STRATEGY, 15, 97));
  }
  return all;
}

template <typename Role>
struct Implementation {
  const char* name;
  std::unique_ptr<Role> role;
};

/// The available implementations; zlib, the oracle, comes first.
inline std::vector<Implementation<StreamInflater>> StreamInflaters() {
  std::vector<Implementation<StreamInflater>> all;
  all.push_back({"zlib", NewZlibInflater()});
  if (auto inflater = NewIsalInflater()) {
    all.push_back({"igzip", std::move(inflater)});
  }
  return all;
}

inline std::vector<Implementation<BlockInflater>> BlockInflaters() {
  std::vector<Implementation<BlockInflater>> all;
  all.push_back({"zlib", NewZlibBlockInflater()});
  if (auto inflater = NewLibdeflateBlockInflater()) {
    all.push_back({"libdeflate", std::move(inflater)});
  }
  return all;
}

inline std::vector<Implementation<BlockDeflater>> BlockDeflaters(int level) {
  std::vector<Implementation<BlockDeflater>> all;
  all.push_back({"zlib", NewZlibBlockDeflater(level)});
  if (auto deflater = NewLibdeflateBlockDeflater(level)) {
    all.push_back({"libdeflate", std::move(deflater)});
  }
  if (level == 1) {
    if (auto deflater = NewIsalDeflater()) {
      all.push_back({"igzip", std::move(deflater)});
    }
  }
  return all;
}

}  // namespace tfr::test

#endif  // TFR_TEST_DEFLATE_CODEC_SAMPLES_H_
