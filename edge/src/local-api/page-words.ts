import type { Direction } from '@hlid/protocol/lane';
import type { GateView } from '../gate/gate-mode.ts';

/** The texts of the lane page, apart from reasons and flags. `{…}` is filled in. */
export interface PageWords {
  title: string;
  language: string;
  directions: Record<Direction, string>;
  gates: Record<GateView['state'], string>;
  /** By the outcome of the last command to the gate; other texts are shown unchanged. */
  gateErrors: Record<'refused' | 'unreachable' | 'unknown', string>;
  /** By hand: since when, why, and until when. */
  overridden: string;
  overriddenUntil: string;
  /** Of a passage: the gate moved as decided, did not, or it is not known whether it did. */
  outcomes: Record<'opened' | 'not-opened' | 'kept-closed' | 'unconfirmed', string>;
  noPlate: string;
  earlier: string;
  nobodyYet: string;
  nobodyYetMore: string;
  camera: {
    /** Seen within the last minute. */
    seenNow: string;
    seenMinutesAgo: string;
    seenHoursAgo: string;
    seenDaysAgo: string;
    notSeen: string;
    none: string;
    clockBehind: string;
    clockAhead: string;
  };
  link: {
    alone: string;
    connected: string;
    away: string;
    /** For numbers that take the singular, and for the others. */
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
    gates: {
      closed: 'Gate closed',
      opening: 'Gate opening',
      open: 'Gate open',
      'held-open': 'Gate held open',
      'kept-closed': 'Gate kept closed',
      unknown: 'Gate state unknown',
    },
    gateErrors: {
      refused: 'The gate refused to open.',
      unreachable: 'The gate cannot be reached.',
      unknown: 'The gate did not answer; it may have opened.',
    },
    overridden: 'By hand since {time}: {reason}',
    overriddenUntil: 'By hand from {time} until {until}: {reason}',
    outcomes: {
      opened: 'Opened',
      'not-opened': 'Did not open',
      'kept-closed': 'Kept closed',
      unconfirmed: 'Should be open',
    },
    noPlate: 'No plate',
    earlier: 'Earlier',
    nobodyYet: 'No cars yet',
    nobodyYetMore: 'They appear here as soon as the camera sees one.',
    camera: {
      seenNow: 'Camera {id}: last contact just now',
      seenMinutesAgo: 'Camera {id}: last contact {n} min ago',
      seenHoursAgo: 'Camera {id}: last contact {n} h ago',
      seenDaysAgo: 'Camera {id}: last contact {n} days ago',
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
    gates: {
      closed: 'Hlið lokað',
      opening: 'Hlið opnast',
      open: 'Hlið opið',
      'held-open': 'Hliði haldið opnu',
      'kept-closed': 'Hliði haldið lokuðu',
      unknown: 'Staða hliðs óþekkt',
    },
    gateErrors: {
      refused: 'Hliðið hafnaði skipuninni.',
      unreachable: 'Ekki næst samband við hliðið.',
      unknown: 'Hliðið svaraði ekki; það gæti hafa opnast.',
    },
    overridden: 'Handstýrt síðan {time}: {reason}',
    overriddenUntil: 'Handstýrt frá {time} til {until}: {reason}',
    outcomes: {
      opened: 'Opnað',
      'not-opened': 'Opnaðist ekki',
      'kept-closed': 'Haldið lokuðu',
      unconfirmed: 'Ætti að vera opið',
    },
    noPlate: 'Ekkert númer',
    earlier: 'Fyrri bílar',
    nobodyYet: 'Engir bílar enn',
    nobodyYetMore: 'Þeir birtast hér um leið og myndavélin sér þá.',
    camera: {
      seenNow: 'Myndavél {id}: síðast í sambandi rétt í þessu',
      seenMinutesAgo: 'Myndavél {id}: síðast í sambandi fyrir {n} mín.',
      seenHoursAgo: 'Myndavél {id}: síðast í sambandi fyrir {n} klst.',
      seenDaysAgo: 'Myndavél {id}: síðast í sambandi fyrir {n} dögum',
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
