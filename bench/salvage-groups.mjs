// Groups of reading damaged files with onError 'salvage', beside the same files undamaged: see groups.mjs. The damage is in
// the stored bytes, so GZIP loses the rest of each damaged member; the rates are of the records that were read.

const WHOLE = 'ours, batches() of the undamaged file';
const SALVAGED = "ours, batches() with onError 'salvage', 50 injuries";

const salvaged = (id, title, file, damaged) => ({
  id,
  title,
  file,
  contenders: [
    { name: SALVAGED, kind: 'ours', trial: { work: 'batches', from: damaged, options: { onError: 'salvage' } } },
    { name: WHOLE, kind: 'ours', trial: { work: 'batches' } },
  ],
  goals: [{ ours: SALVAGED, other: WHOLE }],
});

export const SALVAGE_GROUPS = [
  salvaged('salvage', 'Salvaging small Examples, plain', 'examples.tfrecord', 'damaged.tfrecord'),
  salvaged(
    'salvage-gzip',
    'Salvaging small Examples, GZIP of our members',
    'examples.own-6.tfrecord.gz',
    'damaged.own-6.tfrecord.gz',
  ),
];
