'use strict';
const { createHash } = require('node:crypto');

/** Reads `file` in every way that the package offers. All must agree. */
exports.digest = async function digest(api, file) {
  const lanes = {
    records: async (add) => {
      for await (const record of api.readRecords(file)) add(record);
    },
    batches: async (add) => {
      const reader = await api.RecordReader.open(file);
      for await (const batch of reader.batches()) for (const record of batch) add(record);
    },
    sync: async (add) => {
      for (const record of api.readRecordsSync(file)) add(record);
    },
  };
  const results = [];
  for (const lane of Object.values(lanes)) {
    const hash = createHash('sha256');
    let records = 0;
    await lane((record) => {
      records += 1;
      hash.update(record);
    });
    results.push({ records, sha256: hash.digest('hex') });
  }
  const [first] = results;
  for (const result of results) {
    if (result.records !== first.records || result.sha256 !== first.sha256) throw new Error(JSON.stringify(results));
  }
  if ((await api.countRecords(file)) !== first.records) throw new Error('countRecords differs');
  return first;
};
