/**
 * Connections that have not authenticated yet, by address, in order of arrival. If there are too many, the oldest
 * connection of the address with the most connections is dropped, so one address cannot keep others out.
 */
export class Crowd<Connection> {
  readonly #byAddress = new Map<string, Set<Connection>>();
  readonly #addressOf = new Map<Connection, string>();

  get size(): number {
    return this.#addressOf.size;
  }

  add(connection: Connection, address: string): void {
    const same = this.#byAddress.get(address) ?? new Set();
    this.#byAddress.set(address, same.add(connection));
    this.#addressOf.set(connection, address);
  }

  remove(connection: Connection): void {
    const address = this.#addressOf.get(connection);
    if (address === undefined) return;
    this.#addressOf.delete(connection);
    const same = this.#byAddress.get(address);
    same?.delete(connection);
    if (same?.size === 0) this.#byAddress.delete(address);
  }

  /** The connection to drop first; null if there is none. */
  first(): Connection | null {
    let largest: Set<Connection> | null = null;
    for (const same of this.#byAddress.values()) {
      if (largest === null || same.size > largest.size) largest = same;
    }
    const [oldest = null] = largest ?? [];
    return oldest;
  }
}
