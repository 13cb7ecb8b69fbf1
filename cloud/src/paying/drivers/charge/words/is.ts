import { translate } from '@hlid/protocol/base/texts';
import type { DRIVER_MAIL_EN } from './en.ts';

export const DRIVER_MAIL_IS = translate<typeof DRIVER_MAIL_EN>()({
  link: {
    subject: 'Innskráning',
    text: `Góðan dag.

Hér skráir þú þig inn til að greiða sjálfkrafa fyrir bílastæði:

{link}

Hlekkurinn gildir einu sinni og í 15 mínútur. Ef þú baðst ekki um hlekkinn þarftu ekkert að gera.
`,
  },
  declined: {
    subject: 'Kortinu var hafnað',
    text: `Góðan dag.

Ekki tókst að gjaldfæra kortið þitt fyrir {plate}. Ekkert var greitt, og kortið verður ekki notað sjálfkrafa á ný fyrr en þú leyfir það.

Þú getur greitt hér eða í greiðsluvélinni á staðnum:

{payAt}
`,
  },
  limit: {
    subject: 'Hámarki sjálfvirkrar greiðslu náð',
    text: `Góðan dag.

Kortið þitt greiddi ekki sjálfkrafa fyrir {plate}: gjaldið er hærra en hámarkið sem þú valdir. Ekkert var gjaldfært.

Þú getur greitt hér eða í greiðsluvélinni á staðnum:

{payAt}

Hér breytir þú hámarkinu:

{page}
`,
  },
  doubt: {
    subject: 'Sjálfvirk greiðsla fór ekki fram',
    text: `Góðan dag.

Kortið þitt greiddi ekki sjálfkrafa fyrir {plate}, því að við erum ekki viss um bílnúmerið eða tímann. Ekkert var gjaldfært.

Ef þetta er bíllinn þinn getur þú greitt hér eða í greiðsluvélinni á staðnum:

{payAt}
`,
  },
  card: {
    subject: 'Sjálfvirk greiðsla fór ekki fram',
    text: `Góðan dag.

Ekki var hægt að nota kortið þitt fyrir {plate} að þessu sinni. Ekkert var gjaldfært.

Þú getur greitt hér eða í greiðsluvélinni á staðnum:

{payAt}
`,
  },
  claimed: {
    subject: 'Annar ökumaður vill tengja bílinn þinn',
    text: `Góðan dag.

Annar ökumaður reyndi að tengja {plate} við sinn aðgang. Ekkert breyttist: bíllinn er áfram hjá þér og kortið þitt greiðir fyrir hann.

Ef þú ert ekki lengur með bílinn geturðu fjarlægt hann hér. Annars þarftu ekkert að gera.

{page}
`,
  },
  moved: {
    subject: 'Sjálfvirkri greiðslu lokið',
    text: `Góðan dag.

Annar ökumaður hefur sýnt fram á að {plate} sé á hans vegum. Kortið þitt greiðir ekki lengur fyrir það ökutæki.
`,
  },
  notRegistered: {
    text: `Góðan dag.

Ökutækjaskráin skráir {plate} ekki lengur á þig. Kortið þitt greiðir ekki lengur fyrir það ökutæki.
`,
  },
  identityMoved: {
    subject: 'Rafræn skilríki aftengd',
    text: `Góðan dag.

Rafrænu skilríkin þín voru tengd við annan aðgang og eru ekki lengur tengd við þennan. Ef það varst ekki þú skaltu tengja þau aftur hér. Enginn getur tengt þau án þess að þú samþykkir í símanum.
`,
  },
});
