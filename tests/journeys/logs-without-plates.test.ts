import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Network, startNetwork } from '../harness/network.ts';
import { waitFor } from '../harness/wait.ts';
import { post } from '../sim/camera.ts';

/** More than a program keeps of its log. */
const EVERY_LINE = 100_000;

describe('at the usual log level', () => {
  let network: Network;
  beforeAll(async () => {
    network = await startNetwork();
  });
  afterAll(() => network?.stop());

  /** Plates as they come in, and as they are kept. */
  const PLATES = ['ABX12', 'MKJ45', 'TUS77', 'ZOE63', 'HLF28', 'QX-Z77', 'QXZ77'];
  const linesWith = (plates: readonly string[]) =>
    [network.edge, network.cloud].flatMap((program) =>
      program
        .tail(EVERY_LINE)
        .split('\n')
        .filter((line) => plates.some((plate) => line.includes(plate))),
    );

  it('no log line of either program contains a plate, whatever happens', async () => {
    const { operator } = network;
    await operator.addPermit('ABX12');
    await operator.ask('POST', '/visit/whitelist', {
      plate: 'MKJ45',
      reason: 'MKJ45 again',
      effect: 'block',
    });
    await network.settled();
    await network.lane('in-1').passes('ABX12');
    await network.lane('in-2').passes('MKJ45');
    await network.lane('in-1').passes('TUS77');
    await network.lane('out-1').passes('ZOE63');
    await network.settled();

    // Plates occur in addresses, in queries, in bodies that are refused, and in documents that cannot be
    // read.
    const [visit] = await operator.visits({ plate: 'TUS77' });
    await operator.ask('PUT', `/visit/${visit?.id}`, { plate: 'HLF28', reason: 'It is HLF28, not TUS77' });
    for (const path of [
      '/vehicle/QX-Z77',
      '/vehicle/%00QXZ77',
      '/privacy/plates/QX-Z77',
      '/visits?plate=QXZ77&x=QXZ77',
    ]) {
      await operator.ask('GET', path);
    }
    await operator.ask('POST', '/visits', { plate: 'QXZ77', startedOn: 'QXZ77' });
    await operator.ask('DELETE', '/privacy/plates/HLF28');
    const exit = network.lane('out-2');
    await post(exit.pushUrl(), { body: '{"plate":"QXZ77"', headers: {} });
    await post(`${exit.pushUrl()}&plate=QXZ77`, { body: '{"anpr":{"@plate":"QXZ77"}}', headers: {} });
    await fetch(new URL('/api/kiosk/visits?plate=QXZ77', network.edge.localUrl()));
    await network.edge.restart();
    await network.cloud.restart();
    await network.settled();
    await waitFor(() => network.edge.logged('gate.moved').length > 0, { what: 'a log' });

    expect(linesWith(PLATES)).toEqual([]);
  });
});
