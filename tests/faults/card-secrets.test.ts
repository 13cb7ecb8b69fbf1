import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { API_KEY } from '@hlid/cloud/test/api';
import { createOnlineRig, type OnlineRig } from '@hlid/cloud/test/online-payments';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { cardNumbersIn } from './card-numbers.ts';

let rig: OnlineRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

it('no card number, security code or encrypted card is on a disk, in a log or in an answer', async () => {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const log = pino({ level: 'trace' }, sink);
  rig = await createOnlineRig({ log });
  const { api } = rig;
  await api.visit({ plate: 'ABX12' });
  const answers: string[] = [];
  const call = async (path: string, body: unknown, key = 'k') => {
    const headers = { 'x-api-key': API_KEY, 'idempotency-key': key };
    const answer = await api.call('POST', path, { token: null, headers, body });
    answers.push(JSON.stringify(answer.body));
    return answer.body;
  };
  // The code is so long that no number contains it by chance.
  const code = '98147025936';
  const numbers = ['4000000000000036', '4000000000000051', '5105105105105100', '4111111111111112'];
  for (const [n, number] of numbers.entries()) {
    const card = { number, ccv: '981', expire: '12/35', [`pin${code}`]: code };
    const begun = await call('/payments/init', { vehicle: 'ABX12', provider: 'testing2', card }, `a${n}`);
    await call('/payments/process/finalize', { context: { reference: begun['reference'], card } }, `b${n}`);
    await call('/purchase-product', { vehicle: 'ABX12', provider: 'testing2', card }, `c${n}`);
    await call('/purchase-product', { vehicle: 'ABX12', provider: 'testing2', card: number }, `d${n}`);
    await call('/payments/init', { vehicle: 'ABX12', card: { ...card, number: [number] } }, `e${n}`);
    const encryptedCard = Buffer.from(JSON.stringify(card)).toString('base64');
    const context = { reference: begun['reference'], encryptedCard, publicKeyAlias: 'testing2' };
    await call('/payments/process/3dSecure', { context }, `f${n}`);
    await rig.resolver.run();
  }
  const malformed = await api.call('POST', '/payments/init', {
    token: null,
    headers: { 'x-api-key': API_KEY },
    body: `{"card":{"number":"${numbers[0]}"`,
  });
  answers.push(JSON.stringify(malformed.body));
  const folders = [join(api.dbPath, '..'), rig.dataDir];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name))),
  );
  expect(files.length).toBeGreaterThan(1);
  expect(lines.length).toBeGreaterThan(10);
  for (const content of [...files, lines.join('\n'), answers.join('\n')]) {
    expect(cardNumbersIn(content)).toEqual([]);
    expect(content.includes(code)).toBe(false);
    for (const number of numbers) expect(content.includes(number)).toBe(false);
    expect(content.includes(Buffer.from('{"number":"').toString('base64').slice(0, 12))).toBe(false);
  }
});
