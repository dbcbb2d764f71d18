/** The types of `tfrecord-native/tfjs`. Nothing here runs: it compiles, and each `@ts-expect-error` is an error. */
import type { Tensor } from '@tensorflow/tfjs-core';
import type { LayersModel } from '@tensorflow/tfjs-layers';
import { expectTypeOf } from 'expect-type';
import { Dataset, fixedLen, ragged, varLen, type Batch, type DatasetState, type PaddedArray } from 'tfrecord-native';
import * as api from 'tfrecord-native/tfjs';
import { toTensors, toTfjsDataset, type TfjsDataset } from 'tfrecord-native/tfjs';

type Cjs = typeof import('tfrecord-native/tfjs', { with: { 'resolution-mode': 'require' } });
expectTypeOf<keyof typeof api>().toEqualTypeOf<keyof Cjs>();

const spec = {
  image: fixedLen([28, 28, 1], 'float32'),
  label: fixedLen([], 'int64'),
  tags: varLen('bytes'),
  rows: ragged({ dtype: 'float32' }),
};
declare const batch: Batch<typeof spec>;

// ---- tensors -------------------------------------------------------------------------------------------------------
expectTypeOf(toTensors(batch)).toEqualTypeOf<{ image: Tensor; label: Tensor; tags: Tensor; rows: Tensor }>();
expectTypeOf(toTensors(batch.label)).toEqualTypeOf<Tensor>();
expectTypeOf(toTensors([1, 2])).toEqualTypeOf<Tensor>();
expectTypeOf(toTensors([{ a: 1, b: { c: new Uint8Array(2), d: [1n] } }])).toEqualTypeOf<{
  a: Tensor;
  b: { c: Tensor; d: Tensor };
}>();
declare const padded: {
  values: { ids: PaddedArray<Int32Array>; text: string[][] };
  lengths: Record<string, Int32Array>;
};
expectTypeOf(toTensors(padded)).toEqualTypeOf<{
  values: { ids: Tensor; text: Tensor };
  lengths: Record<string, Tensor>;
}>();
expectTypeOf(toTensors([new Float32Array(1), new Float32Array(1)])).toEqualTypeOf<Tensor>();
toTensors(batch, { dtypes: { label: 'float32' }, defaults: '' });
toTensors(batch, { defaults: { tags: '', rows: 0 } });
// @ts-expect-error -- tfjs has no int64
toTensors(batch, { dtypes: { label: 'int64' } });
// @ts-expect-error -- no value
toTensors(batch, { defaults: { tags: {} } });
// @ts-expect-error -- no option
toTensors(batch, { dtype: 'float32' });

// ---- datasets ------------------------------------------------------------------------------------------------------
const dataset = Dataset.tfrecord('a').parse(spec).batch(8);
expectTypeOf(toTfjsDataset(dataset, { xs: 'image', ys: 'label' })).toEqualTypeOf<
  TfjsDataset<{ xs: Tensor; ys: Tensor }>
>();
expectTypeOf(toTfjsDataset(dataset, { xs: ['image', 'rows'], ys: { out: 'label' } })).toEqualTypeOf<
  TfjsDataset<{ xs: Tensor[]; ys: { out: Tensor } }>
>();
const computed = toTfjsDataset(dataset, ({ image, label }) => ({ xs: [image], ys: label }), { epoch: 1 });
expectTypeOf(computed).toEqualTypeOf<TfjsDataset<{ xs: Tensor[]; ys: Tensor }>>();
expectTypeOf(computed.state()).toEqualTypeOf<DatasetState>();
expectTypeOf(computed.stop()).toEqualTypeOf<Promise<void>>();
const labeled = Dataset.examples('a', spec, { batch: 8, label: 'label' });
expectTypeOf(toTfjsDataset(labeled, ([{ image, tags }, label]) => ({ xs: [image, tags], ys: label }))).toEqualTypeOf<
  TfjsDataset<{ xs: Tensor[]; ys: Tensor }>
>();
// @ts-expect-error -- the label is no feature
toTfjsDataset(labeled, ([features]) => ({ xs: features.image, ys: features.label }));
declare const model: LayersModel;
void model.fitDataset(computed, { epochs: 2 });
void model.evaluateDataset(toTfjsDataset(dataset, { xs: 'image', ys: 'label' }), {});
await using disposable = computed;
void disposable;
void toTfjsDataset(dataset, { xs: 'image', ys: 'label' }, { signal: AbortSignal.abort(), dtypes: { label: 'int32' } });
// @ts-expect-error -- no targets
toTfjsDataset(dataset, { xs: 'image' });
// @ts-expect-error -- no batch has these
toTfjsDataset(dataset, ({ images }) => ({ xs: images }));
// @ts-expect-error -- a promise is no tensor
toTfjsDataset(dataset, async ({ image }) => ({ xs: image }));
// @ts-expect-error -- no dataset
toTfjsDataset([batch], { xs: 'image', ys: 'label' });
