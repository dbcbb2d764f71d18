/** The files that protobuf has for every program, for machines whose protoc comes without them. */
const head = 'syntax = "proto3";\npackage google.protobuf;\n';

const WRAPPED = {
  Double: 'double',
  Float: 'float',
  Int64: 'int64',
  UInt64: 'uint64',
  Int32: 'int32',
  UInt32: 'uint32',
};
const wrappers = Object.entries({ ...WRAPPED, Bool: 'bool', String: 'string', Bytes: 'bytes' });

export const GOOGLE_PROTOS: Readonly<Record<string, string>> = {
  'google/protobuf/any.proto': `${head}message Any { string type_url = 1; bytes value = 2; }\n`,
  'google/protobuf/duration.proto': `${head}message Duration { int64 seconds = 1; int32 nanos = 2; }\n`,
  'google/protobuf/empty.proto': `${head}message Empty {}\n`,
  'google/protobuf/field_mask.proto': `${head}message FieldMask { repeated string paths = 1; }\n`,
  'google/protobuf/struct.proto': `${head}
enum NullValue { NULL_VALUE = 0; }
message Struct { map<string, Value> fields = 1; }
message ListValue { repeated Value values = 1; }
message Value {
  oneof kind {
    NullValue null_value = 1;
    double number_value = 2;
    string string_value = 3;
    bool bool_value = 4;
    Struct struct_value = 5;
    ListValue list_value = 6;
  }
}
`,
  'google/protobuf/timestamp.proto': `${head}message Timestamp { int64 seconds = 1; int32 nanos = 2; }\n`,
  'google/protobuf/wrappers.proto': `${head}${wrappers.map(([name, type]) => `message ${name}Value { ${type} value = 1; }`).join('\n')}\n`,
};
