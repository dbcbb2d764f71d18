/** Converts: input, output, options. With a number behind them, the process is killed so many milliseconds later. */
import { argument, say } from '../../../support/running/case';
import { convert, type ConvertOptions } from '../../../../lib/convert';

const options = JSON.parse(argument(2)) as ConvertOptions;
const delay = process.argv[5];
if (delay !== undefined) setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(delay));

void convert(argument(0), argument(1), { ...options, resume: true }).then(say);
