import type { Direction } from '@hlid/protocol/records/lane';
import type { CommandAction } from '@hlid/protocol/site-link/commands';

/** Why the code of a payment is not accepted. */
export type CodeFault = 'not-found' | 'visit-ended' | 'wrong-code' | 'code-expired' | 'too-many-requests';

type PageAction = Exclude<CommandAction, 'close'>;

/** The texts of the lane page, apart from reasons and flags. `{…}` is filled in. */
export interface PageWords {
  title: string;
  language: string;
  directions: Record<Direction, string>;
  /** The texts by the outcome of the last command to the gate; other texts are shown unchanged. */
  gateErrors: Record<'refused' | 'unreachable' | 'unknown', string>;
  /** Who set a gate, since when, and until when. */
  order: Record<'since' | 'until' | 'byHand' | 'onSite' | 'unconfirmed', string>;
  /** A car stands at the closed gate. */
  waits: string;
  gateMoves: string;
  lastCar: string;
  due: string;
  insideSince: string;
  /** The same car was seen there too. */
  alsoAt: string;
  picture: string;
  length: Record<'seconds' | 'minutes' | 'hours', string>;
  ago: Record<'now' | 'minutes' | 'hours' | 'days', string>;
  zones: Record<'title' | 'inside' | 'free' | 'full', string>;
  waiting: Record<'heading' | 'alertAt', string>;
  acts: Record<
    | ('group' | 'open' | 'openFor' | 'hold' | 'release')
    | ('reason' | 'choose' | 'note' | 'noteNeeded' | 'holdFor')
    | ('cancel' | 'otherCar' | 'carGone' | 'failed'),
    string
  > & {
    titles: Record<PageAction | 'openFor', string>;
    meaning: Record<PageAction, string>;
    /** The texts on the button that sends it. */
    send: Record<PageAction, string>;
    done: Record<PageAction, string>;
  };
  /** The code of a payment by phone; `faults` by the reason why it is not accepted. */
  code: Record<'title' | 'meaning' | 'plate' | 'code' | 'send' | 'done', string> & {
    faults: Record<CodeFault, string>;
  };
  pin: Record<'title' | 'label' | 'enter' | 'lock' | 'wrong' | 'tooMany' | 'failed', string>;
  noPlate: string;
  earlier: string;
  nobodyYet: string;
  nobodyYetMore: string;
  camera: {
    seen: string;
    notSeen: string;
    none: string;
    clockBehind: string;
    clockAhead: string;
  };
  link: {
    alone: string;
    connected: string;
    away: string;
    /** The texts for numbers that take the singular, and for the others. */
    waitingOne: string;
    waitingMany: string;
    upToDate: string;
  };
  devices: {
    /** Headings: of the alarms, and of all devices. */
    alarmOne: string;
    alarmMany: string;
    all: string;
    allWell: string;
    since: string;
    lastError: string;
  };
  /** What the displays show to the driver at the gate. */
  driverMessage: string;
  connecting: string;
  daemonLost: string;
  daemonLostMore: string;
}

export const PAGE_WORDS: Record<'is' | 'en', PageWords> = {
  en: {
    title: 'Lanes',
    language: 'Language',
    directions: { entry: 'Entrance', exit: 'Exit' },
    gateErrors: {
      refused: 'The gate refused to open.',
      unreachable: 'The gate cannot be reached.',
      unknown: 'The gate did not answer; it may have opened.',
    },
    order: {
      since: '{mode} since {time}',
      until: '{mode} from {time} until {until}',
      byHand: 'by hand',
      onSite: 'by a person on site',
      unconfirmed: 'its device has not confirmed it yet',
    },
    waits: 'Has waited {length}',
    gateMoves: 'The gate moves',
    lastCar: 'the last one {ago}',
    due: 'To pay: {amount}',
    insideSince: 'Inside since {time}',
    alsoAt: 'also at {lane}',
    picture: 'Picture of {plate}',
    length: { seconds: '{n} s', minutes: '{n} min', hours: '{n} h' },
    ago: { now: 'just now', minutes: '{n} min ago', hours: '{n} h ago', days: '{n} days ago' },
    zones: { title: 'Cars inside', inside: '{n} inside', free: '{n} free', full: 'full' },
    waiting: { heading: 'Waiting at a closed gate', alertAt: '{lane}, {time}' },
    acts: {
      group: 'Move the gate of {lane}',
      open: 'Open',
      openFor: 'Open for {plate}',
      hold: 'Hold open',
      release: 'Release',
      titles: {
        open: 'Open {lane}',
        openFor: 'Open {lane} for {plate}',
        hold: 'Hold {lane} open',
        release: 'Release {lane}',
      },
      meaning: {
        open: 'The gate opens once. If a car waits there, it may leave, whatever it owes.',
        hold: 'Every car can pass until then. Cars are read and charged as usual.',
        release: 'The lane decides about each car again.',
      },
      reason: 'Reason',
      choose: 'Choose a reason',
      note: 'Note (optional)',
      noteNeeded: 'Note: what is it?',
      holdFor: 'For how long',
      cancel: 'Cancel',
      send: { open: 'Open', hold: 'Hold open', release: 'Release' },
      done: { open: '{lane} opens.', hold: '{lane} is held open.', release: '{lane} is released.' },
      otherCar: 'Another car stands there now: {plate}. Nothing was done.',
      carGone: 'The car has gone. Nothing was done.',
      failed: 'This did not work.',
    },
    code: {
      title: 'A driver has a payment code',
      meaning:
        'Whoever paid by phone while the site could not hear of it has a code on the phone. It pays for that car, once, and the exit where it waits opens.',
      plate: 'Plate',
      code: 'Code',
      send: 'Accept the code',
      done: '{plate} is paid.',
      faults: {
        'not-found': 'No car with that plate is inside: see how the site has read it.',
        'visit-ended': 'That car has left.',
        'wrong-code': 'That is no code of a payment for this car.',
        'code-expired': 'The code has expired.',
        'too-many-requests': 'Too many codes were tried: wait a minute.',
      },
    },
    pin: {
      title: 'Enter the PIN to see the lanes',
      label: 'PIN',
      enter: 'Enter',
      lock: 'Lock',
      wrong: 'This PIN is wrong.',
      tooMany: 'Too many wrong PINs. Try again in {n} min.',
      failed: 'The gate computer does not answer.',
    },
    noPlate: 'No plate',
    earlier: 'Earlier',
    nobodyYet: 'No cars yet',
    nobodyYetMore: 'They appear here as soon as the camera sees one.',
    camera: {
      seen: 'Camera {id}: last contact {ago}',
      notSeen: 'Camera {id}: no contact since the start',
      none: 'No camera on this lane',
      clockBehind: 'its clock is {duration} behind',
      clockAhead: 'its clock is {duration} ahead',
    },
    link: {
      alone: 'Runs without a cloud',
      connected: 'Cloud connected',
      away: 'No connection to the cloud since {time}',
      waitingOne: '{n} event waiting',
      waitingMany: '{n} events waiting',
      upToDate: 'nothing waiting',
    },
    devices: {
      alarmOne: '{n} thing needs attention',
      alarmMany: '{n} things need attention',
      all: 'All devices',
      allWell: 'All devices are in order',
      since: 'since {time}',
      lastError: 'last error {time}: {detail}',
    },
    driverMessage: 'Message to the driver: “{text}”',
    connecting: 'Connecting …',
    daemonLost: 'No connection to the gate computer since {time}.',
    daemonLostMore: 'This page may be out of date. Reconnecting …',
  },
  is: {
    title: 'Akreinar',
    language: 'Tungumál',
    directions: { entry: 'Innkeyrsla', exit: 'Útkeyrsla' },
    gateErrors: {
      refused: 'Hliðið hafnaði skipuninni.',
      unreachable: 'Ekki næst samband við hliðið.',
      unknown: 'Hliðið svaraði ekki; það gæti hafa opnast.',
    },
    order: {
      since: '{mode} síðan {time}',
      until: '{mode} frá {time} til {until}',
      byHand: 'handvirkt',
      onSite: 'af starfsmanni á staðnum',
      unconfirmed: 'tækið hefur ekki staðfest það',
    },
    waits: 'Hefur beðið í {length}',
    gateMoves: 'Hliðið hreyfist',
    lastCar: 'sá síðasti {ago}',
    due: 'Til greiðslu: {amount}',
    insideSince: 'Inni síðan {time}',
    alsoAt: 'einnig: {lane}',
    picture: 'Mynd af {plate}',
    length: { seconds: '{n} sek.', minutes: '{n} mín.', hours: '{n} klst.' },
    ago: {
      now: 'rétt í þessu',
      minutes: 'fyrir {n} mín.',
      hours: 'fyrir {n} klst.',
      days: 'fyrir {n} dögum',
    },
    zones: { title: 'Bílar inni', inside: '{n} inni', free: '{n} laus', full: 'fullt' },
    waiting: { heading: 'Bíða við lokað hlið', alertAt: '{lane}, {time}' },
    acts: {
      group: 'Stýra hliðinu: {lane}',
      open: 'Opna',
      openFor: 'Opna fyrir {plate}',
      hold: 'Halda opnu',
      release: 'Sleppa',
      titles: {
        open: 'Opna hlið: {lane}',
        openFor: 'Opna hlið fyrir {plate}: {lane}',
        hold: 'Halda hliði opnu: {lane}',
        release: 'Setja hlið aftur á sjálfvirkt: {lane}',
      },
      meaning: {
        open: 'Hliðið opnast einu sinni. Ef bíll bíður þar má hann fara, hvað sem hann skuldar.',
        hold: 'Allir bílar komast í gegn þangað til. Þeir eru lesnir og rukkaðir eins og venjulega.',
        release: 'Akreinin ákveður aftur sjálf fyrir hvern bíl.',
      },
      reason: 'Ástæða',
      choose: 'Veldu ástæðu',
      note: 'Athugasemd (valfrjáls)',
      noteNeeded: 'Athugasemd: hvað er það?',
      holdFor: 'Hve lengi',
      cancel: 'Hætta við',
      send: { open: 'Opna', hold: 'Halda opnu', release: 'Sleppa' },
      done: {
        open: 'Hliðið opnast: {lane}.',
        hold: 'Hliðinu er haldið opnu: {lane}.',
        release: 'Hliðið er aftur sjálfvirkt: {lane}.',
      },
      otherCar: 'Annar bíll er þar núna: {plate}. Ekkert var gert.',
      carGone: 'Bíllinn er farinn. Ekkert var gert.',
      failed: 'Þetta tókst ekki.',
    },
    code: {
      title: 'Ökumaður er með greiðslukóða',
      meaning:
        'Sá sem greiddi með símanum á meðan ekkert samband var við bílastæðið er með kóða í símanum. Hann greiðir fyrir bílinn, einu sinni, og útkeyrslan þar sem bíllinn bíður opnast.',
      plate: 'Bílnúmer',
      code: 'Kóði',
      send: 'Taka kóðann gildan',
      done: '{plate}: greitt.',
      faults: {
        'not-found': 'Enginn bíll með þetta númer er inni: athugaðu hvernig það var lesið.',
        'visit-ended': 'Bíllinn er farinn.',
        'wrong-code': 'Þetta er ekki greiðslukóði fyrir þennan bíl.',
        'code-expired': 'Kóðinn er útrunninn.',
        'too-many-requests': 'Of margir kóðar voru reyndir: bíddu í eina mínútu.',
      },
    },
    pin: {
      title: 'Sláðu inn PIN-númer til að sjá akreinarnar',
      label: 'PIN-númer',
      enter: 'Áfram',
      lock: 'Læsa',
      wrong: 'Rangt PIN-númer.',
      tooMany: 'Of oft rangt PIN-númer. Reyndu aftur eftir {n} mín.',
      failed: 'Hliðtölvan svarar ekki.',
    },
    noPlate: 'Ekkert númer',
    earlier: 'Fyrri bílar',
    nobodyYet: 'Engir bílar enn',
    nobodyYetMore: 'Þeir birtast hér um leið og myndavélin sér þá.',
    camera: {
      seen: 'Myndavél {id}: síðast í sambandi {ago}',
      notSeen: 'Myndavél {id}: ekkert samband frá ræsingu',
      none: 'Engin myndavél á þessari akrein',
      clockBehind: 'klukkan er {duration} of sein',
      clockAhead: 'klukkan er {duration} of fljót',
    },
    link: {
      alone: 'Keyrir án skýs',
      connected: 'Samband við skýið',
      away: 'Ekkert samband við skýið síðan {time}',
      waitingOne: '{n} atburður bíður',
      waitingMany: '{n} atburðir bíða',
      upToDate: 'ekkert bíður',
    },
    devices: {
      alarmOne: '{n} atriði þarfnast athugunar',
      alarmMany: '{n} atriði þarfnast athugunar',
      all: 'Öll tæki',
      allWell: 'Öll tæki eru í lagi',
      since: 'síðan {time}',
      lastError: 'síðasta villa {time}: {detail}',
    },
    driverMessage: 'Skilaboð til ökumanns: „{text}“',
    connecting: 'Tengist …',
    daemonLost: 'Ekkert samband við hliðtölvuna síðan {time}.',
    daemonLostMore: 'Síðan gæti verið úrelt. Reyni að tengjast aftur …',
  },
};
