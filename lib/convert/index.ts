/// <reference types="node" preserve="true" />
/**
 * Conversion jobs: TFRecord files to and from other formats, in one call, resumable, in parts.
 *
 * @packageDocumentation
 */
export { convert, type ConvertReport } from './convert';
export type { ConvertFormat, InputFormatName } from './formats';
export type { ConvertOptions, ConvertProgress } from './options';
export { mergeParts, type MergeOptions } from './merge-parts';
export type { Part } from './parts';
