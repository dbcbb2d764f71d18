import type { RecordParsing } from '../../example';
import { ElementFault } from '../core/element-fault';
import type { RecordForm } from '../core/records-column';
import { batchOf } from '../source/raw-form';

/** Records as what they are parsed to: one by one rows, many of them columns. */
export function parsedForm(parsing: RecordParsing): RecordForm {
  return {
    elements(records) {
      const { rows, value, error } = parsing.rows(batchOf(records));
      return {
        at(index) {
          if (index < rows || error === undefined) return value.at(index);
          throw error;
        },
      };
    },
    batch(records) {
      const { rows, value, error } = parsing.batch(batchOf(records));
      if (error !== undefined) throw new ElementFault(rows, error);
      return value;
    },
  };
}
