import { createHash } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Makes sure that only one demo uses a data folder: the one that listens on the folder's own local socket. The socket of
 * a killed demo does not answer, so no stale lock blocks the folder.
 *
 * @returns lets the folder go; null where another demo has it
 */
export async function lockFolder(folder: string): Promise<(() => Promise<void>) | null> {
  const name = `hlid-${createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 16)}`;
  const address = process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
  if (await somebodyAnswers(address)) return null;
  if (process.platform !== 'win32') removeFile(address);
  const server = createServer((socket) => socket.destroy());
  if (!(await listen(server, address))) return null;
  server.unref();
  return () => new Promise((done) => server.close(() => done()));
}

function somebodyAnswers(address: string): Promise<boolean> {
  return new Promise((answer) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      answer(true);
    });
    socket.once('error', () => answer(false));
  });
}

function listen(server: Server, address: string): Promise<boolean> {
  return new Promise((answer) => {
    server.once('error', () => answer(false));
    server.listen(address, () => answer(true));
  });
}

function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was not there.
  }
}
