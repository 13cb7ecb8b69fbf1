import type { Language } from '@hlid/protocol/base/language';

interface Words {
  link: { subject: string; text: (link: string) => string };
  declined: { subject: string; text: (plate: string, payAt: string) => string };
  /** The stay costs more than the driver allows. */
  limit: { subject: string; text: (plate: string, payAt: string, page: string) => string };
  /** Plate or price is not certain. */
  doubt: { subject: string; text: (plate: string, payAt: string) => string };
  /** The card could not be used, though the bank did not decline it. */
  card: { subject: string; text: (plate: string, payAt: string) => string };
  /** Another driver claims the vehicle, and does not get it. */
  claimed: { subject: string; text: (plate: string, page: string) => string };
  moved: { subject: string; text: (plate: string) => string };
  /** The register of vehicles names another person now; with the subject of `moved`. */
  notRegistered: { text: (plate: string) => string };
  /** The electronic identity is connected with another account. */
  identityMoved: { subject: string; text: string };
}

/** What the mails to drivers say. */
export const DRIVER_MAIL_WORDS: Record<Language, Words> = {
  is: {
    link: {
      subject: 'Innskráning',
      text: (link) => `Góðan dag.

Hér skráir þú þig inn til að greiða sjálfkrafa fyrir bílastæði:

${link}

Hlekkurinn gildir einu sinni og í 15 mínútur. Ef þú baðst ekki um hlekkinn þarftu ekkert að gera.
`,
    },
    declined: {
      subject: 'Kortinu var hafnað',
      text: (plate, payAt) => `Góðan dag.

Ekki tókst að gjaldfæra kortið þitt fyrir ${plate}. Ekkert var greitt, og kortið verður ekki notað sjálfkrafa á ný fyrr en þú leyfir það.

Þú getur greitt hér eða í greiðsluvélinni á staðnum:

${payAt}
`,
    },
    limit: {
      subject: 'Hámarki sjálfvirkrar greiðslu náð',
      text: (plate, payAt, page) => `Góðan dag.

Kortið þitt greiddi ekki sjálfkrafa fyrir ${plate}: gjaldið er hærra en hámarkið sem þú valdir. Ekkert var gjaldfært.

Þú getur greitt hér eða í greiðsluvélinni á staðnum:

${payAt}

Hér breytir þú hámarkinu:

${page}
`,
    },
    doubt: {
      subject: 'Sjálfvirk greiðsla fór ekki fram',
      text: (plate, payAt) => `Góðan dag.

Kortið þitt greiddi ekki sjálfkrafa fyrir ${plate}, því að við erum ekki viss um bílnúmerið eða tímann. Ekkert var gjaldfært.

Ef þetta er bíllinn þinn getur þú greitt hér eða í greiðsluvélinni á staðnum:

${payAt}
`,
    },
    card: {
      subject: 'Sjálfvirk greiðsla fór ekki fram',
      text: (plate, payAt) => `Góðan dag.

Ekki var hægt að nota kortið þitt fyrir ${plate} að þessu sinni. Ekkert var gjaldfært.

Þú getur greitt hér eða í greiðsluvélinni á staðnum:

${payAt}
`,
    },
    claimed: {
      subject: 'Annar ökumaður vill tengja bílinn þinn',
      text: (plate, page) => `Góðan dag.

Annar ökumaður reyndi að tengja ${plate} við sinn aðgang. Ekkert breyttist: bíllinn er áfram hjá þér og kortið þitt greiðir fyrir hann.

Ef þú ert ekki lengur með bílinn geturðu fjarlægt hann hér. Annars þarftu ekkert að gera.

${page}
`,
    },
    moved: {
      subject: 'Sjálfvirkri greiðslu lokið',
      text: (plate) => `Góðan dag.

Annar ökumaður hefur sýnt fram á að ${plate} sé á hans vegum. Kortið þitt greiðir ekki lengur fyrir það ökutæki.
`,
    },
    notRegistered: {
      text: (plate) => `Góðan dag.

Ökutækjaskráin skráir ${plate} ekki lengur á þig. Kortið þitt greiðir ekki lengur fyrir það ökutæki.
`,
    },
    identityMoved: {
      subject: 'Rafræn skilríki aftengd',
      text: `Góðan dag.

Rafrænu skilríkin þín voru tengd við annan aðgang og eru ekki lengur tengd við þennan. Ef það varst ekki þú skaltu tengja þau aftur hér. Enginn getur tengt þau án þess að þú samþykkir í símanum.
`,
    },
  },
  en: {
    link: {
      subject: 'Log in',
      text: (link) => `Hello,

Log in here to pay for parking automatically:

${link}

The link works once, and for 15 minutes. If you did not ask for this, you can ignore this mail.
`,
    },
    declined: {
      subject: 'Your card was declined',
      text: (plate, payAt) => `Hello,

Your card could not be charged for ${plate}. Nothing was paid, and the card is not used automatically again until you allow it.

You can pay here, or at the machine on site:

${payAt}
`,
    },
    limit: {
      subject: 'Your limit was reached',
      text: (plate, payAt, page) => `Hello,

Your card did not pay automatically for ${plate}: the price is higher than the limit you set. Nothing was charged.

You can pay here, or at the machine on site:

${payAt}

Change your limits here:

${page}
`,
    },
    doubt: {
      subject: 'Automatic payment was not made',
      text: (plate, payAt) => `Hello,

Your card did not pay automatically for ${plate}, because we are not sure about the number plate or the time. Nothing was charged.

If this is your car, you can pay here, or at the machine on site:

${payAt}
`,
    },
    card: {
      subject: 'Automatic payment was not made',
      text: (plate, payAt) => `Hello,

Your card could not be used for ${plate} this time. Nothing was charged.

You can pay here, or at the machine on site:

${payAt}
`,
    },
    claimed: {
      subject: 'Another driver claims your vehicle',
      text: (plate, page) => `Hello,

Another driver tried to add ${plate} to their account. Nothing has changed: the vehicle is still yours here, and your card pays for it.

If you no longer use the vehicle, you can remove it here. Otherwise you can ignore this mail.

${page}
`,
    },
    moved: {
      subject: 'Automatic payment has ended',
      text: (plate) => `Hello,

Another driver has proved that ${plate} is theirs. Your card no longer pays for that vehicle.
`,
    },
    notRegistered: {
      text: (plate) => `Hello,

The register of vehicles no longer names you for ${plate}. Your card no longer pays for that vehicle.
`,
    },
    identityMoved: {
      subject: 'Electronic ID disconnected',
      text: `Hello,

Your electronic ID was connected to another account, and no longer belongs to this one. If that was not you, connect it here again. Nobody can connect it unless you approve it on your phone.
`,
    },
  },
  pl: {
    link: {
      subject: 'Logowanie',
      text: (link) => `Dzień dobry,

tutaj można się zalogować, aby automatycznie płacić za parking:

${link}

Link działa jeden raz i przez 15 minut. Jeśli to nie Twoja prośba, możesz zignorować tę wiadomość.
`,
    },
    declined: {
      subject: 'Karta została odrzucona',
      text: (plate, payAt) => `Dzień dobry,

nie udało się obciążyć karty za ${plate}. Nic nie zostało zapłacone, a karta nie będzie używana automatycznie, dopóki na to nie pozwolisz.

Zapłacić można tutaj albo w automacie na miejscu:

${payAt}
`,
    },
    limit: {
      subject: 'Osiągnięto limit płatności',
      text: (plate, payAt, page) => `Dzień dobry,

karta nie zapłaciła automatycznie za ${plate}: opłata jest wyższa niż ustawiony limit. Nic nie zostało pobrane.

Zapłacić można tutaj albo w automacie na miejscu:

${payAt}

Tutaj można zmienić limity:

${page}
`,
    },
    doubt: {
      subject: 'Płatność automatyczna nie została wykonana',
      text: (plate, payAt) => `Dzień dobry,

karta nie zapłaciła automatycznie za ${plate}, ponieważ nie mamy pewności co do numeru rejestracyjnego lub czasu. Nic nie zostało pobrane.

Jeśli to Twój samochód, zapłacić można tutaj albo w automacie na miejscu:

${payAt}
`,
    },
    card: {
      subject: 'Płatność automatyczna nie została wykonana',
      text: (plate, payAt) => `Dzień dobry,

tym razem nie można było użyć karty za ${plate}. Nic nie zostało pobrane.

Zapłacić można tutaj albo w automacie na miejscu:

${payAt}
`,
    },
    claimed: {
      subject: 'Inny kierowca zgłasza Twój pojazd',
      text: (plate, page) => `Dzień dobry,

inny kierowca próbował dodać ${plate} do swojego konta. Nic się nie zmieniło: pojazd nadal jest przypisany do Ciebie i Twoja karta za niego płaci.

Jeśli nie używasz już tego pojazdu, możesz go tutaj usunąć. W przeciwnym razie zignoruj tę wiadomość.

${page}
`,
    },
    moved: {
      subject: 'Koniec automatycznych płatności',
      text: (plate) => `Dzień dobry,

inny kierowca potwierdził, że ${plate} to jego pojazd. Twoja karta nie płaci już za ten pojazd.
`,
    },
    notRegistered: {
      text: (plate) => `Dzień dobry,

w rejestrze pojazdów nie widnieje już Pan/Pani przy pojeździe ${plate}. Karta nie płaci już za ten pojazd.
`,
    },
    identityMoved: {
      subject: 'Elektroniczny dowód odłączony',
      text: `Dzień dobry,

Twój elektroniczny dowód połączono z innym kontem i nie należy już do tego konta. Jeśli to nie Ty, połącz go tutaj ponownie. Bez Twojej zgody w telefonie nikt nie może go połączyć.
`,
    },
  },
  de: {
    link: {
      subject: 'Anmelden',
      text: (link) => `Guten Tag,

hier melden Sie sich an, um automatisch für das Parken zu bezahlen:

${link}

Der Link gilt einmal und 15 Minuten lang. Wenn Sie ihn nicht angefordert haben, können Sie diese Mail ignorieren.
`,
    },
    declined: {
      subject: 'Ihre Karte wurde abgelehnt',
      text: (plate, payAt) => `Guten Tag,

Ihre Karte konnte für ${plate} nicht belastet werden. Es wurde nichts bezahlt, und die Karte wird erst wieder automatisch verwendet, wenn Sie es erlauben.

Sie können hier oder am Automaten vor Ort bezahlen:

${payAt}
`,
    },
    limit: {
      subject: 'Ihr Limit ist erreicht',
      text: (plate, payAt, page) => `Guten Tag,

Ihre Karte hat für ${plate} nicht automatisch bezahlt: Der Preis ist höher als das Limit, das Sie gewählt haben. Es wurde nichts belastet.

Sie können hier oder am Automaten vor Ort bezahlen:

${payAt}

Hier ändern Sie Ihre Limits:

${page}
`,
    },
    doubt: {
      subject: 'Keine automatische Zahlung',
      text: (plate, payAt) => `Guten Tag,

Ihre Karte hat für ${plate} nicht automatisch bezahlt, weil wir uns beim Kennzeichen oder bei der Zeit nicht sicher sind. Es wurde nichts belastet.

Wenn es Ihr Auto ist, können Sie hier oder am Automaten vor Ort bezahlen:

${payAt}
`,
    },
    card: {
      subject: 'Keine automatische Zahlung',
      text: (plate, payAt) => `Guten Tag,

Ihre Karte konnte diesmal für ${plate} nicht verwendet werden. Es wurde nichts belastet.

Sie können hier oder am Automaten vor Ort bezahlen:

${payAt}
`,
    },
    claimed: {
      subject: 'Jemand beansprucht Ihr Fahrzeug',
      text: (plate, page) => `Guten Tag,

jemand anderes wollte ${plate} seinem Konto hinzufügen. Es hat sich nichts geändert: Das Fahrzeug gehört hier weiterhin zu Ihnen, und Ihre Karte zahlt dafür.

Wenn Sie das Fahrzeug nicht mehr nutzen, können Sie es hier entfernen. Andernfalls müssen Sie nichts tun.

${page}
`,
    },
    moved: {
      subject: 'Automatische Zahlung beendet',
      text: (plate) => `Guten Tag,

jemand anderes hat nachgewiesen, dass ${plate} sein Fahrzeug ist. Ihre Karte zahlt nicht mehr für dieses Fahrzeug.
`,
    },
    notRegistered: {
      text: (plate) => `Guten Tag,

das Fahrzeugregister nennt Sie nicht mehr für ${plate}. Ihre Karte zahlt nicht mehr für dieses Fahrzeug.
`,
    },
    identityMoved: {
      subject: 'Elektronischer Ausweis getrennt',
      text: `Guten Tag,

Ihr elektronischer Ausweis wurde mit einem anderen Konto verbunden und gehört nicht mehr zu diesem. Waren Sie das nicht, verbinden Sie ihn hier wieder. Ohne Ihre Zustimmung auf dem Telefon kann ihn niemand verbinden.
`,
    },
  },
  fr: {
    link: {
      subject: 'Connexion',
      text: (link) => `Bonjour,

Connectez-vous ici pour payer le stationnement automatiquement :

${link}

Le lien est valable une seule fois, pendant 15 minutes. Si vous ne l’avez pas demandé, vous pouvez ignorer ce message.
`,
    },
    declined: {
      subject: 'Votre carte a été refusée',
      text: (plate, payAt) => `Bonjour,

Votre carte n’a pas pu être débitée pour ${plate}. Rien n’a été payé, et la carte ne sera plus utilisée automatiquement sans votre accord.

Vous pouvez payer ici ou à la borne sur place :

${payAt}
`,
    },
    limit: {
      subject: 'Votre plafond est atteint',
      text: (plate, payAt, page) => `Bonjour,

Votre carte n’a pas payé automatiquement pour ${plate} : le prix dépasse le plafond que vous avez choisi. Rien n’a été débité.

Vous pouvez payer ici ou à la borne sur place :

${payAt}

Modifiez vos plafonds ici :

${page}
`,
    },
    doubt: {
      subject: 'Le paiement automatique n’a pas eu lieu',
      text: (plate, payAt) => `Bonjour,

Votre carte n’a pas payé automatiquement pour ${plate}, car nous ne sommes pas sûrs de l’immatriculation ou de l’heure. Rien n’a été débité.

Si c’est votre voiture, vous pouvez payer ici ou à la borne sur place :

${payAt}
`,
    },
    card: {
      subject: 'Le paiement automatique n’a pas eu lieu',
      text: (plate, payAt) => `Bonjour,

Votre carte n’a pas pu être utilisée cette fois pour ${plate}. Rien n’a été débité.

Vous pouvez payer ici ou à la borne sur place :

${payAt}
`,
    },
    claimed: {
      subject: 'Une autre personne réclame votre véhicule',
      text: (plate, page) => `Bonjour,

Une autre personne a essayé d’ajouter ${plate} à son compte. Rien n’a changé : le véhicule reste sur votre compte et votre carte paie pour lui.

Si vous n’utilisez plus ce véhicule, vous pouvez le supprimer ici. Sinon, vous pouvez ignorer ce message.

${page}
`,
    },
    moved: {
      subject: 'Fin du paiement automatique',
      text: (plate) => `Bonjour,

Une autre personne a prouvé que ${plate} est son véhicule. Votre carte ne paie plus pour ce véhicule.
`,
    },
    notRegistered: {
      text: (plate) => `Bonjour,

Le registre des véhicules ne vous mentionne plus pour ${plate}. Votre carte ne paie plus pour ce véhicule.
`,
    },
    identityMoved: {
      subject: 'Identité électronique dissociée',
      text: `Bonjour,

Votre identité électronique a été liée à un autre compte et n’appartient plus à celui-ci. Si ce n’était pas vous, liez-la de nouveau ici. Personne ne peut la lier sans votre accord sur le téléphone.
`,
    },
  },
  es: {
    link: {
      subject: 'Iniciar sesión',
      text: (link) => `Hola:

Inicie sesión aquí para pagar el aparcamiento automáticamente:

${link}

El enlace sirve una sola vez y durante 15 minutos. Si no lo ha pedido, puede ignorar este mensaje.
`,
    },
    declined: {
      subject: 'Su tarjeta ha sido rechazada',
      text: (plate, payAt) => `Hola:

No se ha podido cobrar en su tarjeta el aparcamiento de ${plate}. No se ha pagado nada, y la tarjeta no volverá a usarse automáticamente hasta que usted lo permita.

Puede pagar aquí o en el cajero del aparcamiento:

${payAt}
`,
    },
    limit: {
      subject: 'Ha alcanzado su límite',
      text: (plate, payAt, page) => `Hola:

Su tarjeta no ha pagado automáticamente el aparcamiento de ${plate}: el precio supera el límite que usted eligió. No se ha cobrado nada.

Puede pagar aquí o en el cajero del aparcamiento:

${payAt}

Aquí puede cambiar sus límites:

${page}
`,
    },
    doubt: {
      subject: 'No se ha hecho el pago automático',
      text: (plate, payAt) => `Hola:

Su tarjeta no ha pagado automáticamente el aparcamiento de ${plate}, porque no estamos seguros de la matrícula o de la hora. No se ha cobrado nada.

Si es su coche, puede pagar aquí o en el cajero del aparcamiento:

${payAt}
`,
    },
    card: {
      subject: 'No se ha hecho el pago automático',
      text: (plate, payAt) => `Hola:

Esta vez no se ha podido usar su tarjeta para ${plate}. No se ha cobrado nada.

Puede pagar aquí o en el cajero del aparcamiento:

${payAt}
`,
    },
    claimed: {
      subject: 'Otra persona reclama su vehículo',
      text: (plate, page) => `Hola:

Otra persona ha intentado añadir ${plate} a su cuenta. No ha cambiado nada: el vehículo sigue en su cuenta y su tarjeta paga por él.

Si ya no usa el vehículo, puede quitarlo aquí. Si no, puede ignorar este mensaje.

${page}
`,
    },
    moved: {
      subject: 'Fin del pago automático',
      text: (plate) => `Hola:

Otra persona ha demostrado que ${plate} es su vehículo. Su tarjeta ya no paga por ese vehículo.
`,
    },
    notRegistered: {
      text: (plate) => `Hola:

El registro de vehículos ya no le menciona para ${plate}. Su tarjeta ya no paga por ese vehículo.
`,
    },
    identityMoved: {
      subject: 'Identidad electrónica desvinculada',
      text: `Hola:

Su identidad electrónica se vinculó a otra cuenta y ya no pertenece a esta. Si no fue usted, vuelva a vincularla aquí. Nadie puede vincularla sin su aprobación en el teléfono.
`,
    },
  },
  da: {
    link: {
      subject: 'Log ind',
      text: (link) => `Hej

Log ind her for at betale automatisk for parkering:

${link}

Linket virker én gang og i 15 minutter. Hvis du ikke har bedt om det, kan du se bort fra denne mail.
`,
    },
    declined: {
      subject: 'Dit kort blev afvist',
      text: (plate, payAt) => `Hej

Dit kort kunne ikke debiteres for ${plate}. Der er ikke betalt noget, og kortet bruges ikke automatisk igen, før du tillader det.

Du kan betale her eller ved automaten på stedet:

${payAt}
`,
    },
    limit: {
      subject: 'Din grænse er nået',
      text: (plate, payAt, page) => `Hej

Dit kort betalte ikke automatisk for ${plate}: prisen er højere end den grænse, du har valgt. Der er ikke trukket noget.

Du kan betale her eller ved automaten på stedet:

${payAt}

Her kan du ændre dine grænser:

${page}
`,
    },
    doubt: {
      subject: 'Der blev ikke betalt automatisk',
      text: (plate, payAt) => `Hej

Dit kort betalte ikke automatisk for ${plate}, fordi vi ikke er sikre på nummerpladen eller tiden. Der er ikke trukket noget.

Hvis det er din bil, kan du betale her eller ved automaten på stedet:

${payAt}
`,
    },
    card: {
      subject: 'Der blev ikke betalt automatisk',
      text: (plate, payAt) => `Hej

Dit kort kunne ikke bruges til ${plate} denne gang. Der er ikke trukket noget.

Du kan betale her eller ved automaten på stedet:

${payAt}
`,
    },
    claimed: {
      subject: 'En anden vil tilføje din bil',
      text: (plate, page) => `Hej

En anden har forsøgt at tilføje ${plate} til sin konto. Intet er ændret: Bilen er stadig på din konto, og dit kort betaler for den.

Hvis du ikke længere bruger bilen, kan du fjerne den her. Ellers kan du se bort fra denne mail.

${page}
`,
    },
    moved: {
      subject: 'Automatisk betaling er slut',
      text: (plate) => `Hej

En anden har bevist, at ${plate} er vedkommendes bil. Dit kort betaler ikke længere for den bil.
`,
    },
    notRegistered: {
      text: (plate) => `Hej

Bilregistret nævner dig ikke længere for ${plate}. Dit kort betaler ikke længere for den bil.
`,
    },
    identityMoved: {
      subject: 'Elektronisk id er fjernet',
      text: `Hej

Dit elektroniske id er knyttet til en anden konto og hører ikke længere til denne. Var det ikke dig, så tilknyt det her igen. Ingen kan tilknytte det, uden at du godkender det på telefonen.
`,
    },
  },
};
