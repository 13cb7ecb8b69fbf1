import type { Server, ServerResponse } from 'node:http';
import { Fault, messageOf } from '@hlid/protocol/fault';

/**
 * Begins to listen, and says where: a wildcard host is named by the loopback address, port 0 by the one that was
 * found. Throws Fault 'config-invalid' that names the setting to change.
 */
export async function listen(
  server: Server,
  where: { host: string; port: number; setBy: string },
): Promise<string> {
  const { host, port, setBy } = where;
  countAnswers(server);
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${messageOf(error)})`;
      const message = `Port ${port} on ${host} ${taken}: set another one with ${setBy}.`;
      reject(new Fault('config-invalid', message, { cause: error }));
    };
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      resolve();
    });
  });
  const address = server.address();
  const found = typeof address === 'object' && address ? address.port : port;
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${found}`;
}

/** Answers under way, by server. */
const underWay = new WeakMap<Server, Set<ServerResponse>>();

function countAnswers(server: Server): void {
  const answers = new Set<ServerResponse>();
  underWay.set(server, answers);
  const begin = (_request: unknown, response: ServerResponse) => {
    answers.add(response);
    response.once('close', () => answers.delete(response));
  };
  server.prependListener('request', begin);
  server.prependListener('checkContinue', begin);
}

/** Lets answers under way end, but not for longer than that; then every connection is closed, also of who holds on. */
export async function stopListening(server: Server, patienceMs = 5000): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const answered = [...(underWay.get(server) ?? [])].map(
    (response) => new Promise<void>((resolve) => response.once('close', resolve)),
  );
  const deadline = setTimeout(() => server.closeAllConnections(), patienceMs);
  await Promise.race([Promise.all(answered), closed]);
  clearTimeout(deadline);
  server.closeAllConnections();
  await closed;
}
