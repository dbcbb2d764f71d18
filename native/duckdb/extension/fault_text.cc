#include "duckdb/extension/fault_text.h"

#include <cerrno>
#include <cstdio>
#include <string_view>
#include <system_error>

#include "duckdb/extension/query_error.h"

namespace tfr::duckdb {
namespace {

/// The name of an error of the system; "EIO" for unusual ones, whose text says
/// more.
const char* ErrnoName(int error) {
  switch (error) {
    case ENOENT:
      return "ENOENT";
    case EACCES:
      return "EACCES";
    case EPERM:
      return "EPERM";
    case EISDIR:
      return "EISDIR";
    case ENOTDIR:
      return "ENOTDIR";
    case ELOOP:
      return "ELOOP";
    case EINVAL:
      return "EINVAL";
    case EILSEQ:
      return "EILSEQ";
    case EMFILE:
      return "EMFILE";
    case ENFILE:
      return "ENFILE";
    case ENAMETOOLONG:
      return "ENAMETOOLONG";
    case ENOMEM:
      return "ENOMEM";
    case ENXIO:
      return "ENXIO";
    case EOVERFLOW:
      return "EOVERFLOW";
    case ESPIPE:
      return "ESPIPE";
    case ETIMEDOUT:
      return "ETIMEDOUT";
    default:
      return "EIO";
  }
}

std::string Headline(const Fault& fault) {
  const std::string_view part = fault.part;
  switch (fault.code) {
    case FaultCode::kTruncated:
      if (part == "data") return "Truncated record";
      if (part == "header") return "Truncated record header";
      return "Truncated " + std::string(part);
    case FaultCode::kTrailingData:
      return "Trailing data";
    case FaultCode::kCorruptLength:
    case FaultCode::kNotTFRecord:
      return "Length checksum mismatch";
    case FaultCode::kCorruptData:
      return "Data checksum mismatch";
    case FaultCode::kRecordTooLarge:
      return "Record longer than allowed";
    default:
      return part == "deflate data" ? "Damaged deflate data"
                                    : "Wrong " + std::string(part);
  }
}

std::string Whereabouts(const Fault& fault) {
  std::string text;
  if (fault.record != kUnknown) {
    text += ", record " + std::to_string(fault.record);
  }
  const std::string compressed = std::to_string(fault.compressed_offset);
  const bool known = fault.compressed_offset != kUnknown;
  if (fault.offset != kUnknown) {
    const std::string offset = std::to_string(fault.offset);
    text += known ? ", at uncompressed byte " + offset + " (compressed byte " +
                        compressed + ")"
                  : ", at byte " + offset;
  } else if (known) {
    text += ", at compressed byte " + compressed;
  }
  return text;
}

bool IsChecksum(const Fault& fault) {
  switch (fault.code) {
    case FaultCode::kCorruptLength:
    case FaultCode::kCorruptData:
    case FaultCode::kNotTFRecord:
      return true;
    case FaultCode::kCompression: {
      const std::string_view part = fault.part;
      for (const char* word : {"CRC", "crc", "Adler", "check"}) {
        if (part.find(word) != std::string_view::npos) return true;
      }
      return false;
    }
    default:
      return false;
  }
}

std::string Amount(const Fault& fault, uint64_t amount) {
  if (IsChecksum(fault)) {
    char text[24];
    (void)std::snprintf(text, sizeof(text), "0x%08llx",
                        // NOLINTNEXTLINE(google-runtime-int): printf's type.
                        static_cast<unsigned long long>(amount));
    return text;
  }
  const bool bytes = fault.code == FaultCode::kTruncated ||
                     fault.code == FaultCode::kRecordTooLarge;
  return bytes ? Counted(amount, "byte") : std::to_string(amount);
}

const char* KindName(Kind kind) {
  constexpr const char* kNames[] = {"nothing", "bytes", "float32", "int64"};
  return kNames[static_cast<int>(kind)];
}

const char* RecordNoun(bool sequence) {
  return sequence ? "a SequenceExample" : "an Example";
}

/// Names the values that a column expects of each record, or step.
std::string Expected(const ColumnPlan& plan) {
  const std::string values =
      KindName(plan.kind) + std::string(plan.count == 1 ? " value" : " values");
  return plan.count == kAnyCount ? values
                                 : std::to_string(plan.count) + ' ' + values;
}

std::string Found(const ParseFault& fault, const ColumnPlan& plan) {
  switch (fault.code) {
    case ParseFaultCode::kMissing:
      return plan.section == Section::kLists ? "no such feature list"
                                             : "no such feature";
    case ParseFaultCode::kKindless:
      return "a feature without a kind";
    case ParseFaultCode::kKind:
      return KindName(fault.found_kind) + std::string(" values");
    default:
      return std::to_string(fault.found);
  }
}

}  // namespace

FileError SystemError(int error, const std::string& operation,
                      const std::string& file) {
  const std::string text = std::generic_category().message(error);
  return {ErrnoName(error), text + ", " + operation + " '" + file + "'"};
}

bool IsSkippable(const Fault& halt) {
  return halt.resumes || (halt.code == FaultCode::kRecordTooLarge &&
                          std::string_view(halt.part) == "length");
}

FileError DamageError(const Fault& fault, const std::string& file) {
  if (fault.code == FaultCode::kSystem) {
    return SystemError(fault.system_error, fault.part, file);
  }
  if (fault.code == FaultCode::kOutOfMemory) {
    return SystemError(ENOMEM, "malloc", file);
  }
  const std::string_view detail = fault.detail;
  FileError error;
  error.code = CodeName(fault.code);
  error.foreign =
      fault.record == 0 &&
      (fault.code == FaultCode::kNotTFRecord ||
       (fault.code == FaultCode::kCompression && fault.compressed_offset == 0));
  if (fault.code == FaultCode::kNotTFRecord && !detail.empty()) {
    error.text =
        file + " is not a TFRecord file: it looks like " + std::string(detail);
    return error;
  }
  if (fault.code == FaultCode::kCompression && !detail.empty()) {
    error.text = file + " was to be read with compression " +
                 std::string(fault.part) + ", but looks like " +
                 std::string(detail);
    return error;
  }
  error.text = Headline(fault) + " in " + file + Whereabouts(fault);
  if (fault.expected != fault.found && fault.code != FaultCode::kTrailingData) {
    error.text += ": expected " + Amount(fault, fault.expected) + ", found " +
                  Amount(fault, fault.found);
  }
  if (!detail.empty()) error.text += "; " + std::string(detail);
  return error;
}

FileError ParseError(const ParseFault& fault, const RecordPlace& place,
                     const Plan& plan) {
  const std::string step =
      fault.step == kUnknown ? "" : ", step " + std::to_string(fault.step);
  const bool named = fault.column < plan.columns.size();
  const std::string key = named ? plan.columns[fault.column].key : "";
  switch (fault.code) {
    case ParseFaultCode::kOutOfMemory:
      return SystemError(ENOMEM, "malloc", place.file);
    case ParseFaultCode::kTooLarge:
      return {"TFR_RECORD_TOO_LARGE",
              "Feature " + Quoted(key) +
                  " has more than 2147483647 values or bytes in a few records"
                  " of " +
                  place.file};
    case ParseFaultCode::kForeign:
      return TypeError(NameOf(static_cast<RecordType>(fault.found)), place,
                       plan.sequence);
    case ParseFaultCode::kMalformed: {
      std::string text = TextOf(place) + " is not " +
                         RecordNoun(plan.sequence) + ": malformed";
      if (fault.byte != kUnknown) {
        text += " at its byte " + std::to_string(fault.byte);
      }
      if (named) text += ", in feature " + Quoted(key) + step;
      return {"TFR_EXAMPLE", text};
    }
    default:
      break;
  }
  const ColumnPlan& column = plan.columns[fault.column];
  return {"TFR_FEATURE", TextOf(place) + step + ". Feature " + Quoted(key) +
                             ": expected " + Expected(column) + ", found " +
                             Found(fault, column)};
}

FileError TextError(const std::string& key, uint64_t bytes,
                    const RecordPlace& place) {
  return {"TFR_FEATURE", TextOf(place) + ". Feature " + Quoted(key) +
                             ": expected UTF-8, found " +
                             Counted(bytes, "byte") +
                             (bytes == 1 ? " that is not" : " that are not")};
}

FileError TypeError(const std::string& found, const RecordPlace& place,
                    bool sequence) {
  return {"TFR_EXAMPLE",
          TextOf(place) + " is not " + RecordNoun(sequence) + ", but " + found};
}

const char* NameOf(RecordType type) {
  switch (type) {
    case RecordType::kExample:
    case RecordType::kExtendedExample:
      return "an Example";
    case RecordType::kSequenceExample:
      return "a SequenceExample";
    case RecordType::kEvent:
      return "an Event";
    case RecordType::kExampleListWithContext:
      return "an ExampleListWithContext";
    case RecordType::kPredictionLog:
      return "a PredictionLog";
    default:
      return "a message of another type";
  }
}

std::string TextOf(const RecordPlace& place) {
  return "Record " + std::to_string(place.record) + " of " + place.file +
         " (byte " + std::to_string(place.offset) + ")";
}

}  // namespace tfr::duckdb
