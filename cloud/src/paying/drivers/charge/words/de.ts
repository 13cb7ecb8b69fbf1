import { translate } from '@hlid/protocol/base/texts';
import type { DRIVER_MAIL_EN } from './en.ts';

export const DRIVER_MAIL_DE = translate<typeof DRIVER_MAIL_EN>()({
  link: {
    subject: 'Anmelden',
    text: `Guten Tag,

hier melden Sie sich an, um automatisch für das Parken zu bezahlen:

{link}

Der Link gilt einmal und 15 Minuten lang. Wenn Sie ihn nicht angefordert haben, können Sie diese Mail ignorieren.
`,
  },
  declined: {
    subject: 'Ihre Karte wurde abgelehnt',
    text: `Guten Tag,

Ihre Karte konnte für {plate} nicht belastet werden. Es wurde nichts bezahlt, und die Karte wird erst wieder automatisch verwendet, wenn Sie es erlauben.

Sie können hier oder am Automaten vor Ort bezahlen:

{payAt}
`,
  },
  limit: {
    subject: 'Ihr Limit ist erreicht',
    text: `Guten Tag,

Ihre Karte hat für {plate} nicht automatisch bezahlt: Der Preis ist höher als das Limit, das Sie gewählt haben. Es wurde nichts belastet.

Sie können hier oder am Automaten vor Ort bezahlen:

{payAt}

Hier ändern Sie Ihre Limits:

{page}
`,
  },
  doubt: {
    subject: 'Keine automatische Zahlung',
    text: `Guten Tag,

Ihre Karte hat für {plate} nicht automatisch bezahlt, weil wir uns beim Kennzeichen oder bei der Zeit nicht sicher sind. Es wurde nichts belastet.

Wenn es Ihr Auto ist, können Sie hier oder am Automaten vor Ort bezahlen:

{payAt}
`,
  },
  card: {
    subject: 'Keine automatische Zahlung',
    text: `Guten Tag,

Ihre Karte konnte diesmal für {plate} nicht verwendet werden. Es wurde nichts belastet.

Sie können hier oder am Automaten vor Ort bezahlen:

{payAt}
`,
  },
  claimed: {
    subject: 'Jemand beansprucht Ihr Fahrzeug',
    text: `Guten Tag,

jemand anderes wollte {plate} seinem Konto hinzufügen. Es hat sich nichts geändert: Das Fahrzeug gehört hier weiterhin zu Ihnen, und Ihre Karte zahlt dafür.

Wenn Sie das Fahrzeug nicht mehr nutzen, können Sie es hier entfernen. Andernfalls müssen Sie nichts tun.

{page}
`,
  },
  moved: {
    subject: 'Automatische Zahlung beendet',
    text: `Guten Tag,

jemand anderes hat nachgewiesen, dass {plate} sein Fahrzeug ist. Ihre Karte zahlt nicht mehr für dieses Fahrzeug.
`,
  },
  notRegistered: {
    text: `Guten Tag,

das Fahrzeugregister nennt Sie nicht mehr für {plate}. Ihre Karte zahlt nicht mehr für dieses Fahrzeug.
`,
  },
  identityMoved: {
    subject: 'Elektronischer Ausweis getrennt',
    text: `Guten Tag,

Ihr elektronischer Ausweis wurde mit einem anderen Konto verbunden und gehört nicht mehr zu diesem. Waren Sie das nicht, verbinden Sie ihn hier wieder. Ohne Ihre Zustimmung auf dem Telefon kann ihn niemand verbinden.
`,
  },
});
