/** The messages of sites, by the rest of the topic after the site's root. */
export type LeafFromSite = 'up' | 'presence' | 'down/ack' | 'cmd/reply' | 'board';
export type LeafToSite = 'up/ack' | 'down' | 'down/head' | 'cmd' | 'board/lease';

/** @param retained the message was sent before the cloud subscribed, perhaps long ago */
export type SiteListener = (siteId: string, payload: Uint8Array, retained: boolean) => void;

/** Messages between the cloud and its sites, whatever broker carries them. */
export interface SiteBus {
  /** Calls the listener with what sites publish on a leaf. Listeners return at once and never throw. */
  on(leaf: LeafFromSite, listener: SiteListener): void;
  /** Calls the listener when the last connection of a site is gone. */
  onGone(listener: (siteId: string) => void): void;
  /**
   * Calls the listener when an external broker is there again; it may be another one, which has retained
   * nothing.
   */
  onReturned?(listener: () => void): void;
  /** Resolves when the message is on its way to the connected sites; a retained one is also sent to later ones. */
  publish(siteId: string, leaf: LeafToSite, payload: string, options?: { retain?: boolean }): Promise<void>;
  isConnected(siteId: string): boolean;
  /** Drops every connection of a site, such as when its secret is no longer good. */
  disconnect(siteId: string): void;
}
