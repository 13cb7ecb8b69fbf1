import type { KioskSite } from '@hlid/protocol/kiosk-api';

/** Whether there is a card terminal that works, or may work. */
export function takesCards({ terminal }: KioskSite): boolean {
  return terminal !== null && ['CONNECTED', 'ACTIVE', 'UNKNOWN'].includes(terminal.connection);
}
