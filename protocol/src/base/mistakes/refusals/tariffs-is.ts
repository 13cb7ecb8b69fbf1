import { WEEKDAYS_IS } from '../../weekdays/is.ts';
import { weekdayName } from '../../weekdays/weekday-name.ts';
import { translateRefusals } from '../refusal-file.ts';
import type { TARIFFS_EN } from './tariffs-en.ts';

export const TARIFFS_IS = translateRefusals<typeof TARIFFS_EN>()({
  'class-never-counts': 'Flokkur á undan nær yfir öll þessi ökutæki. Þessi gildir aldrei.',
  'free-again-per-plate': 'Frítími endurtekur sig aðeins þegar hann er talinn á bílnúmer (plate-24h).',
  'no-holidays': 'Tímabil vísar í frídaga en engir eru skráðir.',
  'no-prices': 'Ekkert verð er skráð. Bættu við tímagjaldi eða daggjaldi.',
  'band-always-open': 'Þetta tímabil er alltaf opið. Þau sem á eftir koma gilda aldrei.',
  'band-never-reached': 'Tímabil á undan ná yfir allan þennan tíma. Þetta gildir aldrei.',
  'flat-rate-endless': 'Fasta gjaldið hefur engan endi. Stilltu útkeyrslutíma eða hámarkslengd.',
  'day-one-first': 'Fyrsta verðið þarf að gilda frá degi 1.',
  'days-not-ascending': 'Hvert verð þarf að gilda frá seinni degi en það á undan.',
  'no-hours-priced': 'Ekkert tímagjald er skráð. Veldu heilan dag eða ókeypis.',
  'flat-rate-twice': 'Annað fast gjald á undan er fyrir sama tíma.',
  'week-cap-without-day': 'Vikuhámark þarf daggjald. Bættu við daggjaldi.',
  'calendar-week': 'Almanaksvika þarf almanaksdaga. Veldu þá tegund daggjalds.',
  'pro-rata-without-length': 'Hlutfallslegt gjald þarf lengd. Sláðu inn mínútur.',
  'up-to-first': 'Þrep af gerðinni „allt að“ eiga að vera fremst.',
  'longer-costs-less': 'Lengri dvöl myndi kosta minna en styttri.',
  'step-endless': 'Þetta þrep endar aldrei. Þau sem á eftir koma gilda aldrei.',
  'longer-stays-unpriced':
    'Lengri dvöl er óverðlögð. Slepptu mínútum í síðasta þrepinu, eða bættu við daggjaldi.',
  'day-twice': 'Sami dagur kemur fyrir tvisvar.',
  'year-in-both': 'Ártal þarf að vera í báðum dagsetningunum, eða hvorugri.',
  'before-from': 'Þetta er á undan upphafsdeginum.',
  'grace-within-free': 'Fyrstu {minutes} mínúturnar eru þegar ókeypis. Slepptu öðru hvoru.',
  'windows-too-far': 'Dvöl á milli tímabilanna er lengri en {minutes} mínútur.',
  'less-than-week': 'Þetta er lægra en vikuhámarkið ({weekMinor}), sem gilti þá aldrei.',
  'less-than-day': 'Þetta er lægra en daggjaldið ({dayMinor}), sem gilti þá aldrei.',
  'more-than-day': 'Þetta er hærra en daggjaldið ({dayMinor}) og gildir því aldrei.',
  'step-not-longer': 'Þetta þarf að vera lengra en þrepið á undan ({minutes} mínútur).',
  'windows-overlap': ({ first, weekday, from, to }) =>
    `Gjaldtímabil ${first} er líka opið (${dayOf(weekday)} ${from}–${to}) og gildir þá.`,
  'windows-gap': ({ weekday, from, to, more }) =>
    `Ekkert tímabil er opið (${dayOf(weekday)} ${from}–${to}), svo þá er ókeypis.${more > 0 ? ` Sama á við um ${more} tímabil vikunnar til viðbótar.` : ''}`,
  'night-of-other-day': ({ weekday, to, before }) =>
    `Ekki er opið (${dayOf(weekday)} 00:00–${to}). Sú nótt byrjar daginn áður (${dayOf(before)}), sem er ekki með.`,
  'cap-below-step': 'Þetta er lægra en eitt þrep ({stepMinor}), sem gilti þá aldrei.',
  'flat-rate-never-cheaper': 'Þetta er ekki lægra en daggjaldið ({dayMinor}) og gildir því aldrei.',
});

function dayOf(weekday: number): string {
  return weekdayName(WEEKDAYS_IS.long, weekday);
}
