import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestRegistry, type TestRegistry } from '../../../test/registry.ts';
import { HttpRegistry } from './http-registry.ts';

const ANSWER = readFileSync(
  new URL('../../../../tests/fixtures/vehicles/samgongustofa-answer.json', import.meta.url),
  'utf8',
);
const signal = new AbortController().signal;

let peer: TestRegistry;
beforeEach(async () => {
  peer = await startTestRegistry({ timeoutMs: 300 });
});
afterEach(() => peer.stop());

it('an answer of the Icelandic Transport Authority is read, current owner and main operator in it', async () => {
  peer.answers((response) => response.end(ANSWER));
  expect(await peer.registry.find({ plate: 'TRX77' }, signal)).toEqual({
    regno: 'TRX77',
    permno: 'TRX77',
    vin: 'HLIDTEST000000002',
    seats: 2,
    passengers: 1,
    vehicleCategory: 'N3',
    vehicleGroup: 'Vörubifreið (N3)',
    useGroup: 'Almenn notkun',
    make: 'VOLVO',
    model: 'FH',
    modelYear: null,
    color: 'Hvítur',
    massinro: 8900,
    massladen: 18_000,
    taxGroup: null,
    registeredOn: '2019-06-01',
    country: 'IS',
    operator: {
      ssn: '0101307789',
      name: 'Gervi Flutningar ehf.',
      insuranceCode: null,
      registrationDate: '2020-01-02',
      purchaseDate: null,
    },
    owner: {
      ssn: '0101303019',
      name: 'Gervi Fjármögnun ehf.',
      insuranceCode: '0001',
      registrationDate: '2019-06-02',
      purchaseDate: '2019-06-01',
    },
  });
  expect(peer.headers).toEqual(['Bearer secret']);
});

it('numbers in words, times behind dates, and nothing at all are borne', async () => {
  const answer = {
    regno: 'A1',
    firstregdate: '1994-05-20T00:00:00',
    technical: { seatno: '5', mass: { massladen: '3501', massinro: '' } },
    owners: [{ current: '1', persidno: '', fullname: null }],
  };
  peer.answers((response) => response.end(JSON.stringify(answer)));
  expect(await peer.registry.find({ id: 'x' }, signal)).toMatchObject({
    seats: 5,
    massladen: 3501,
    massinro: null,
    registeredOn: '1994-05-20',
    operator: null,
    owner: { ssn: null, name: null },
  });
});

it('a plate or an id is asked for at its address, whatever is in it', async () => {
  expect(await peer.registry.find({ plate: 'ÞÓR1' }, signal)).toBeNull();
  expect(await peer.registry.find({ id: '../x?y=$&' }, signal)).toBeNull();
  expect(peer.asked).toEqual(['/plate/ÞÓR1', '/id/../x?y=$&']);
});

it.each(['null', '[]', '{}', '{"regno":"","permno":"KZ345"}'])(
  'an answer of %s is no vehicle',
  async (body) => {
    peer.answers((response) => response.end(body));
    expect(await peer.registry.find({ id: 'KZ345' }, signal)).toBeNull();
  },
);

describe('a fault has its own reason:', () => {
  it.each([
    ['500', 500, '{}'],
    ['too many requests', 429, '{}'],
    ['a redirect elsewhere', 302, ''],
    ['a page', 200, '<html>Sign in</html>'],
    ['no vehicle', 200, '{"error":"odd"}'],
    ['a vehicle of odd weight', 200, '{"regno":"A1","techincal":{"mass":{"massladen":"much"}}}'],
    ['a flood', 200, `{"regno":"${'A'.repeat(600 * 1024)}"}`],
  ])('%s', async (_what, status, body) => {
    peer.answers((response) => {
      response.writeHead(status, { location: 'http://127.0.0.1:1/steal' });
      response.end(body);
    });
    await expect(peer.registry.find({ plate: 'A1' }, signal)).rejects.toMatchObject({
      code: 'peer-misbehaved',
    });
    expect(peer.asked).toHaveLength(1);
  });

  it('silence', async () => {
    peer.answers(() => undefined);
    await expect(peer.registry.find({ plate: 'A1' }, signal)).rejects.toMatchObject({
      code: 'deadline-passed',
    });
  });

  it('an answer that trickles', async () => {
    peer.answers((response) => {
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    });
    await expect(peer.registry.find({ plate: 'A1' }, signal)).rejects.toMatchObject({
      code: 'deadline-passed',
    });
  });

  it('a line that is cut', async () => {
    peer.answers((response) => response.destroy());
    await expect(peer.registry.find({ plate: 'A1' }, signal)).rejects.toMatchObject({ code: 'link-lost' });
  });

  it('no server there', async () => {
    await peer.stop();
    await expect(peer.registry.find({ plate: 'A1' }, signal)).rejects.toMatchObject({ code: 'link-lost' });
    peer = await startTestRegistry();
  });
});

it('is called by its host', () => {
  const addresses = { byId: 'x', headers: {}, timeoutMs: 100 };
  const registry = new HttpRegistry({ ...addresses, byPlate: 'https://vehicles.example/v1/{plate}?full=1' });
  expect(registry.source).toBe('vehicles.example');
});
