/** Files of protobuf definitions with every kind of field, for the tests of messages. */

const INTEGERS = [
  'int32',
  'uint32',
  'sint32',
  'fixed32',
  'sfixed32',
  'int64',
  'uint64',
  'sint64',
  'fixed64',
  'sfixed64',
];
export const SCALARS = [...INTEGERS, 'bool', 'string', 'bytes', 'float', 'double'];
const KEYS = [...INTEGERS, 'bool', 'string'];

const name = (scalar: string): string => scalar[0]!.toUpperCase() + scalar.slice(1);

/** A message for each scalar: alone, optional, repeated both ways, in a oneof, and in maps. */
const proto3Scalars = SCALARS.map(
  (scalar) => `message ${name(scalar)}s {
  ${scalar} one = 1;
  optional ${scalar} maybe = 2;
  repeated ${scalar} many_values = 3;
  ${scalar === 'string' || scalar === 'bytes' ? '' : `repeated ${scalar} unpacked = 4 [packed = false];`}
  oneof choice { ${scalar} this_one = 5; string other = 6; }
  map<string, ${scalar}> by_name = 7;
  ${KEYS.includes(scalar) ? `map<${scalar}, string> texts = 8;` : ''}
}`,
);

const proto2Scalars = SCALARS.map(
  (scalar) => `message Old${name(scalar)}s {
  optional ${scalar} one = 1;
  optional ${scalar} by_default = 2 [default = ${scalar === 'bool' ? 'true' : /string|bytes/.test(scalar) ? '"seven"' : '7'}];
  repeated ${scalar} many_values = 3;
  ${scalar === 'string' || scalar === 'bytes' ? '' : `repeated ${scalar} packed_values = 4 [packed = true];`}
  oneof choice { ${scalar} this_one = 5; string other = 6; }
  map<string, ${scalar}> by_name = 7;
}`,
);

/** The files, by their names. `all.proto` imports the others. */
export const PROTOS: Readonly<Record<string, string>> = {
  'all.proto': `syntax = "proto3";
package every;
import "scalars3.proto";
import "scalars2.proto";
import "nested/things.proto";
import "old.proto";
import "known.proto";
`,
  'scalars3.proto': `syntax = "proto3";\npackage every.new;\n${proto3Scalars.join('\n')}\n`,
  'scalars2.proto': `syntax = "proto2";\npackage every.old;\n${proto2Scalars.join('\n')}\n`,
  'nested/things.proto': `// Imports a file beside the first one.
syntax = "proto3";
package every.things;
import public "enums.proto";

message Tree { string label = 1; repeated Tree branches = 2; Tree left = 3; map<string, Tree> named = 4; }
message Node { message Inner { message Deep { int32 x = 1; } Deep deep = 1; repeated Deep all = 2; } Inner inner = 1; }
message Colors {
  Color one = 1;
  repeated Color many = 2;
  map<int32, Color> by_number = 3;
  optional Color maybe = 4;
  Alias alias = 5;
  oneof choice { Color this_one = 6; Node that_one = 7; }
}
message Names {
  int32 snake_case_name = 1;
  int32 camelCase = 2;
  int32 UPPER = 3;
  int32 with_1_digit = 4;
  int32 own = 5 [json_name = "@own"];
  int32 constructor = 6;
  int32 to_string = 7;
  int32 has_own_property = 8;
  int32 trailing_ = 9;
  int32 value_of = 536870911;
}
message Maps {
  map<string, Node> nodes = 1;
  map<bool, bytes> flags = 2;
  map<int64, double> doubles = 3;
  map<uint64, Color> colors = 4;
  map<sfixed64, Maps> maps = 5;
}
message Choice {
  oneof kind { int32 number = 1; string text = 2; bytes data = 3; Node node = 4; bool flag = 5; double real = 6; }
  oneof other { Color color = 7; int64 long = 8; }
}
message Empty {}
message Far { int32 one = 16; int32 two = 2047; int32 three = 2048; repeated string last = 536870911; map<string, Far> fars = 20001; }
message Scalars {
  oneof kind {
    ${SCALARS.map((scalar, i) => `${scalar} ${scalar}_value = ${i + 1};`).join(' ')}
  }
}
message Optionals {
  ${SCALARS.map((scalar, i) => `optional ${scalar} ${scalar}_value = ${i + 1};`).join(' ')}
  optional Color color = 100;
  optional Node node = 101;
}
message Lists { repeated Node nodes = 1; repeated Color colors = 2; repeated Color unpacked = 3 [packed = false]; repeated Lists lists = 4; }
message Shadow { enum Color { BLACK = 0; WHITE = 1; } message Node { Color color = 1; } Color color = 1; Node node = 2; .every.things.Color outer = 3; }
message Links { Tree tree = 1; Colors colors = 2; Names names = 3; Maps maps = 4; Choice choice = 5; Empty empty = 6; }
`,
  'enums.proto': `syntax = "proto3";
package every.things;
enum Color { NONE = 0; RED = 1; GREEN = 2; FAR = 2147483647; BELOW = -5; }
enum Alias { option allow_alias = true; ZERO = 0; FIRST = 1; ALSO_FIRST = 1; }
`,
  'old.proto': `syntax = "proto2";
package every.old;

enum Closed { ONE = 1; TWO = 2; }
message Required { required int32 id = 1; required string name = 2; optional Closed closed = 3; }
message Holder { repeated Required items = 1; optional Closed closed = 2 [default = TWO]; repeated Closed all = 3; repeated Closed packed = 4 [packed = true]; }
message Groups {
  optional group OptionalGroup = 1 { optional int32 a = 2; optional group Inner = 3 { optional string b = 4; } }
  repeated group Many = 5 { required int64 id = 6; repeated float values = 7; }
}
message Base {
  optional string text = 1;
  extensions 100 to 199;
}
extend Base {
  optional int64 number_ext = 100;
  repeated string texts_ext = 101;
  optional Required message_ext = 102;
  optional Closed closed_ext = 103;
}
message Scope {
  extend Base { optional Scope scoped = 104; repeated double reals = 105; }
  optional bytes data = 1;
}
message OldMaps { map<string, Required> items = 1; map<int32, bool> flags = 2; map<fixed64, string> texts = 3; }
message OldChoice { oneof kind { int32 number = 1; Closed closed = 2; Required item = 3; OldMaps maps = 4; } }
message OldFar { optional string text = 536870911; repeated Closed all = 20001; optional OldFar next = 1; }
message Defaults {
  optional int32 number = 1 [default = -12];
  optional double real = 2 [default = inf];
  optional string text = 3 [default = "a\\n\\"b\\""];
  optional bool flag = 4 [default = true];
  optional Closed closed = 5 [default = TWO];
}
`,
  'known.proto': `syntax = "proto3";
package every.known;
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/empty.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";

message Times { google.protobuf.Timestamp at = 1; google.protobuf.Duration took = 2; repeated google.protobuf.Timestamp all = 3; map<string, google.protobuf.Duration> by_name = 4; }
message Masks { google.protobuf.FieldMask mask = 1; repeated google.protobuf.FieldMask all = 2; }
message Wrapped {
  google.protobuf.DoubleValue double_value = 1;
  google.protobuf.FloatValue float_value = 2;
  google.protobuf.Int64Value int64_value = 3;
  google.protobuf.UInt64Value uint64_value = 4;
  google.protobuf.Int32Value int32_value = 5;
  google.protobuf.UInt32Value uint32_value = 6;
  google.protobuf.BoolValue bool_value = 7;
  google.protobuf.StringValue string_value = 8;
  google.protobuf.BytesValue bytes_value = 9;
  repeated google.protobuf.Int64Value all = 10;
  map<string, google.protobuf.FloatValue> by_name = 11;
}
message Structs {
  google.protobuf.Struct struct = 1;
  google.protobuf.Value value = 2;
  google.protobuf.ListValue list = 3;
  google.protobuf.NullValue null_value = 4;
  repeated google.protobuf.Value values = 5;
  map<string, google.protobuf.Value> by_name = 6;
  oneof kind { google.protobuf.NullValue nothing = 7; string something = 8; }
}
message Anything { google.protobuf.Any any = 1; repeated google.protobuf.Any all = 2; google.protobuf.Empty empty = 3; }
`,
};
