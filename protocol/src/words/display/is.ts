import { STATUS_IS } from '../../base/status-words/is.ts';
import { translate } from '../../base/texts.ts';
import type { DISPLAY_EN } from './en.ts';

export const DISPLAY_IS = translate<typeof DISPLAY_EN>()({
  instruction: {
    wait: 'Augnablik',
    'drive-on': 'Aktu áfram',
    'pay-at-kiosk': 'Vinsamlegast greiddu í greiðsluvélinni',
    'pay-online': 'Vinsamlegast greiddu með símanum, eða hringdu eftir aðstoð',
    'call-for-help': 'Vinsamlegast hringdu eftir aðstoð',
    'turn-round': 'Vinsamlegast snúðu við',
  },
  waitForHelp: 'Vinsamlegast bíddu hér. Við höfum beðið starfsfólk um aðstoð',
  question: 'Er þetta bíllinn þinn? Ef ekki, láttu vita í greiðsluvélinni.',
  reason: {
    'need-plate': 'Ekki tókst að lesa númerið',
    blocklisted: 'Vinsamlegast hringdu eftir aðstoð',
    permit: 'Velkomin',
    'permits-only': 'Aðeins fyrir leyfishafa',
    full: 'Bílastæðið er fullt',
    welcome: 'Velkomin',
    'no-visit': 'Góða ferð',
    'ambiguous-visit': 'Góða ferð',
    whitelisted: 'Góða ferð',
    quota: 'Tekið af fyrirframgreiddum dögum. Góða ferð',
    'nothing-due': 'Ekkert að greiða. Góða ferð',
    paid: 'Greitt. Góða ferð',
    'company-invoice': 'Fyrirtækið greiðir. Góða ferð',
    'owner-invoice': 'Við sendum reikning. Góða ferð',
    'need-payment': STATUS_IS.visit['need-payment'],
    'stay-uncertain': 'Góða ferð',
    'visit-ended': 'Góða ferð',
    'late-exit': 'Góða ferð',
    'left-unpaid': 'Greiðið eftir á. Góða ferð',
    'not-mine': 'Góða ferð',
    'closed-by-operator': 'Lokað í bili. Vinsamlegast hringdu eftir aðstoð',
    'unread-vehicle': 'Góða ferð',
  },
});
