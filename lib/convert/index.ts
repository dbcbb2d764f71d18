/// <reference types="node" preserve="true" />
/**
 * Conversion jobs: TFRecord files to and from other formats, in one call, resumable, in parts.
 *
 * @packageDocumentation
 */
export { convert } from './convert';
export { draftSchema, type DraftOptions, type SchemaDraft } from './draft-schema';
export type { ConvertReport } from './job/report';
export type { ConvertFormat, InputFormatName, OutputFormatName } from './formats';
export type { ConvertOptions, ConvertProgress } from './options';
export type { HuggingFaceOptions } from './hugging-face/options';
export { mergeParts, type MergeOptions } from './job/merge-parts';
export type { Part } from './job/parts';
