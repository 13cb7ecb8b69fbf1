import { translateRefusals } from '../refusal-file.ts';
import type { INPUT_EN } from './input-en.ts';

export const INPUT_IS = translateRefusals<typeof INPUT_EN>()({
  required: 'Þetta vantar.',
  'wrong-type': ({ expected }) => `Hér á að vera ${KINDS[expected] ?? expected}.`,
  empty: 'Þetta má ekki vera tómt.',
  'too-short': 'Lágmark {minimum} stafir.',
  'too-long': 'Hámark {maximum} stafir.',
  'too-few': 'Fjöldi færslna þarf að vera að minnsta kosti {minimum}.',
  'too-many': 'Fjöldi færslna má mest vera {maximum}.',
  'too-small': 'Talan má ekki vera lægri en {minimum}.',
  'too-big': 'Talan má ekki vera hærri en {maximum}.',
  'not-above': 'Talan þarf að vera hærri en {limit}.',
  'not-below': 'Talan þarf að vera lægri en {limit}.',
  'not-multiple': 'Talan þarf að vera margfeldi af {divisor}.',
  'wrong-format': ({ format }) => FORMATS[format] ?? 'Gildið er ekki á réttu sniði.',
  'not-one-of': ({ values, more }) =>
    values.length === 1
      ? `Gildið þarf að vera ${values[0]}.`
      : `Veldu eitt af þessu: ${values.join(', ')}${more > 0 ? ' …' : '.'}`,
  'unknown-fields': ({ names, more }) => {
    const named = names.map((name) => `„${name}“`).join(', ');
    return `Svæðið ${named} er ekki til${more > 0 ? ` (og ${more} til viðbótar)` : ''}.`;
  },
  'no-such-form': 'Gildið er ekki á neinu leyfðu sniði.',
  'none-of': ({ forms }, say) =>
    forms
      .map((form, at) => (at === 0 ? say(form) : lowered(say(form))))
      .map((text) => text.replace(/\.$/, ''))
      .join(', eða '),
  'wrong-name-within': 'Hér er heiti sem er ekki leyft.',
  'wrong-entry-within': 'Hér er færsla sem er ekki leyfð.',
  wrong: 'Gildið er ekki gilt.',
  'more-mistakes': 'Villurnar eru fleiri.',
  'in-words': ({ text }) => text,
  'time-zone': 'Tímabeltið er ekki gilt. Dæmi: Atlantic/Reykjavik.',
  'currency-form': 'Gjaldmiðill er þrír hástafir, til dæmis ISK.',
  'card-number-within': 'Hér má ekki vera kortanúmer.',
  'language-form': 'Tungumál er skrifað með tveimur stöfum, til dæmis is eða en.',
  'calendar-day-form': 'Dagsetningin er ekki gild. Dæmi: 2026-12-24, eða 12-24 fyrir hvert ár.',
  'local-day-form': 'Dagsetningin er ekki gild. Dæmi: 2026-12-24.',
  'no-such-day': 'Þessi dagur er ekki til.',
  'no-weekday': 'Veldu að minnsta kosti einn vikudag.',
  'weekday-twice': 'Hver vikudagur má aðeins koma fyrir einu sinni.',
  'lane-twice': 'Sama akreinin kemur fyrir tvisvar.',
  'subject-needed': 'Veldu hvers konar færslu auðkennið á við.',
  'email-or-ssn': 'Sláðu inn annaðhvort netfang eða kennitölu.',
  'not-beside-expire-time': 'Þetta á ekki við þegar hámarkstími er stilltur.',
  'site-of-kiosks': 'Aðeins lyklar fyrir greiðslustöðvar hafa stað.',
  'options-of-whitelists': 'Aðeins lyklar fyrir leyfi hafa þessar stillingar.',
  'no-cursor': 'Síðuvísirinn er ekki gildur. Opnaðu listann aftur.',
  'year-out-of-range': 'Ártalið er ekki gilt.',
  'no-ssn': 'Kennitalan er ekki gild.',
  'plate-form': 'Sláðu inn bókstafi eða tölustafi bílnúmersins.',
  'account-or-new-account': 'Veldu aðgang, eða fylltu út nýjan með hlutverki og stöðu.',
  'no-line-breaks': 'Hér mega ekki vera línuskil.',
  'common-password': 'Þetta lykilorð er of algengt. Veldu annað.',
  'four-digits': 'Sláðu inn fjóra tölustafi.',
  'no-ip-address': 'IP-talan er ekki gild.',
  'base64url-form': 'Gildið er ekki á réttu sniði (base64url).',
  'logo-form': 'Merkið á að vera mynd, til dæmis data:image/png;base64,….',
  'electronic-address-form': 'fjögurra tölustafa kóði og auðkenni, t.d. 0196:5501012340',
  'country-form': 'Land er skrifað með tveimur hástöfum.',
  'weekday-form': 'Vikudagur er tala frá 1 (mánudagur) til 7 (sunnudagur).',
  'time-of-day-form': 'Tíminn er ekki gildur. Dæmi: 08:30.',
  'phone-form': 'Símanúmerið er ekki gilt. Dæmi: 5551234 eða +354 555 1234.',
});

function lowered(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'texti',
  number: 'tala',
  int: 'heil tala',
  boolean: 'satt eða ósatt',
  array: 'listi',
  object: 'hlutur',
  record: 'hlutur',
  null: 'ekkert',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'Netfangið er ekki gilt.',
  url: 'Vefslóðin er ekki gild.',
  date: 'Dagsetningin er ekki gild. Dæmi: 2026-11-21.',
  datetime: 'Tíminn er ekki gildur. Dæmi: 2026-11-21T08:30:00.000Z.',
  uuid: 'Auðkennið er ekki gilt UUID.',
  json_string: 'Þetta er ekki gilt JSON.',
};
