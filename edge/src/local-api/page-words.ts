import type { Direction } from '@hlid/protocol/lane';
import type { GateView } from './lane-board.ts';

/** What the page of the lanes says, apart from reasons and flags. `{…}` is filled in. */
export interface PageWords {
  title: string;
  language: string;
  directions: Record<Direction, string>;
  gates: Record<GateView['state'], string>;
  /** By the outcome of the last wish to move it; anything else is shown as it is. */
  gateTroubles: Record<'refused' | 'unreachable' | 'unknown', string>;
  /** A person has said so: since when, why, and until when. */
  ordered: string;
  orderedUntil: string;
  /** Of a passage: the gate did as decided, did not though it was told to, or nobody knows whether it did. */
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
    /** For a number that the language counts as one, and for the others. */
    waitingOne: string;
    waitingMany: string;
    upToDate: string;
  };
  devices: {
    /** Headings: of what somebody should see to, and of all there is. */
    alarmOne: string;
    alarmMany: string;
    all: string;
    allWell: string;
    since: string;
    lastError: string;
  };
  /** What the driver at the gate is told. */
  driverIsTold: string;
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
    gateTroubles: {
      refused: 'The gate refused to open.',
      unreachable: 'The gate cannot be reached.',
      unknown: 'The gate did not answer; it may have opened.',
    },
    ordered: 'By hand since {time}: {why}',
    orderedUntil: 'By hand from {time} until {until}: {why}',
    outcomes: {
      opened: 'Opened',
      'not-opened': 'Did not open',
      'kept-closed': 'Kept closed',
      unconfirmed: 'Should be open',
    },
    noPlate: 'No plate',
    earlier: 'Earlier',
    nobodyYet: 'No cars yet',
    nobodyYetMore: 'They show up here as soon as the camera sees one.',
    camera: {
      seenNow: 'Camera {id}: heard just now',
      seenMinutesAgo: 'Camera {id}: heard {n} min ago',
      seenHoursAgo: 'Camera {id}: heard {n} h ago',
      seenDaysAgo: 'Camera {id}: heard {n} days ago',
      notSeen: 'Camera {id}: not heard from since the start',
      none: 'No camera on this lane',
      clockBehind: 'its clock is {duration} behind',
      clockAhead: 'its clock is {duration} ahead',
    },
    link: {
      alone: 'Runs without a cloud',
      connected: 'Cloud connected',
      away: 'Cloud away since {time}',
      waitingOne: '{n} event waits',
      waitingMany: '{n} events wait',
      upToDate: 'nothing waits',
    },
    devices: {
      alarmOne: '{n} thing needs attention',
      alarmMany: '{n} things need attention',
      all: 'All devices',
      allWell: 'All devices are in order',
      since: 'since {time}',
      lastError: 'last error {time}: {detail}',
    },
    driverIsTold: 'The driver is told: “{text}”',
    connecting: 'Looking for the lanes …',
    daemonLost: 'No contact with the gate computer since {time}.',
    daemonLostMore: 'What you see may be out of date. Trying again …',
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
    gateTroubles: {
      refused: 'Hliðið neitaði að opnast.',
      unreachable: 'Ekki næst samband við hliðið.',
      unknown: 'Hliðið svaraði ekki; það gæti hafa opnast.',
    },
    ordered: 'Handstýrt síðan {time}: {why}',
    orderedUntil: 'Handstýrt frá {time} til {until}: {why}',
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
      seenNow: 'Myndavél {id}: lét vita af sér rétt í þessu',
      seenMinutesAgo: 'Myndavél {id}: lét síðast vita af sér fyrir {n} mín.',
      seenHoursAgo: 'Myndavél {id}: lét síðast vita af sér fyrir {n} klst.',
      seenDaysAgo: 'Myndavél {id}: lét síðast vita af sér fyrir {n} dögum',
      notSeen: 'Myndavél {id}: hefur ekki látið vita af sér frá ræsingu',
      none: 'Engin myndavél á þessari akrein',
      clockBehind: 'klukkan er {duration} of sein',
      clockAhead: 'klukkan er {duration} of fljót',
    },
    link: {
      alone: 'Gengur án skýsins',
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
    driverIsTold: 'Ökumanni er sagt: „{text}“',
    connecting: 'Leita að akreinum …',
    daemonLost: 'Ekkert samband við hliðtölvuna síðan {time}.',
    daemonLostMore: 'Það sem hér sést gæti verið úrelt. Reyni aftur …',
  },
};
