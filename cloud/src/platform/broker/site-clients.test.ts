import { EventEmitter } from 'node:events';
import type { Client } from 'aedes';
import { describe, expect, it } from 'vitest';
import { SiteClients } from './site-clients.ts';

/** The part of a connection that is used here. */
class Connection extends EventEmitter {
  readonly conn = new EventEmitter();
  closed = false;

  close(): void {
    this.closed = true;
    this.conn.emit('close');
  }
}

const connection = () => new Connection() as Connection & Client;

describe('the connections of sites', () => {
  it('are one site’s until they close', async () => {
    const clients = new SiteClients();
    const gone: string[] = [];
    clients.onGone((siteId) => gone.push(siteId));
    const [first, second] = [connection(), connection()];
    await clients.admit(first, 'a', async () => true);
    await clients.admit(second, 'a', async () => true);
    first.close();
    expect([clients.has('a'), gone]).toEqual([true, []]);
    second.close();
    expect([clients.has('a'), gone, clients.siteOf(second)]).toEqual([false, ['a'], 'a']);
  });

  it('are dropped together', async () => {
    const clients = new SiteClients();
    const [ours, also, other] = [connection(), connection(), connection()];
    await clients.admit(ours, 'a', async () => true);
    await clients.admit(also, 'a', async () => true);
    await clients.admit(other, 'b', async () => true);
    clients.drop('a');
    expect([ours.closed, also.closed, other.closed]).toEqual([true, true, false]);
  });

  it('are not let in by a secret that is taken back while it is being looked up', async () => {
    const clients = new SiteClients();
    let good = true;
    let lookUp: (good: boolean) => void = () => undefined;
    const admitted = clients.admit(connection(), 'a', async () => {
      if (!good) return false;
      return await new Promise((resolve) => {
        lookUp = resolve;
      });
    });
    good = false;
    clients.drop('a');
    lookUp(true);
    expect(await admitted).toBe(false);
    expect(clients.has('a')).toBe(false);
  });
});
