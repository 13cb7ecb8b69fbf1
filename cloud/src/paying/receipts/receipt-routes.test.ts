import { randomUUID } from 'node:crypto';
import { LANGUAGE_NAMES, LANGUAGES } from '@hlid/protocol/base/language';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { reportPayment, reportStates, samplePayment } from '../../../test/payments.ts';
import { loginAttemptTable } from '../../records/auth/token-table.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

async function read(key: string | undefined, lang?: string) {
  const response = await api.app.request(`/receipt/${key}${lang === undefined ? '' : `?lang=${lang}`}`);
  const html = await response.text();
  // The text as people see it: no markup, and spaces as they are typed.
  const text = html
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/<[^>]+>/g, '|')
    .replace(/[\s\u00a0]+/g, ' ')
    .replace(/(\| ?)+/g, '|');
  return { status: response.status, headers: response.headers, html, text };
}

it('shows what was paid, for what, and by which card, in the language asked for', async () => {
  const { id: visitId } = await api.visit({ plate: 'ABX12' });
  const lines = [
    { rule: 'free' as const, units: 15, amountMinor: 0 },
    { rule: 'step' as const, units: 3, amountMinor: 1000, minutes: 30 },
  ];
  const product = { id: randomUUID(), version: 1, vatRate: 24 };
  const payment = samplePayment({ visitId, lines, product });
  await reportPayment(api, payment);
  const icelandic = await read(payment.receiptKey);
  expect(icelandic.status).toBe(200);
  expect(icelandic.html).toContain('<html lang="is">');
  expect(icelandic.text).toContain('|Bílnúmer|ABX12|');
  expect(icelandic.text).toContain('|Kort|Visa •••• 4242|');
  expect(icelandic.text).toContain('|Gjaldfrjáls tími|15 mínútur|0 kr.|');
  expect(icelandic.text).toContain('|Bílastæði|3 × 30 mínútur|1.000 kr.|');
  expect(icelandic.text).toContain('|Þar af VSK 24%|194 kr.|');
  expect(icelandic.text).toContain('|Kvittun nr.|1|');
  const english = await read(payment.receiptKey, 'en');
  expect(english.html).toContain('<html lang="en">');
  expect(english.text).toContain('|Paid|ISK 1,000|');
  expect(english.text).toContain('|Parking|3 × 30 minutes|ISK 1,000|');
  const polish = await read(payment.receiptKey, 'pl');
  expect(polish.text).toContain('|Zapłacono|1000 ISK|');
  expect(polish.text).toContain('|Parking|3 × 30 minut|1000 ISK|');
  for (const language of LANGUAGES) {
    const { html, text } = await read(payment.receiptKey, language);
    expect(html).toContain(`<html lang="${language}">`);
    // Every other language is one touch away.
    for (const other of LANGUAGES) expect(html).toContain(`href="?lang=${other}"`);
    expect(text).toContain(LANGUAGE_NAMES[language]);
  }
});

it('says until when the exit opens without another payment, with the date, and the code on paper leads here', async () => {
  await api.made('/products', { type: 'default', price: 1000, vehicleCategory: 'light', productCode: 'L' });
  const { id: visitId } = await api.visit({ plate: 'ABX12' });
  const payment = samplePayment({ visitId });
  await reportPayment(api, payment);
  await api.call('PUT', `/visit/${visitId}`, { body: { paymentStatus: 'kiosk' } });
  const until = async () => /\|Paid until\|([^|]*)\|/.exec((await read(payment.receiptKey, 'en')).text)?.[1];
  const shown = await until();
  expect(shown).toMatch(/^\d{1,2} Nov 2026, \d\d:\d\d$/);
  for (const language of LANGUAGES) {
    expect((await read(payment.receiptKey, language)).text).toContain('2026');
  }
  const page = await read(payment.receiptKey, 'en');
  expect(page.html).toContain(`<span>https://hlid.example/receipt/${payment.receiptKey}</span>`);
  // Ours, where the seller has no logo.
  expect(page.html).toContain('<svg class="mark"');
  const gone = await api.visit({ plate: 'NKR77', status: 'completed', endedAt: api.now() });
  const before = samplePayment({ visitId: gone.id });
  await reportPayment(api, before);
  const left = (await read(before.receiptKey, 'en')).text;
  expect([left.includes('|Paid until|'), left.includes('|Left|')]).toEqual([false, true]);
});

it('names the tariff that made the price by its version and its digest, also after it changed', async () => {
  const product = { type: 'default', price: 500, vehicleCategory: 'light', productCode: 'L' };
  const first = await api.made('/products', product);
  const { id: visitId } = await api.visit({ plate: 'ABX12' });
  const payment = samplePayment({ visitId, product: { id: first.id, version: 1, vatRate: 24 } });
  await reportPayment(api, payment);
  await api.call('PUT', `/products/${first.id}`, { body: { price: 900 } });
  const { body: now } = await api.call('GET', `/products/${first.id}`);
  expect([now['version'], now['hash']]).not.toEqual([1, first['hash']]);
  expect((await read(payment.receiptKey, 'en')).text).toContain(`|Tariff|1 · ${first['hash']}|`);
});

it.each(LANGUAGES)('names the card once, and has no words of the terminal: %s', async (language) => {
  const receipt = ['** KUNDENBELEG **', 'Bezahlung', 'VISA ############4242'];
  const payment = samplePayment({ receipt });
  await reportPayment(api, payment);
  const { text } = await read(payment.receiptKey, language);
  expect(text.match(/4242/g)).toHaveLength(1);
  expect(text).not.toMatch(/BELEG|Bezahlung/);
});

it('is found with the key alone, and kept in no cache', async () => {
  const payment = samplePayment();
  await reportPayment(api, payment);
  const { headers } = await read(payment.receiptKey);
  expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
  expect(headers.get('cache-control')).toBe('private, no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^;]*; font-src 'self'; script-src 'sha256-[^;]*; img-src data:;/,
  );
  expect((await read(payment.id)).status).toBe(404);
});

it('says that a payment is being checked, was given back, or came to nothing', async () => {
  const [checking, reversed, declined] = [samplePayment(), samplePayment(), samplePayment()];
  await reportStates(api, checking, 'sent', 'unknown');
  await reportStates(api, reversed, 'settled', 'reversed');
  await reportStates(api, declined, 'sent', 'declined');
  expect((await read(checking.receiptKey, 'en')).text).toContain('Please do not pay again');
  expect((await read(reversed.receiptKey, 'en')).text).toMatch(/\|Refunded\|.*\|Refunded on\|21 Nov 2026/);
  const { text } = await read(declined.receiptKey, 'en');
  expect(text).toContain('|Not paid|');
  expect(text).not.toContain('VAT');
});

it('shows who sells it, as receipts have to', async () => {
  const { body } = await api.call('GET', `/sites/${api.site.id}`);
  const logo = 'data:image/png;base64,iVBORw0KGgo=';
  const seller = {
    name: 'Höfnin & synir ehf.',
    ssn: '5501234560',
    vatNumber: '12345',
    address: 'Geirsgata 1, 101 Reykjavík',
    logo,
  };
  const settings = { ...(body['settings'] as object), seller };
  await api.call('PUT', `/sites/${api.site.id}`, { body: { settings } });
  const payment = samplePayment();
  await reportPayment(api, payment);
  const { html } = await read(payment.receiptKey);
  expect(html).toContain('<dd>Höfnin &amp; synir ehf.</dd>');
  expect(html).toContain('<dd>12345</dd>');
  expect(html).toContain('<dd>Geirsgata 1, 101 Reykjavík</dd>');
  expect(html).toContain(`<img class="logo" src="${logo}" alt="">`);
});

it('takes no logo that is fetched from elsewhere, or is large', async () => {
  const of = (logo: string) => ({ settings: { seller: { name: 'Höfnin ehf.', ssn: '5501234560', logo } } });
  for (const logo of ['https://höfnin.is/logo.png', `data:image/png;base64,${'A'.repeat(20_000)}`]) {
    expect((await api.call('PUT', `/sites/${api.site.id}`, { body: of(logo) })).status).toBe(400);
  }
});

it('takes nothing that a site says for markup', async () => {
  const lines = [{ rule: 'step' as const, units: 1, amountMinor: 1000, label: { is: '<script>alert(1)' } }];
  const payment = samplePayment({ lines });
  await reportPayment(api, payment);
  expect((await read(payment.receiptKey)).html).toContain('&lt;script&gt;alert(1)');
});

it('asks to try again later at an address that it does not know, and not to guess', async () => {
  const { status, text } = await read('B'.repeat(22), 'en');
  expect(status).toBe(404);
  expect(text).toContain('Try again in a few minutes.');
  // The address has used up its attempts.
  await api.db.write(async ({ q }) => void (await q.update(loginAttemptTable).set({ attempts: 300 })));
  expect((await read('C'.repeat(22))).status).toBe(429);
  const payment = samplePayment();
  await reportPayment(api, payment);
  expect((await read(payment.receiptKey)).status).toBe(200);
});
