import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Network, startNetwork } from '../harness/network.ts';
import { waitFor } from '../harness/wait.ts';

const BoardSchema = z.looseObject({
  board: z
    .looseObject({
      lanes: z.array(z.looseObject({ id: z.string(), gate: z.looseObject({ state: z.string() }) })),
    })
    .nullable(),
});
const DevicesSchema = z.looseObject({ devices: z.array(z.looseObject({ kind: z.string() })) });
const OpeningSchema = z.looseObject({
  steps: z.array(z.looseObject({ step: z.string(), state: z.string(), reason: z.string() })),
});

describe('a site without gates', () => {
  let network: Network;
  beforeAll(async () => {
    network = await startNetwork({ gate: 'none', settings: { entryGraceMinutes: 0 } });
  });
  afterAll(() => network?.stop());

  const siteUrl = () => `/sites/${network.site.siteId}`;

  it('lets cars through, and has their visits, unpaid ones too', async () => {
    expect(await network.lane('in-1').passes('ABX12')).toMatchObject({ open: true, gate: 'untouched' });
    expect(await network.lane('out-2').passes('ABX12')).toMatchObject({ open: true, reason: 'left-unpaid' });
    await network.settled();
    expect(await network.operator.visits({ plate: 'ABX12' })).toMatchObject([
      { endedOn: expect.any(String), status: 'need-payment', paymentStatus: null, due: { amount: 500 } },
    ]);
    expect(network.relay.openings(network.lane('in-1').plan.output)).toBe(0);
  });

  it('shows that there is no gate, refuses to move one, and has no device that could fail', async () => {
    const states = await waitFor(
      async () => {
        const { board } = await network.operator.call(BoardSchema, 'GET', `${siteUrl()}/lanes`);
        return board?.lanes.map(({ gate }) => gate.state);
      },
      { what: 'the board of the site' },
    );
    expect(states).toEqual(['none', 'none', 'none', 'none']);
    const command = { reasonCode: 'device-fault', note: 'Let them out' };
    expect(await network.operator.ask('POST', `${siteUrl()}/lanes/in-1/open`, command)).toMatchObject({
      status: 404,
      body: { messages: ['There is no such gate at this lane.'] },
    });
    expect(await network.operator.ask('POST', `${siteUrl()}/gates/hold`, command)).toMatchObject({
      status: 200,
      body: { lanes: [] },
    });
    const response = await fetch(new URL('/api/devices', network.edge.localUrl()));
    const { devices } = DevicesSchema.parse(await response.json());
    expect(devices.filter(({ kind }) => kind === 'gate')).toEqual([]);
  });

  it('is opened without trying gates', async () => {
    const { steps } = await network.operator.call(OpeningSchema, 'GET', `${siteUrl()}/opening`);
    expect(steps.find(({ step }) => step === 'gates')).toMatchObject({ state: 'done', reason: 'no-gates' });
    expect(steps.find(({ step }) => step === 'lanes')).toMatchObject({ state: 'done' });
  });
});
