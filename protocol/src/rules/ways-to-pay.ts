import type { SiteSettings } from '../records/lane.ts';
import type { SiteItem } from '../site-link/site-change.ts';

type PaySettings = Pick<SiteSettings, 'hasKiosk' | 'payOnline'>;

/**
 * Whether drivers can pay on site. `dead`: there is a kiosk, and no page serves them there; `none`: there is none, or it
 * takes no cards now.
 */
export type KioskState = 'works' | 'none' | 'dead';

/**
 * The ways in which drivers of a site can pay. The setting for a kiosk counts unless its screen is known to
 * be dead.
 */
export function waysToPay(
  { hasKiosk, payOnline }: PaySettings,
  kiosk: KioskState,
): { kiosk: boolean; online: boolean } {
  return { kiosk: kiosk !== 'dead' && (hasKiosk ?? kiosk === 'works'), online: payOnline !== undefined };
}

/**
 * Whether a driver who owes at an exit can settle it without a person: he pays, or the owner of his car is
 * sent an invoice.
 */
export function canSettle(
  settings: PaySettings & Pick<SiteSettings, 'invoicesOwners'>,
  state: KioskState,
): boolean {
  const { kiosk, online } = waysToPay(settings, state);
  return kiosk || online || settings.invoicesOwners;
}

/** A site as its drivers use it: a payment page that takes no cards now is not offered. */
export function withWorkingWays(site: SiteItem): SiteItem {
  if (site.onlinePayment !== 'off' || site.settings.payOnline === undefined) return site;
  const { payOnline: _payOnline, ...settings } = site.settings;
  return { ...site, settings };
}
