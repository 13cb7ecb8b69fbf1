import type { Client } from 'aedes';

/** The connections of each site. */
export class SiteClients {
  readonly #siteOf = new WeakMap<Client, string>();
  readonly #clients = new Map<string, Set<Client>>();
  /** How often a site's connections were dropped: a login that began before does not count. */
  readonly #drops = new Map<string, number>();
  readonly #goneListeners: ((siteId: string) => void)[] = [];

  /** Takes a connection as a site's if its secret is good, and was not taken back while that was found out. */
  async admit(client: Client, siteId: string, secretIsGood: () => Promise<boolean>): Promise<boolean> {
    let drops: number | undefined;
    do {
      drops = this.#drops.get(siteId);
      if (!(await secretIsGood())) return false;
    } while (this.#drops.get(siteId) !== drops);
    client.conn.once('close', () => this.#remove(client));
    this.#siteOf.set(client, siteId);
    const clients = this.#clients.get(siteId) ?? new Set();
    this.#clients.set(siteId, clients.add(client));
    return true;
  }

  siteOf(client: Client): string | null {
    return this.#siteOf.get(client) ?? null;
  }

  has(siteId: string): boolean {
    return this.#clients.has(siteId);
  }

  #remove(client: Client): void {
    const siteId = this.siteOf(client);
    const clients = siteId === null ? undefined : this.#clients.get(siteId);
    if (siteId === null || !clients?.delete(client) || clients.size > 0) return;
    this.#clients.delete(siteId);
    for (const listener of this.#goneListeners) listener(siteId);
  }

  drop(siteId: string): void {
    this.#drops.set(siteId, (this.#drops.get(siteId) ?? 0) + 1);
    for (const client of [...(this.#clients.get(siteId) ?? [])]) client.close();
  }

  onGone(listener: (siteId: string) => void): void {
    this.#goneListeners.push(listener);
  }
}
