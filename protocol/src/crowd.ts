/**
 * Connections that have shown nothing yet, in the order in which they came, by the address they came from. Where there
 * are too many, the oldest of whoever has most of them makes room: a crowd from one address keeps nobody else out.
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

  /** The one that makes room first; null where there is none. */
  first(): Connection | null {
    let largest: Set<Connection> | null = null;
    for (const same of this.#byAddress.values()) {
      if (largest === null || same.size > largest.size) largest = same;
    }
    const [oldest = null] = largest ?? [];
    return oldest;
  }
}
