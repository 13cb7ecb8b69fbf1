import type { Server } from 'node:http';
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

/** Lets requests under way end, but not for longer than that. */
export async function stopListening(server: Server, patienceMs = 5000): Promise<void> {
  if (!server.listening) return;
  const deadline = setTimeout(() => server.closeAllConnections(), patienceMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(deadline);
}
