import type { Language } from '@hlid/protocol/base/language';

/**
 * The words for a car park that cannot be informed of a payment. They are separate because few pages need
 * them.
 */
export const OFFLINE_WORDS: Record<Language, { before: string; lead: string; scan: string; help: string }> = {
  is: {
    before:
      'Bílastæðið er sambandslaust í augnablikinu. Þú getur greitt hér. Þú færð þá kóða sem þú slærð inn í vélina á bílastæðinu og útkeyrslan opnast.',
    lead: 'Bílastæðið er sambandslaust og veit ekki enn af greiðslunni. Sláðu bílnúmerið inn í vélina þar, veldu „Ég greiddi með símanum“ og sláðu inn þennan kóða:',
    scan: 'Kóðinn fyrir skanna vélarinnar',
    help: 'Ef engin vél er á staðnum eða útkeyrslan opnast ekki skaltu hringja í okkur.',
  },
  en: {
    before:
      'The car park is offline right now. You can pay here. Then you get a code that you type at the machine in the car park, and the exit opens.',
    lead: 'The car park is offline and has not heard of your payment yet. At the machine there, type your number plate, choose “I have paid by phone”, and type this code:',
    scan: 'The code for the machine’s scanner',
    help: 'Without a machine, or if the exit stays closed, call us.',
  },
  pl: {
    before:
      'Parking jest teraz offline. Możesz zapłacić tutaj. Otrzymasz kod, który wpiszesz w automacie na parkingu, a wyjazd się otworzy.',
    lead: 'Parking jest offline i nie wie jeszcze o Twojej płatności. Wpisz w automacie numer rejestracyjny, wybierz „Zapłacono telefonem” i wpisz ten kod:',
    scan: 'Kod dla skanera w automacie',
    help: 'Jeśli nie ma automatu lub wyjazd pozostaje zamknięty, zadzwoń do nas.',
  },
  de: {
    before:
      'Der Parkplatz ist gerade offline. Sie können hier bezahlen. Danach erhalten Sie einen Code, den Sie am Automaten auf dem Parkplatz eingeben, und die Ausfahrt öffnet sich.',
    lead: 'Der Parkplatz ist offline und weiß noch nichts von Ihrer Zahlung. Geben Sie am Automaten dort Ihr Kennzeichen ein, wählen Sie „Ich habe mit dem Handy bezahlt“ und geben Sie diesen Code ein:',
    scan: 'Der Code für den Scanner am Automaten',
    help: 'Wenn es keinen Automaten gibt oder die Ausfahrt geschlossen bleibt, rufen Sie uns an.',
  },
  fr: {
    before:
      'Le parking est hors ligne en ce moment. Vous pouvez payer ici. Vous recevrez un code à saisir à la borne du parking, et la sortie s’ouvrira.',
    lead: 'Le parking est hors ligne et ne connaît pas encore votre paiement. À la borne, saisissez votre plaque, choisissez « J’ai payé par téléphone » et saisissez ce code :',
    scan: 'Le code pour le lecteur de la borne',
    help: 'S’il n’y a pas de borne ou si la sortie reste fermée, appelez-nous.',
  },
  es: {
    before:
      'El aparcamiento está sin conexión en este momento. Puede pagar aquí. Recibirá un código que debe escribir en la máquina del aparcamiento, y la salida se abrirá.',
    lead: 'El aparcamiento está sin conexión y aún no sabe de su pago. En la máquina, escriba su matrícula, elija «He pagado con el móvil» y escriba este código:',
    scan: 'El código para el lector de la máquina',
    help: 'Si no hay máquina o la salida sigue cerrada, llámenos.',
  },
  da: {
    before:
      'Parkeringspladsen er offline lige nu. Du kan betale her. Så får du en kode, som du taster ind på automaten på parkeringspladsen, og udkørslen åbner.',
    lead: 'Parkeringspladsen er offline og kender ikke din betaling endnu. Tast din nummerplade ind på automaten dér, vælg »Jeg har betalt med telefonen«, og tast denne kode:',
    scan: 'Koden til automatens scanner',
    help: 'Er der ingen automat, eller forbliver udkørslen lukket, så ring til os.',
  },
};
