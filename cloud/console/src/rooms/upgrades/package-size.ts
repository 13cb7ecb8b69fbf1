import { NUMBER_LOCALES } from '@hlid/protocol/base/language';
import { LANGUAGE } from '../../words/words.ts';

const MEGABYTE = 1_000_000;
const FORMAT = new Intl.NumberFormat(NUMBER_LOCALES[LANGUAGE], { maximumFractionDigits: 1 });

/** `41.3 MB`; of what is smaller than a tenth of that, as much as can be read. */
export function sizeText(bytes: number): string {
  return bytes < MEGABYTE / 10
    ? `${FORMAT.format(bytes / 1000)} kB`
    : `${FORMAT.format(bytes / MEGABYTE)} MB`;
}
