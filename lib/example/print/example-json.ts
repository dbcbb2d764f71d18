/** JSON of the features of Examples and SequenceExamples; the form is told at `RecordPrinter`. */
import { float32Json, int64Json } from './json-scalars';
import { compareUtf8, type tensorflow } from '../message';
import type { PrintContext } from './print-context';

type Maybe<T> = T | null | undefined;

/** An object of feature name to values, names in byte order. No features and no message at all look alike. */
export function printFeatures(features: Maybe<tensorflow.Features.$Properties>, context: PrintContext): string {
  return printMap(features?.feature, context, (feature) => printFeature(feature, context));
}

/** An object of feature list name to steps, each as a feature. */
export function printFeatureLists(lists: Maybe<tensorflow.FeatureLists.$Properties>, context: PrintContext): string {
  return printMap(lists?.featureList, context, (list) =>
    context.list(list.feature ?? [], context.limits.steps, (step) => printFeature(step, context)),
  );
}

function printMap<T>(map: Maybe<Record<string, T>>, context: PrintContext, print: (value: T) => string): string {
  if (!map) return '{}';
  let json = '';
  for (const name of Object.keys(map).sort(compareUtf8)) {
    json += `${json === '' ? '' : ','}${context.name(name)}:${print(map[name] as T)}`;
  }
  return `{${json}}`;
}

function printFeature(feature: tensorflow.Feature.$Properties, context: PrintContext): string {
  const { bytesList, floatList, int64List } = feature;
  const { values } = context.limits;
  if (int64List) return withKind('int64', context.list(int64List.value ?? [], values, int64Json), context);
  if (floatList) return withKind('float', context.list(floatList.value ?? [], values, float32Json), context);
  if (bytesList) {
    const list = context.list(bytesList.value ?? [], values, (value) => context.bytes(value));
    return withKind('bytes', list, context);
  }
  return 'null';
}

function withKind(kind: string, list: string, context: PrintContext): string {
  return context.kinds ? `{"${kind}":${list}}` : list;
}
