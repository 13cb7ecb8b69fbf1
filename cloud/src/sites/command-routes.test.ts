import { CommandSchema } from '@hlid/protocol/commands';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../test/api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
  api.bus.play(api.site.id);
});
afterEach(() => api.close());

const BODY = { reason: 'A bicycle' };
const command = (
  verb: string,
  options: { site?: string; lane?: string; body?: unknown; token?: string } = {},
) => {
  const { site = api.site.id, lane = 'out-1', body = BODY, ...more } = options;
  return api.call('POST', `/sites/${site}/lanes/${lane}/${verb}`, { body, ...more });
};
const commands = () => api.bus.sent.map(({ payload }) => CommandSchema.parse(JSON.parse(payload)));

describe.each(['open', 'hold', 'close', 'release'])('%s', (verb) => {
  it('sends it to the site, and returns the result', async () => {
    const answer = await command(verb);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: expect.any(String),
      outcome: 'done',
      lanes: [{ laneId: 'out-1', outcome: 'done' }],
    });
    expect(commands()).toMatchObject([
      {
        id: answer.body['id'],
        action: verb,
        laneId: 'out-1',
        by: 'account:the-operator',
        reason: 'A bicycle',
      },
    ]);
  });

  it('is for operators only', async () => {
    expect((await command(verb, { token: await api.account('customer') })).status).toBe(403);
    expect(commands()).toEqual([]);
  });

  it('needs a reason', async () => {
    const answer = await command(verb, { body: { reason: ' ', force: true } });
    expect(answer.status).toBe(400);
    expect(answer.body['messages']).toHaveLength(2);
  });
});

it('audits the wish before the site hears of it, and the answer after', async () => {
  const seen: string[] = [];
  api.bus.play(api.site.id, () => {
    void api.audited().then((rows) => seen.push(...rows.map(({ action }) => action)));
    return { outcome: 'refused', lanes: [{ laneId: 'out-1', outcome: 'refused' }] };
  });
  const answer = await command('hold');
  const rows = (await api.audited()).filter(({ action }) => action.startsWith('gate.'));
  expect(rows).toHaveLength(2);
  expect(rows.find(({ action }) => action === 'gate.hold')).toMatchObject({
    by: 'account:the-operator',
    subjectId: api.site.id,
    reason: 'A bicycle',
  });
  expect(rows.find(({ action }) => action === 'gate.hold.answer')?.after).toMatchObject({
    outcome: 'refused',
  });
  expect(seen).toContain('gate.hold');
  expect(answer.status).toBe(502);
});

it.each([
  ['refused', 'out-1: the gate refused, or cannot do that'],
  ['unreachable', 'out-1: the gate cannot be reached; nothing was done'],
  ['unknown', 'out-1: the gate did not answer; it may have moved'],
] as const)('says of a gate that is %s what that means', async (outcome, message) => {
  api.bus.play(api.site.id, () => ({ outcome, lanes: [{ laneId: 'out-1', outcome }] }));
  const answer = await command('open');
  expect([answer.status, answer.body['messages']]).toEqual([502, [message]]);
});

it('answers at once where the site is not connected, and keeps nothing for it', async () => {
  api.bus.disconnect(api.site.id);
  expect((await command('open')).status).toBe(503);
  expect(commands()).toEqual([]);
});

it('does not wait long for a site that is silent', async () => {
  api.bus.play(api.site.id, () => null);
  const answer = await command('open');
  expect(answer.status).toBe(504);
});

it('says a command again with its echo to a site whose clock is off, and no other', async () => {
  const echo = '01980000-0000-7000-8000-000000000007';
  api.bus.play(api.site.id, (command) =>
    command.echo === echo ? {} : { outcome: 'expired', lanes: [], echo },
  );
  expect((await command('open')).status).toBe(200);
  const [first, second] = commands();
  expect([first?.id === second?.id, first?.echo, second?.echo]).toEqual([true, null, echo]);
});

it('takes no other site’s word for it', async () => {
  api.bus.play(api.site.id, ({ id, sentAt }) => {
    api.bus.deliver('another-site', 'cmd/reply', {
      v: 1,
      id,
      outcome: 'done',
      lanes: [],
      echo: null,
      at: sentAt,
    });
    return null;
  });
  expect((await command('open')).status).toBe(504);
});

it('knows neither a site nor a lane that is not there', async () => {
  expect((await command('open', { site: 'nowhere' })).status).toBe(404);
  api.bus.play(api.site.id, () => ({ outcome: 'unknown-lane', lanes: [] }));
  const answer = await command('open', { lane: 'out-9' });
  expect([answer.status, answer.body['messages']]).toEqual([404, ['There is no such lane at this site.']]);
});

it.each(['hold', 'release'])('%ss every gate of a site', async (verb) => {
  const answer = await api.call('POST', `/sites/${api.site.id}/gates/${verb}`, { body: BODY });
  expect(answer.status).toBe(200);
  expect(commands()).toMatchObject([{ action: verb, laneId: null }]);
  const gone = await api.call('POST', `/sites/nowhere/gates/${verb}`, { body: BODY });
  expect(gone.status).toBe(404);
  const { status } = await api.call('POST', `/sites/${api.site.id}/gates/${verb}`, {
    body: BODY,
    token: await api.account('partner'),
  });
  expect(status).toBe(403);
});
