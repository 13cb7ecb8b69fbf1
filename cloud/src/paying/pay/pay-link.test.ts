import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import { SiteSettingsSchema } from '@hlid/protocol/records/lane';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOnlineRig, type OnlineRig } from '../../../test/online-payments.ts';
import { readableIn } from '../../../test/readable-in.ts';
import { siteTable } from '../../records/sites/site-table.ts';
import { PayLinks } from './link/pay-links.ts';
import { PayStays } from './pay-stays.ts';

let rig: OnlineRig;
beforeEach(async () => {
  rig = await createOnlineRig();
});
afterEach(() => rig.close());

const linkOf = (url: unknown) => String(url).split('#')[1] ?? '';
const open = (link: string) => rig.api.call('POST', PAY_PATHS.open, { token: null, body: { link } });
const siteToken = () => `${rig.api.site.id}.${rig.api.site.secret}`;
const edgeLink = (visitId: string, token = siteToken()) =>
  rig.api.call('POST', '/edge/pay-link', { token, body: { visitId, plateCharacters: 2, language: 'pl' } });

it('opens a stay, with nothing personal in its address', async () => {
  const visit = await rig.api.visit({ plate: 'ABX12' });
  const { url, expiresOn } = await new PayLinks(rig.api.context).sent(visit.id);
  expect(readableIn(linkOf(url), visit)).toEqual([]);
  expect(url).not.toContain('ABX12');
  expect(linkOf(url)).toMatch(/^[\w-]{51}$/);
  expect(Date.parse(expiresOn)).toBeGreaterThan(Date.parse(rig.api.now()) + 59 * DAY_MS);
  expect((await open(linkOf(url))).body).toMatchObject({
    stay: { plate: 'ABX12', proved: true, startedAt: visit.startedAt },
  });
});

it('is refused when any part of it is changed, and when it has expired', async () => {
  const visit = await rig.api.visit({ plate: 'ABX12' });
  const link = linkOf((await new PayLinks(rig.api.context).sent(visit.id)).url);
  const bytes = Buffer.from(link, 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect((await open(changed.toString('base64url'))).body, `byte ${at}`).toMatchObject({ code: 'expired' });
  }
  rig.api.wait(60 * DAY_MS);
  expect((await open(link)).body).toMatchObject({ code: 'expired' });
});

it('of a kiosk shows as much of the plate as the kiosk, pays, and proves nothing', async () => {
  const visit = await rig.api.visit({ plate: 'ABX12' });
  const { body } = await edgeLink(visit.id);
  expect(body['url']).toMatch(/\/pay\?lang=pl#[\w-]{51}$/);
  const opened = await open(linkOf(body['url']));
  expect(opened.body).toMatchObject({ stay: { plate: 'AB•••', proved: true, startedAt: visit.startedAt } });
  const { key } = opened.body['stay'] as { key: string };
  const due = await rig.api.call('POST', PAY_PATHS.due, { token: null, body: { stay: key } });
  expect(due.body).toMatchObject({ standing: 'due', amountMinor: 500 });
  const stays = new PayStays(rig.api.context, rig.payments);
  expect(await stays.provedVisit(key)).toBeNull();
  // The link shows no more, even if the driver has typed the whole plate.
  const whole = await new PayLinks(rig.api.context).shown(visit.id, 5);
  const opened5 = (await open(linkOf(whole.url))).body['stay'] as { key: string; plate: string };
  expect(opened5.plate).toBe('ABX12');
  expect(await stays.provedVisit(opened5.key)).toBeNull();
  const sent = (await open(linkOf((await new PayLinks(rig.api.context).sent(visit.id)).url))).body['stay'];
  expect(await stays.provedVisit((sent as { key: string }).key)).toMatchObject({
    visit: { id: visit.id },
    bySent: true,
  });
  rig.api.wait(HOUR_MS);
  expect((await open(linkOf(body['url']))).body).toMatchObject({ code: 'expired' });
});

it('is made for a site’s own stays only, and where the site takes cards', async () => {
  const visit = await rig.api.visit({ plate: 'ABX12' });
  const other = await rig.api.addSite('Airport');
  expect((await edgeLink(visit.id, `${other.id}.${other.secret}`)).status).toBe(404);
  expect((await edgeLink(crypto.randomUUID())).status).toBe(404);
  const setting = { body: { settings: { cardGateway: 'none' } } };
  const path = `/sites/${rig.api.site.id}`;
  const named = await rig.api.call('PUT', path, setting);
  expect([named.status, JSON.stringify(named.body['codes'])]).toEqual([
    400,
    expect.stringContaining('testing2'),
  ]);
  // The cloud had it once.
  await rig.api.db.write(async ({ q }) => {
    await q.update(siteTable).set({ settings: SiteSettingsSchema.parse({ cardGateway: 'none' }) });
  });
  const refused = await edgeLink(visit.id);
  expect(refused.status).toBe(409);
});

it('comes with its QR code for a letter, and is in the audit log without the link', async () => {
  const visit = await rig.api.visit({ plate: 'ABX12' });
  const { body } = await rig.api.call('POST', `/visit/${visit.id}/pay-link`, { body: { language: 'en' } });
  expect((await open(linkOf(body['url']))).body).toMatchObject({ stay: { plate: 'ABX12' } });
  expect(body['qr']).toMatch(/^<svg [^>]*viewBox="0 0 \d+ \d+">/);
  const audited = JSON.stringify(await rig.api.audited());
  expect(audited).toContain('visit.pay-link');
  expect(audited).not.toContain(linkOf(body['url']));
});

it('prints a sign of the site in the wanted languages', async () => {
  const path = `/sites/${rig.api.site.id}/pay-sign`;
  const textAt = async (address: string) => {
    const headers = { authorization: `Bearer ${rig.api.operator}` };
    return await (await rig.api.app.request(address, { headers })).text();
  };
  const sign = await textAt(`${path}?languages=is,pl`);
  expect(sign).toMatch(/Greiddu með símanum[\s\S]*Zapłać telefonem/);
  expect(sign).toContain(`/pay/${rig.api.site.code}</text>`);
  expect(sign).toMatch(/500.kr\. fyrir hvern byrjaðan sólarhring[\s\S]*500.ISK za każdą rozpoczętą dobę/);
  expect((await rig.api.call('GET', `${path}?languages=xx`)).status).toBe(400);
  await rig.api.call('PUT', `/sites/${rig.api.site.id}`, {
    body: { settings: { payOnline: 'https://parking.example/?a&b' } },
  });
  expect(await textAt(path)).toContain('parking.example/?a&amp;b<');
});
