import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GatewayOrder } from '@hlid/cloud/platform/card-gateways/gateway';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { expect, it } from 'vitest';
import { VERIFONE_CARDS } from '../sim/verifone-gateway-books.ts';
import { startVerifoneRig } from '../sim/verifone-gateway-rig.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';

/** A page that uses the two scripts as the document "Server-to-Server Payments with 3D Secure" describes. */
const PAGE_SCRIPT = `
  const card = (cardNumber) => ({ cardNumber, expiryMonth: '12', expiryYear: '30', cvv: '123' });
  const setUp = (jwt) => new Promise((resolve) => {
    Cardinal.configure({ timeout: 6000 });
    Cardinal.on('payments.setupComplete', resolve);
    Cardinal.setup('init', { jwt });
  });
  window.pay = async ({ jwt, publicKey }, number) => ({
    sessionId: (await setUp(jwt)).sessionId,
    encryptedCard: await verifone.encryptCard(card(number), publicKey),
  });
  window.prove = async ({ jwt }, { acsUrl, payload, transactionId }) => {
    await setUp(jwt);
    return new Promise((resolve) => {
      Cardinal.on('payments.validated', (data, token) => resolve({ action: data.ActionCode, token }));
      Cardinal.continue('cca', { AcsUrl: acsUrl, Payload: payload }, { OrderDetails: { TransactionId: transactionId } });
    });
  };
`;

/** Serves a page of another origin than the provider's, with the content policy that the gateway needs. */
async function servePage(html: string, policy: string) {
  const server = createServer((_request, response) => {
    response.setHeader('content-security-policy', policy).setHeader('content-type', 'text/html').end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

it.skipIf(!CHROMIUM_IS_HERE)(
  'a page encrypts a card and carries out a challenge by Verifone’s scripts',
  async () => {
    const rig = await startVerifoneRig();
    const { gateway } = rig;
    const { script, connect, frame, form } = gateway.pageSources;
    const policy = [
      "default-src 'none'",
      "style-src 'unsafe-inline'",
      `script-src 'unsafe-inline' ${script.join(' ')}`,
      `connect-src ${connect.join(' ')}`,
      `frame-src ${frame.join(' ')}`,
      `form-action ${form.join(' ')}`,
    ].join('; ');
    const order: GatewayOrder = {
      id: crypto.randomUUID(),
      amountMinor: 1500,
      currency: 'ISK',
      language: 'is',
      email: null,
      createdAt: utcTime(Date.now()),
    };
    const begun = await gateway.begin(order);
    if (begun.kind !== 'tokens') throw new Error(JSON.stringify(begun));
    const { tokens } = begun;
    const scripts = ['encryptionScript', 'authenticationScript'].map(
      (name) => `<script src="${tokens[name]}"></script>`,
    );
    const html = `<!doctype html><title>Pay</title>${scripts.join('')}<script>${PAGE_SCRIPT}</script>`;
    const site = await servePage(html, policy);
    const browser = await startChromium();
    try {
      const page = await browser.newPage();
      const problems: string[] = [];
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
      await page.goto(site.url);
      const number = VERIFONE_CARDS.challenged;
      const { sessionId, encryptedCard } = (await page.evaluate(
        `pay(${JSON.stringify(tokens)}, ${JSON.stringify(number)})`,
      )) as { sessionId: string; encryptedCard: string };
      const source = {
        kind: 'encrypted',
        encryptedCard,
        publicKeyAlias: tokens['publicKeyAlias'] ?? '',
      } as const;
      const step = await gateway.authenticate(order, { state: begun.state, source, sessionId });
      if (step.kind !== 'challenge') throw new Error(JSON.stringify(step));
      const proving = page.evaluate(`prove(${JSON.stringify(tokens)}, ${JSON.stringify(step.challenge)})`);
      await page.frameLocator('#Cardinal-CCA-IFrame').getByRole('button', { name: 'Approve' }).click();
      const { action, token } = (await proving) as { action: string; token: string };
      expect(action).toBe('SUCCESS');
      const proved = await gateway.verify(order, { state: step.state, threedsToken: token });
      if (proved.kind !== 'authenticated') throw new Error(JSON.stringify(proved));
      const paying = { state: proved.state, source, storeCard: false, initiator: 'driver' } as const;
      expect(await gateway.charge(order, paying)).toMatchObject({ kind: 'approved' });
      expect(problems.filter((text) => !text.includes('favicon'))).toEqual([]);
      expect(rig.complaints()).toEqual([]);
    } finally {
      await browser.close();
      site.close();
      await rig.close();
    }
  },
);
