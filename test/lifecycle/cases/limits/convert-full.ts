/**
 * A conversion whose outputs may not grow beyond the limit of the process. Arguments: the input, the output. Prints the
 * error.
 */
import { convert } from '../../../../lib/convert';
import { argument, say } from '../../../support/running/case';

async function main(): Promise<void> {
  try {
    await convert(argument(0), argument(1));
    say('no error');
  } catch (error) {
    const { code, file, message } = error as { code?: string; file?: string; message: string };
    say({ code, file, message });
  }
}

void main();
