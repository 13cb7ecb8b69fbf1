import { inSentence } from '@hlid/protocol/base/in-sentence';
import { NUMBER_LOCALES } from '@hlid/protocol/base/language';
import { useLanes } from '../../shell/lanes.ts';
import { useSiteNames, useSites, useTimeZones } from '../../shell/site.ts';
import { moneyText } from '../../ui/money.tsx';
import { wallText } from '../../ui/time.tsx';
import { CODES, STATUS } from '../../words/codes.ts';
import { COMMON } from '../../words/common.ts';
import { LANGUAGE, roomWords } from '../../words/words.ts';
import type { FieldWords } from './audit-changes.ts';

/** The names that people use for the fields of the API. A field without a name here is not shown to them. */
const FIELD_WORDS: Readonly<Record<string, string>> = roomWords('audit').fieldWords;
/** The names that people use for the codes in these fields, besides states. */
const CODE_WORDS: Readonly<Record<string, string>> = roomWords('audit').codeWords;

const TEXT_OF_CODE: Readonly<Record<string, string>> = {
  ...CODES.flag,
  ...CODES.decision,
  ...CODES.gateReason,
  ...statesOf(STATUS.gateMode),
  ...statesOf(STATUS.payment),
  ...statesOf(STATUS.invoice),
  ...statesOf(STATUS.settlement),
  ...statesOf(STATUS.visit),
  ...CODE_WORDS,
};

/** Codes that mean something else in other fields. */
const CODES_OF_FIELD: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  remoteStatus: statesOf(STATUS.accounting),
  publishStatus: statesOf(STATUS.accounting),
};

function statesOf(words: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(words).map(([code, text]) => [code, inSentence(text)]));
}

/** How people call what stands in the lines of a site. */
export function useFieldWords(): (siteId: string | null) => FieldWords {
  const zoneOf = useTimeZones();
  const siteName = useSiteNames();
  const lanes = useLanes(useSites().map(({ id }) => id));
  return (siteId) => ({
    fieldName: (field) => FIELD_WORDS[field],
    codeText: (code, field) => CODES_OF_FIELD[field]?.[code] ?? TEXT_OF_CODE[code] ?? code,
    moneyText: (amountMinor, currency) => moneyText({ amountMinor, currency }),
    numberText: (value) => new Intl.NumberFormat(NUMBER_LOCALES[LANGUAGE]).format(value),
    momentText: (at) => wallText(at, zoneOf(siteId ?? '')),
    siteName,
    laneName: (id) => lanes.get(siteId ?? '')?.find((lane) => lane.id === id)?.name ?? id,
    yes: COMMON.yes,
    no: COMMON.no,
    changed: COMMON.changed,
  });
}
