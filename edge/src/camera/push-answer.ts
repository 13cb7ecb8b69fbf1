import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Why a document was not taken, for the caller and the log. */
export interface PushRefusal {
  status: number;
  messages: string[];
  /** The parser's word, or `cut-off`. */
  reason?: string;
  headers?: Record<string, string>;
}

/** The most bytes of a refused body that are discarded, so that the sender reads the answer. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;
/** The longest time for which a refused body is discarded. */
const DISCARD_FOR_MS = 3000;

/** Connections that have their last answer. */
const answered = new WeakSet<Duplex>();

export function answer(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { ...headers, ...headersOf(text) }).end(text);
}

/**
 * Answers before the whole body has come, and closes. The answer goes out at once; what still comes is thrown away
 * for a moment, since a connection closed with unread bytes takes the answer with it.
 */
export function answerAndClose(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: PushRefusal,
  body: object,
): void {
  const text = JSON.stringify(body);
  answered.add(request.socket);
  response.writeHead(refusal.status, { ...refusal.headers, ...headersOf(text), connection: 'close' });
  response.write(text);
  // A sender that waits for 100 Continue has not begun to send.
  if (request.headers.expect !== undefined) {
    response.end();
    return;
  }
  let discarded = 0;
  const end = () => {
    clearTimeout(deadline);
    response.end();
  };
  const deadline = setTimeout(end, DISCARD_FOR_MS);
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > MAX_DISCARDED_BYTES) end();
  });
  request.once('end', end).once('close', end);
  request.resume();
}

/** Answers what is no HTTP request, or came too slowly, or broke off: its connection has no response object. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): number {
  const slow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const large = error.code === 'HPE_HEADER_OVERFLOW';
  const [status, name] = slow
    ? [408, 'Request Timeout']
    : large
      ? [431, 'Request Header Fields Too Large']
      : [400, 'Bad Request'];
  if (socket.writable && !answered.has(socket)) {
    const text = JSON.stringify({
      messages: [slow ? 'The document came too slowly.' : 'The request is broken or was cut off.'],
    });
    const headers = Object.entries({ ...headersOf(text), connection: 'close' });
    const head = headers.map(([header, value]) => `${header}: ${value}\r\n`).join('');
    socket.end(`HTTP/1.1 ${status} ${name}\r\n${head}\r\n${text}`, () => socket.destroy());
  } else socket.destroy();
  return status;
}

function headersOf(text: string): Record<string, string | number> {
  return { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
}
