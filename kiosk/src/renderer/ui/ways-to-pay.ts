import type { KioskSite } from '@hlid/protocol/kiosk-api';

/** Whether there is a card terminal that works, or may work. */
export function takesCards({ terminal }: KioskSite): boolean {
  return terminal !== null && ['CONNECTED', 'ACTIVE', 'UNKNOWN'].includes(terminal.connection);
}

/** Whether drivers may pay by phone: the site says where, and the cloud can pass on that they have paid. */
export function takesPhones({ payOnline, cloudConnected }: KioskSite): boolean {
  return payOnline !== null && cloudConnected;
}
