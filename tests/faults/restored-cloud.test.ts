import { HOUR_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type LinkedSite, startLinkedSite } from '../harness/linked-site.ts';
import { checkVisits, cloudVisits, siteVisits } from './linked-books.ts';

let linked: LinkedSite;
beforeEach(async () => {
  linked = await startLinkedSite();
});
afterEach(() => linked?.stop());

const reason = 'seen in the picture';
const headAt = () =>
  linked.cloudDb((db) => Number(db.prepare('SELECT max(n) FROM feed_head').pluck().all()[0]));
const invoices = () =>
  linked.cloudDb((db) => db.prepare('SELECT cause, amount_minor FROM invoice ORDER BY cause').all());
const idOf = (plate: string) => cloudVisits(linked).find((visit) => visit.plate === plate)?.id ?? '';
const correct = (id: string, plate: string) =>
  linked.operator().ask('PUT', `/visit/${id}`, { plate, reason });
const listed = (plate: string) =>
  linked.site().db.prepare("SELECT 1 FROM permit WHERE json_extract(body, '$.plate') = ?").all(plate).length;

it.each([0, 3])(
  'a restored cloud agrees with its site after it used all lost numbers, and %i more, again',
  async (more) => {
    for (const plate of ['WRONG1', 'PAYS22', 'GONE33']) {
      await linked.site().read('in-1', plate);
      linked.wait(60_000);
    }
    await linked.settled();
    const backup = linked.copyCloud();
    // Some of each is forgotten: a correction, a settlement, lists.
    const gone = idOf('GONE33');
    await correct(gone, 'GONE34');
    await linked.operator().settle(gone, 'kiosk', 'paid at the office');
    for (let n = 0; n < 5; n++) await linked.operator().addPermit(`LOST${n}`);
    linked.wait(HOUR_MS);
    await linked.settled();
    await linked.unlink();
    const held = linked.site().core.feed.position().n;
    // Both must pay at the exit: the site continues its sequence numbers.
    for (const plate of ['PAYS22', 'WRONG1']) {
      await linked.site().read('out-1', plate);
      linked.wait(60_000);
    }
    expect(linked.site().gates['out-1'].pulses).toBe(0);

    await linked.restartCloud(backup);
    const [wrong, pays] = [idOf('WRONG1'), idOf('PAYS22')];
    const right = more > 0 ? 'RIGHT1' : 'RIGHT0';
    await correct(wrong, 'RIGHT0');
    await linked.operator().settle(pays, 'kiosk', 'paid online');
    const byHand = { startedOn: linked.now(), plate: 'BYHAND', reason };
    await linked.operator().ask('POST', '/visits', byHand);
    for (let n = 0; headAt() < held; n++) await linked.operator().addPermit(`NEWER${n}`);
    // Changes with numbers after the site's position apply in any case.
    for (let n = 1; n < more; n++) await linked.operator().addPermit(`MORE${n}`);
    if (more > 0) await correct(wrong, right);
    expect(headAt()).toBe(held + more);
    const made = invoices();

    await linked.settled();
    await linked.settled();
    expect(cloudVisits(linked)).toEqual(siteVisits(linked.site()));
    const visits = new Map(siteVisits(linked.site()).map((visit) => [visit.plate, visit]));
    expect([...visits.keys()].toSorted()).toEqual(['BYHAND', 'GONE34', 'PAYS22', right]);
    expect(visits.get('PAYS22')).toMatchObject({ id: pays, paymentStatus: 'kiosk', unitsMet: 1, due: 0 });
    expect(visits.get('GONE34')).toMatchObject({ id: gone, paymentStatus: 'kiosk', unitsMet: 1 });
    expect(visits.get(right)).toMatchObject({ id: wrong, paymentStatus: null, unitsMet: 0 });
    expect([listed('NEWER0'), listed('LOST0')]).toEqual([1, 0]);
    // A driver who has paid drives out, and is not billed again.
    const gate = linked.site().gates['out-1'];
    const before = gate.pulses;
    await linked.site().read('out-1', 'PAYS22', { eventKey: 'again' });
    expect(gate.pulses).toBe(before + 1);
    await linked.settled();
    expect(invoices()).toEqual(made);
    checkVisits(linked);
  },
);
