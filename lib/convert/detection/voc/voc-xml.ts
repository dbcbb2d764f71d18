/** Reads the annotations of Pascal VOC: XML without entities of its own. */
import { faultOf } from '../box';

/** An element: its text, or its children by their names. */
export interface XmlElement {
  readonly name: string;
  readonly children: XmlElement[];
  text: string;
}

const MAX_DEPTH = 32;
const MAX_ELEMENTS = 200_000;

/** Parses a document. Document types, and with them entities, are refused. @throws TFRecordError TFR_DECODE */
export function parseXml(text: string, file: string): XmlElement {
  const stack: XmlElement[] = [];
  let root: XmlElement | undefined;
  let count = 0;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when the first document is read
  const { SaxesParser } = require('saxes');
  const parser = new SaxesParser();
  const refuse = (found: string): never => {
    throw faultOf(file, 'the XML', { file, expected: 'elements and text', found, code: 'TFR_DECODE' });
  };
  parser.on('error', ({ message }) => refuse(message));
  parser.on('doctype', () => refuse('a document type'));
  parser.on('opentag', ({ name }) => {
    if (stack.length >= MAX_DEPTH) refuse(`more than ${MAX_DEPTH} levels`);
    if (++count > MAX_ELEMENTS) refuse(`more than ${MAX_ELEMENTS} elements`);
    const element: XmlElement = { name, children: [], text: '' };
    stack.at(-1)?.children.push(element);
    root ??= element;
    stack.push(element);
  });
  parser.on('text', (part) => {
    const element = stack.at(-1);
    if (element !== undefined) element.text += part;
  });
  parser.on('cdata', (part) => {
    const element = stack.at(-1);
    if (element !== undefined) element.text += part;
  });
  parser.on('closetag', () => stack.pop());
  parser.write(text).close();
  return root ?? refuse('no element');
}

/** The only child `name`, if there is one. @throws TFRecordError for several */
export function childOf({ children }: XmlElement, name: string, file: string): XmlElement | undefined {
  const [child, another] = children.filter((each) => each.name === name);
  if (another === undefined) return child;
  throw faultOf(file, `<${name}>`, { file, expected: 'one element', found: 'several' });
}

/** `text` as XML. */
export function escaped(text: string): string {
  return text.replace(/[&<>"\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
