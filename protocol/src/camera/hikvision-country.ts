import { countryCode } from './country-code.ts';

/**
 * The maker's country index from 1 on, as its SDK counts them (`COUNTRY_INDEX`). Of these, 19, 30, 59 and 64 were seen
 * in captured documents.
 */
const BY_INDEX =
  'CZ FR DE ES IT NL PL SK BY MD RU UA BE BG DK FI GB GR HR HU IL LU MK NO PT RO RS AZ GE KZ LT TM UZ LV EE AL AT BA IE IS VA MT SE CH CY TR SI ME XK AD AM MC LI SM'.split(
    ' ',
  );
/** The codes from China on; the numbers between are kept free. */
const ASIA = 'CN BH KR LB NP TH PK AE BT OM KP PH KH QA KG MV MY MN SA BN LA JP'.split(' ');
const FIRST_OF_ASIA = 59;

/** ISO 3166 alpha-2 of a camera's value: an index, in old firmware a code or an English name. */
export function hikvisionCountry(given: string | null | undefined): string | null {
  const text = given?.trim() ?? '';
  if (!/^\d+$/.test(text)) return countryCode(text);
  const index = Number(text);
  return BY_INDEX[index - 1] ?? ASIA[index - FIRST_OF_ASIA] ?? null;
}
