import type { KioskSite } from '@hlid/protocol/pages/kiosk-api';

/** Whether there is a card terminal that works, or may work. */
export function takesCards({ terminal }: KioskSite): boolean {
  return terminal !== null && ['CONNECTED', 'ACTIVE', 'UNKNOWN'].includes(terminal.connection);
}

/** The site's payment page, where paying there opens the exit: its cloud can pass on that a driver has paid. */
export function payPageOf({ payOnline, cloudConnected }: KioskSite): string | null {
  return cloudConnected ? payOnline : null;
}

/** Whether a driver who has paid by phone types its code: the cloud cannot pass on the payment. */
export function takesCodes({ takesCodes: mayTake, cloudConnected }: KioskSite): boolean {
  return mayTake === true && !cloudConnected;
}

/**
 * Whether drivers may pay by phone: the site has a payment page, and the cloud can pass on that they have
 * paid.
 */
export function takesPhones(site: KioskSite): boolean {
  return payPageOf(site) !== null;
}
