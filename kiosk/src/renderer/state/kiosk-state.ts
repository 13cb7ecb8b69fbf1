import type { Language } from '@hlid/protocol/base/language';
import type {
  KioskDue,
  KioskFault,
  KioskHelp,
  KioskPayment,
  KioskReceipt,
  KioskSite,
  KioskVisit,
} from '@hlid/protocol/pages/kiosk-api';

/** The number of characters from which suggestions are shown. */
export const SHORTEST_SEARCH = 3;
/** A private plate may be as short. */
export const SHORTEST_PLATE = 2;
export const LONGEST_PLATE = 12;
export const MAX_HOURS = 3;
export const MAX_DAYS = 30;

/** The result of a search, and its text. */
export interface Found {
  plate: string;
  visits: readonly KioskVisit[];
}

/** A day on the site's wall, `YYYY-MM-DD`, and hours of it; no hours: they are chosen first. */
export interface EntryTime {
  day: string;
  hours: readonly number[];
}

/** The payment order. The key identifies it as one order, however often it is sent. */
export interface PayRequest {
  key: string;
  visitId: string;
  amountMinor: number;
  currency: string;
  /** Days in advance; null: what is due. */
  quantity: number | null;
}

export type Screen =
  | { at: 'start' }
  /**
   * `asked`: the driver requested the results as soon as they are there. `due`: for the only car that was
   * found.
   */
  | {
      at: 'plate';
      typed: string;
      found: Found | null;
      asked: boolean;
      due: KioskDue | null;
      trouble: KioskFault | null;
    }
  | { at: 'choose'; found: Found }
  /** `typed`: the driver's own plate; the exit waits for this visit, and may be wrong. */
  | { at: 'question'; visit: KioskVisit; typed: string; sending: boolean; trouble: KioskFault | null }
  | { at: 'not-found'; plate: string }
  | { at: 'browse'; time: EntryTime | null; visits: readonly KioskVisit[] | null; trouble: KioskFault | null }
  | { at: 'name-plate'; visit: KioskVisit; typed: string; sending: boolean; trouble: KioskFault | null }
  /** `typed`: the part of the plate that the driver knows, which is shown again. */
  | {
      at: 'due';
      visitId: string;
      typed: string;
      due: KioskDue | null;
      changed: boolean;
      trouble: KioskFault | null;
    }
  /** The phone of the driver pays. `link`: to the stay, for its QR code. */
  | { at: 'phone'; due: KioskDue; typed: string; link: string | null; trouble: KioskFault | null }
  /** The code of a payment by phone, of which the cloud cannot notify the site. */
  | { at: 'code'; due: KioskDue; plate: string; typed: string; sending: boolean; trouble: KioskFault | null }
  | { at: 'days'; due: KioskDue; dayPriceMinor: number; quantity: number }
  | {
      at: 'pay';
      request: PayRequest;
      payment: KioskPayment | null;
      cancelling: boolean;
      trouble: KioskFault | null;
    }
  | { at: 'receipt'; payment: KioskPayment; receipt: KioskReceipt | null; trouble: KioskFault | null }
  | {
      at: 'mail';
      payment: KioskPayment;
      receipt: KioskReceipt | null;
      typed: string;
      sending: boolean;
      trouble: KioskFault | null;
    }
  | {
      at: 'leave';
      /** The time until which the exit opens; null: without end, or unknown. */
      leaveBy: string | null;
      mailed: boolean;
      exitOpens?: true;
      paid?: true;
    };

/** A call for help as it stands. */
export interface HelpCall {
  /** Made here; the same call is sent again under it. */
  wanted: string;
  /** The visit that the driver viewed; null: none. */
  visitId: string | null;
  state: KioskHelp['state'];
  /** The name of the person who has accepted it. */
  name: string | null;
}

export interface KioskState {
  language: Language;
  /** Null: the edge has not answered yet. */
  site: KioskSite | null;
  edge: 'looking' | 'here' | 'lost';
  screen: Screen;
  /** The screens before this one, for the way back. */
  trail: readonly Screen[];
  helping: boolean;
  /** The last call for help from here; null: none. */
  call: HelpCall | null;
  /** Twice the size: the browser's own zoom is out of reach here. */
  largeText: boolean;
  /** The screen is read aloud. */
  speaks: boolean;
  /** The seconds until the kiosk returns to the start by itself; null: there is no countdown. */
  idleSeconds: number | null;
}

export type KioskAction =
  | { type: 'language'; language: Language }
  | { type: 'site'; site: KioskSite }
  | { type: 'edge-lost' }
  | { type: 'large-text'; large: boolean }
  | { type: 'speech'; on: boolean }
  | { type: 'help'; open: boolean }
  | { type: 'call'; wanted: string }
  | { type: 'call-state'; wanted: string; state: KioskHelp['state']; name: string | null }
  | { type: 'idle'; seconds: number | null }
  | { type: 'idle-over' }
  | { type: 'start-over' }
  | { type: 'back' }
  | { type: 'begin' }
  | { type: 'key'; character: string }
  | { type: 'erase' }
  | { type: 'clear' }
  | { type: 'find' }
  | { type: 'found'; found: Found }
  | { type: 'change-plate' }
  | { type: 'browse' }
  | { type: 'entry-time'; time: EntryTime }
  | { type: 'entries'; time: EntryTime; visits: readonly KioskVisit[] }
  | { type: 'pick'; visit: KioskVisit }
  | { type: 'not-mine' }
  /** The stay on the screen is of another car than the driver's. */
  | { type: 'not-this-car' }
  | { type: 'exit-opens' }
  | { type: 'send' }
  | { type: 'due'; due: KioskDue }
  | { type: 'buy-days' }
  | { type: 'pay-by-phone' }
  | { type: 'enter-code' }
  /** A scanner has read the code of a payment. */
  | { type: 'code-scanned'; code: string }
  | { type: 'pay-link'; url: string }
  | { type: 'quantity'; quantity: number }
  | { type: 'pay'; key: string }
  | { type: 'payment'; payment: KioskPayment }
  | { type: 'cancel' }
  | { type: 'receipt'; receipt: KioskReceipt }
  | { type: 'mail' }
  | { type: 'mail-taken' }
  | { type: 'leave' }
  /** The edge refused the request of the screen. */
  | { type: 'refused'; fault: KioskFault };

/** A payment that this kiosk was following when its page was reloaded. */
export interface Unfinished {
  request: PayRequest;
  language: Language;
}

/** The actions that only the shown screen handles. */
export type ScreenAction = Exclude<
  KioskAction,
  {
    type:
      | 'language'
      | 'site'
      | 'edge-lost'
      | 'large-text'
      | 'speech'
      | 'help'
      | 'call'
      | 'call-state'
      | 'idle'
      | 'idle-over'
      | 'start-over'
      | 'back';
  }
>;

/** The call rings or is accepted: whoever waits for it may stand there for long without touching anything. */
export function isCallOpen({ call }: Pick<KioskState, 'call'>): boolean {
  return call?.state === 'calling' || call?.state === 'accepted';
}

/**
 * The only car with a plate that begins as typed, of which no exit is in doubt; null: there are others, or
 * none.
 */
export function onlyCar(screen: Screen): KioskVisit | null {
  if (screen.at !== 'plate' || screen.found === null) return null;
  const [only, ...others] = screen.found.visits;
  return only === undefined || others.length > 0 || only.doubtful ? null : only;
}

export type ScreenAt<At extends Screen['at']> = Extract<Screen, { at: At }>;
