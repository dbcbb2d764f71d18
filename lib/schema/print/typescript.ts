/** Prints specs as TypeScript. */
import type { DefaultJSON, SchemaSpecJSON } from '../feature';
import { sourceText } from './source-text';
import { isList } from '../../base';

type Features = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A module with the spec and the type of its rows. */
export function typeScriptOf(spec: SchemaSpecJSON, sequenceExamples: boolean): string {
  const parts = (sequenceExamples ? Object.values(spec) : [spec]) as readonly Features[];
  const kinds = new Set(parts.flatMap((features) => Object.values(features).map(({ type }) => String(type))));
  const types = sequenceExamples ? ['type Element', 'type SequenceElement'] : ['type Element'];
  const imports = [...[...kinds].sort(), ...types].join(', ');
  const body = sequenceExamples
    ? object(['context', 'sequence'].map((part) => `${part}: ${featuresOf(spec[part] as Features, '  ')}`))
    : featuresOf(spec as Features, '');
  const row = sequenceExamples
    ? object(['context: Element<typeof spec.context>;', 'sequence: SequenceElement<typeof spec.sequence>;']).replaceAll(
        ';,',
        ';',
      )
    : 'Element<typeof spec>';
  return `import { ${imports} } from 'tfrecord-native';\n\nexport const spec = ${body};\n\nexport type Row = ${row};\n`;
}

function featuresOf(features: Features, indent: string): string {
  const members = Object.entries(features).map(([name, feature]) => `${memberName(name)}: ${callOf(feature)}`);
  return object(members, indent);
}

function object(members: readonly string[], indent = ''): string {
  if (members.length === 0) return '{}';
  return `{\n${members.map((member) => `${indent}  ${member},\n`).join('')}${indent}}`;
}

/** `__proto__` must be a computed name, or it would set the prototype. */
function memberName(name: string): string {
  if (name === '__proto__') return `['__proto__']`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : sourceText(name);
}

/** The call that makes a feature. The argument is the feature as JSON. */
export function callOf({ type, dtype, shape, ...options }: Readonly<Record<string, unknown>>): string {
  const given = `'${String(dtype)}'`;
  switch (type) {
    case 'fixedLen':
    case 'fixedLenSequence': {
      const more = Object.keys(options).length === 0 ? '' : `, ${literal(options, dtype)}`;
      return `${type}([${isList(shape) ? shape.join(', ') : ''}], ${given}${more})`;
    }
    case 'varLen':
      return `varLen(${given})`;
    default:
      return `${String(type)}(${literal({ dtype, ...options }, dtype)})`;
  }
}

/** Prints the options of a feature. */
function literal(options: Readonly<Record<string, unknown>>, dtype: unknown): string {
  const members = Object.entries(options).map(([name, value]) => {
    if (name !== 'default') return `${name}: ${sourceText(value)}`;
    const one = (each: unknown): string => defaultLiteral(dtype, each as DefaultJSON);
    return `default: ${Array.isArray(value) ? `[${value.map(one).join(', ')}]` : one(value)}`;
  });
  return `{ ${members.join(', ')} }`;
}

/** `value`, a default of type `dtype`, in TypeScript. */
function defaultLiteral(dtype: unknown, value: DefaultJSON): string {
  if (typeof value === 'object') return `new Uint8Array([${[...Buffer.from(value.base64, 'base64')].join(', ')}])`;
  if (typeof value === 'number') return String(value);
  if (dtype === 'float32') return value;
  return dtype === 'int64' ? `${value}n` : sourceText(value);
}
