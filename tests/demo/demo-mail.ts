import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { type ReadMail, readMail } from '../harness/read-mail.ts';
import { waitFor } from '../harness/wait.ts';

interface DemoMailOptions {
  /** Each mail becomes a file there. */
  folder: string;
  /** Reports each mail and its file. */
  report: (mail: ReadMail & { to: string; file: string }) => void;
}

/** The mail server of the demo: no mail leaves this machine. */
export class DemoMail {
  readonly #options: DemoMailOptions;
  readonly #server: SMTPServer;
  readonly #received: (ReadMail & { to: string })[] = [];
  #count = 0;

  constructor(options: DemoMailOptions) {
    this.#options = options;
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      closeTimeout: 10,
      onData: (stream, session, answer) => {
        readAll(stream).then((raw) => {
          this.#store(session.envelope.rcptTo.map(({ address }) => address).join(', '), raw);
          answer();
        }, answer);
      },
    });
    // The cloud may end in the middle of a mail.
    this.#server.on('error', () => undefined);
  }

  /** @returns where the cloud sends its mail */
  async start(): Promise<string> {
    mkdirSync(this.#options.folder, { recursive: true, mode: 0o700 });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server.server, 'listening');
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** The text of a mail to an address, once it has arrived. */
  async textTo(email: string, pattern: RegExp): Promise<string> {
    const found = () => this.#received.find(({ to, text }) => to === email && pattern.test(text))?.text;
    return await waitFor(found, { what: `a mail to ${email}` });
  }

  #store(to: string, raw: string): void {
    const mail = { to, ...readMail(raw) };
    this.#received.push(mail);
    if (this.#received.length > KEPT) this.#received.shift();
    this.#count += 1;
    const at = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
    const file = join(this.#options.folder, `${at}-${this.#count}.txt`);
    // Links in mails are secrets for a while.
    writeFileSync(file, `To: ${to}\nSubject: ${mail.subject}\n\n${mail.text}`, { mode: 0o600 });
    this.#options.report({ ...mail, file });
  }
}

const KEPT = 50;
