import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { messageOf } from '@hlid/protocol/base/fault';
import { createTransport } from 'nodemailer';
import { z } from 'zod';
import type { SmtpConfig } from '../../platform/config.ts';
import type { MailRow } from './mail-store.ts';

/** The result of one attempt. `again`: the same mail may succeed later; `server`: no other mail will succeed now. */
export type SendResult =
  | { ok: true }
  | { ok: false; reason: 'refused' | 'again' | 'server'; message: string };

/** A file that goes with a mail. */
export interface MailFile {
  filename: string;
  contentType: string;
  content: string | Uint8Array<ArrayBuffer>;
}

/** Sends mail to a mail server. */
export interface Mailer {
  send(mail: MailRow, signal: AbortSignal, files?: readonly MailFile[]): Promise<SendResult>;
  close(): void;
}

/** Timeout for a server's first answer, and between two of them. */
export interface SmtpTimes {
  connectMs: number;
  silentMs: number;
}

const USUAL_TIMES: SmtpTimes = { connectMs: 15_000, silentMs: MINUTE_MS };

/** Mail over SMTP, one connection at a time that is kept while there is something to send. */
export function smtpMailer({ url, from }: SmtpConfig, times: SmtpTimes = USUAL_TIMES): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 1,
    connectionTimeout: times.connectMs,
    greetingTimeout: times.connectMs,
    dnsTimeout: times.connectMs,
    socketTimeout: times.silentMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = domainOf(from);
  return {
    async send(mail, signal, files = []) {
      const { id, resends, to, subject, text, html } = mail;
      if (!ADDRESS.test(to)) return { ok: false, reason: 'refused', message: 'the address is not one' };
      try {
        await transport.sendMail({
          from,
          // The recipient is an object: in a text a comma would begin another one.
          to: { name: '', address: to },
          subject: oneLine(subject),
          text,
          ...(html === null ? {} : { html }),
          attachments: files.map(({ content, ...file }) => ({
            ...file,
            content: typeof content === 'string' ? content : Buffer.from(content),
          })),
          // The same id at each retry, so that a duplicate can be recognized.
          messageId: `<${id}.${resends}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal,
        });
        return { ok: true };
      } catch (error) {
        return { ok: false, reason: failureReason(error), message: oneLine(messageOf(error)) };
      }
    },
    close: () => transport.close(),
  };
}

/** One address, of printable ASCII on both sides or with letters of other scripts; no list, no name, no quotes. */
const ADDRESS = /^[^\s<>()[\]\\,;:"@\p{C}]+@[^\s<>()[\]\\,;:"@\p{C}]+$/u;

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** The domain of the sender's address, such as `example.is`. */
function domainOf(from: string): string {
  return /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost';
}

const RejectionSchema = z.object({ code: z.string().optional(), permanent: z.boolean().optional() });

/** Whether the server refuses this mail (its sender, recipient or content), or our login. */
const OF_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);

function failureReason(error: unknown): 'refused' | 'again' | 'server' {
  const { code, permanent } = RejectionSchema.safeParse(error).data ?? {};
  // A wrong password is answered with 535: that is no reason to give up the mail.
  if (code === undefined || !OF_THE_MAIL.has(code)) return 'server';
  return permanent === true ? 'refused' : 'again';
}
