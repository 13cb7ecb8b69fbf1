import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as the server got it. */
export interface ReceivedMail {
  to: string[];
  /** Headers and body, as they came. */
  raw: string;
}

/** The answers of the server; it accepts what is not set. */
export interface Manners {
  /** The answer to a recipient: a code such as 550. */
  recipient?: number;
  /** The answer to a whole mail: a code, or `silent` for no answer at all. */
  mail?: number | 'silent';
  password?: string;
}

/** A mail server on a free port, for tests. */
export async function startSmtpServer(port = 0) {
  const received: ReceivedMail[] = [];
  const manners: Manners = {};
  let waiting: (() => void)[] = [];
  const noticed = () => {
    for (const go of waiting) go();
    waiting = [];
  };
  const refusal = (responseCode: number) =>
    Object.assign(new Error(`No, ${responseCode}.`), { responseCode });
  const options: SMTPServerOptions = {
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 10,
    onAuth({ password }, _session, answer) {
      if (password === manners.password) answer(null, { user: 'hlid' });
      else answer(refusal(535));
    },
    onRcptTo(_address, _session, answer) {
      if (manners.recipient === undefined) answer();
      else answer(refusal(manners.recipient));
    },
    onData(stream, session, answer) {
      text(stream).then((raw) => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const { mail } = manners;
        if (mail === undefined || mail === 'silent') received.push({ to, raw });
        noticed();
        if (mail !== 'silent') answer(mail === undefined ? null : refusal(mail));
      }, answer);
    },
  };
  const server = new SMTPServer(options);
  // Clients that break off are part of the tests.
  server.on('error', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const at = server.server.address() as AddressInfo;
  return {
    port: at.port,
    url: `smtp://127.0.0.1:${at.port}`,
    received,
    manners,
    /** Resolves when the next mail is here, before it is answered. */
    noticing: () => new Promise<void>((resolve) => waiting.push(resolve)),
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
