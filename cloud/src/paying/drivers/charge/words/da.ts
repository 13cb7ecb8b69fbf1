import { translate } from '@hlid/protocol/base/texts';
import type { DRIVER_MAIL_EN } from './en.ts';

export const DRIVER_MAIL_DA = translate<typeof DRIVER_MAIL_EN>()({
  link: {
    subject: 'Log ind',
    text: `Hej

Log ind her for at betale automatisk for parkering:

{link}

Linket virker én gang og i 15 minutter. Hvis du ikke har bedt om det, kan du se bort fra denne mail.
`,
  },
  declined: {
    subject: 'Dit kort blev afvist',
    text: `Hej

Dit kort kunne ikke debiteres for {plate}. Der er ikke betalt noget, og kortet bruges ikke automatisk igen, før du tillader det.

Du kan betale her eller ved automaten på stedet:

{payAt}
`,
  },
  limit: {
    subject: 'Din grænse er nået',
    text: `Hej

Dit kort betalte ikke automatisk for {plate}: prisen er højere end den grænse, du har valgt. Der er ikke trukket noget.

Du kan betale her eller ved automaten på stedet:

{payAt}

Her kan du ændre dine grænser:

{page}
`,
  },
  doubt: {
    subject: 'Der blev ikke betalt automatisk',
    text: `Hej

Dit kort betalte ikke automatisk for {plate}, fordi vi ikke er sikre på nummerpladen eller tiden. Der er ikke trukket noget.

Hvis det er din bil, kan du betale her eller ved automaten på stedet:

{payAt}
`,
  },
  card: {
    subject: 'Der blev ikke betalt automatisk',
    text: `Hej

Dit kort kunne ikke bruges til {plate} denne gang. Der er ikke trukket noget.

Du kan betale her eller ved automaten på stedet:

{payAt}
`,
  },
  claimed: {
    subject: 'En anden vil tilføje din bil',
    text: `Hej

En anden har forsøgt at tilføje {plate} til sin konto. Intet er ændret: Bilen er stadig på din konto, og dit kort betaler for den.

Hvis du ikke længere bruger bilen, kan du fjerne den her. Ellers kan du se bort fra denne mail.

{page}
`,
  },
  moved: {
    subject: 'Automatisk betaling er slut',
    text: `Hej

En anden har bevist, at {plate} er vedkommendes bil. Dit kort betaler ikke længere for den bil.
`,
  },
  notRegistered: {
    text: `Hej

Bilregistret nævner dig ikke længere for {plate}. Dit kort betaler ikke længere for den bil.
`,
  },
  identityMoved: {
    subject: 'Elektronisk id er fjernet',
    text: `Hej

Dit elektroniske id er knyttet til en anden konto og hører ikke længere til denne. Var det ikke dig, så tilknyt det her igen. Ingen kan tilknytte det, uden at du godkender det på telefonen.
`,
  },
});
