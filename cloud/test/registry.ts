import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpRegistry } from '../src/platform/vehicle-registry/http-registry.ts';

type Answering = (response: ServerResponse, path: string) => void;

/** A register of vehicles over real HTTP, as the authority’s, for tests: with faults where they are asked for. */
export async function startTestRegistry({ timeoutMs = 1000 } = {}) {
  const vehicles = new Map<string, unknown>();
  const asked: string[] = [];
  const headers: (string | undefined)[] = [];
  let answering: Answering | null = null;
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    asked.push(path);
    headers.push(request.headers.authorization);
    if (answering !== null) return answering(response, path);
    const vehicle = vehicles.get(path);
    response.statusCode = vehicle === undefined ? 404 : 200;
    response.end(JSON.stringify(vehicle ?? { message: 'Not found' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  const addresses = {
    byPlate: `${url}/plate/{plate}`,
    byId: `${url}/id/{id}`,
    headers: { authorization: 'Bearer secret' },
    timeoutMs,
  };

  return {
    addresses,
    registry: new HttpRegistry(addresses),
    /** Paths, oldest first. */
    asked,
    headers,
    /** Registers a vehicle in the authority’s spelling; its previous plate is free then. */
    has(plate: string, fields: { permno?: string; massladen?: number; [name: string]: unknown } = {}) {
      const { massladen = 1998, permno = plate, ...more } = fields;
      for (const [path, vehicle] of vehicles) {
        if ((vehicle as { permno: string }).permno === permno) vehicles.delete(path);
      }
      const answer = { permno, regno: plate, make: 'SKODA', techincal: { mass: { massladen } }, ...more };
      vehicles.set(`/plate/${plate}`, answer);
      vehicles.set(`/id/${permno}`, answer);
    },
    /** How it answers from now on; null: as it should. */
    answers(how: Answering | null) {
      answering = how;
    },
    fails() {
      answering = (response) => {
        response.statusCode = 500;
        response.end('Internal error');
      };
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type TestRegistry = Awaited<ReturnType<typeof startTestRegistry>>;
