import { currencyNumber } from '@hlid/protocol/base/currency-number';
import type { TerminalConnection } from '../terminal.ts';
import { nibblesOf, readBcd } from './bcd-frame.ts';
import type { CommandRunner, DialogueEnd } from './dialogue.ts';
import { codeText, problemOf, RESULT } from './result-codes.ts';
import { isBusy } from './run-zvt-command.ts';
import { diagnosis, initialisation, registration, statusEnquiry } from './zvt-commands.ts';
import type { ZvtOptions } from './zvt-options.ts';

/** The result of a login, or of a check of the terminal. */
export interface LoginStatus {
  connection: TerminalConnection;
  /** Null: 00, or none. */
  code: string | null;
  problem: string | null;
  /** Whether it takes commands of a registered till. */
  registered: boolean;
  terminalId: string | null;
}

const READY: Omit<LoginStatus, 'terminalId'> = {
  connection: 'CONNECTED',
  code: null,
  problem: null,
  registered: true,
};

/** Answers to a registration with a currency that the terminal does not have. */
const REFUSES_CURRENCY: ReadonlySet<number> = new Set([0x1e, RESULT.wrongCurrency]);

/** The bit of a registration's completion that demands an initialisation. */
const NEEDS_INITIALISATION = 0x01;
const NEEDS_DIAGNOSIS = 0x02;

/** Status codes of what the terminal needs before it takes money again. */
const INITIALISE_FIRST: ReadonlySet<number> = new Set([0x51, 0x63]);
const DIAGNOSE_FIRST: ReadonlySet<number> = new Set([0xc2, 0xe4]);
/** No printer, because we print, and a card that was put in too early. */
const USABLE_CODES: ReadonlySet<number> = new Set([0xcc, 0xdc]);
const END_DAY_FIRST: ReadonlySet<number> = new Set([0xf0, 0xb1]);

type LoginOptions = Pick<ZvtOptions, 'password' | 'terminalId' | 'receipts'> & { currency: string };

/**
 * Brings a fresh line to a terminal that takes payments: checks that it is free, registers, checks that it is
 * the right one, and gives it what it asks for.
 */
export async function logIn(dialogues: CommandRunner, options: LoginOptions): Promise<LoginStatus> {
  const none = { registered: false, terminalId: null };
  const number = currencyNumber(options.currency);
  if (number === null) {
    const problem = `there is no terminal for ${options.currency}`;
    return { ...none, connection: 'LOGINFAILED', code: null, problem };
  }
  // The terminal may still be busy for an earlier caller; the state that it reports counts after the
  // registration.
  const first = await dialogues.run(statusEnquiry(options));
  if (isBusy(first)) return { ...none, ...BUSY };
  if (first.kind === 'lost' || first.kind === 'not-sent') return { ...none, ...away(first.problem) };

  const { password, receipts } = options;
  const end = await dialogues.run(registration({ password, currency: number, receipts }));
  if (isBusy(end)) return { ...none, ...BUSY };
  if (end.kind === 'lost' || end.kind === 'not-sent') return { ...none, ...away(end.problem) };
  if (end.kind !== 'completed') {
    const problem = REFUSES_CURRENCY.has(end.code)
      ? `it does not take ${options.currency}`
      : `it refuses the login (${codeText(end.code)})`;
    return { ...none, connection: 'LOGINFAILED', code: codeText(end.code), problem };
  }
  const answer = readRegistration(end);
  const wrong = whatIsWrong(answer, options.terminalId, number);
  if (wrong) return { ...none, connection: 'LOGINFAILED', code: null, problem: wrong };
  if (answer.status & NEEDS_INITIALISATION) await dialogues.run(initialisation(options));
  if (answer.status & NEEDS_DIAGNOSIS) await dialogues.run(diagnosis());
  const login = await checkTerminal(dialogues, options);
  return { ...login, terminalId: answer.terminalId };
}

/** How the terminal is, by its own word (05 01); what it needs and we can give, it gets. */
export async function checkTerminal(
  dialogues: CommandRunner,
  options: Pick<ZvtOptions, 'password'>,
): Promise<Omit<LoginStatus, 'terminalId'>> {
  const before = await askStatus(dialogues, options);
  if (typeof before !== 'number') return before;
  if (INITIALISE_FIRST.has(before)) await dialogues.run(initialisation(options));
  else if (DIAGNOSE_FIRST.has(before)) {
    await dialogues.run(diagnosis());
    await dialogues.run(initialisation(options));
  } else return loginStatusOf(before);
  const after = await askStatus(dialogues, options);
  return typeof after === 'number' ? loginStatusOf(after) : after;
}

/** Whether only its end of day makes it take money again. */
export function needsEndOfDay(code: string | null): boolean {
  return code !== null && END_DAY_FIRST.has(Number.parseInt(code, 16));
}

async function askStatus(
  dialogues: CommandRunner,
  options: Pick<ZvtOptions, 'password'>,
): Promise<number | Omit<LoginStatus, 'terminalId'>> {
  const end = await dialogues.run(statusEnquiry(options));
  if (isBusy(end)) return { ...BUSY, registered: true };
  switch (end.kind) {
    case 'completed':
      // Some terminals send nothing but the completion.
      return end.message.lead.terminalStatus ?? end.code ?? RESULT.ok;
    case 'aborted':
    case 'refused':
      // It has no status enquiry: what it cannot do, the next payment shows.
      return end.code === RESULT.functionNotPossible ? RESULT.ok : end.code;
    default:
      return { ...away(end.problem), registered: false };
  }
}

function loginStatusOf(code: number): Omit<LoginStatus, 'terminalId'> {
  if (code === RESULT.ok) return READY;
  const [text, problem] = [codeText(code), problemOf(code)];
  if (code === RESULT.busy) return { ...BUSY, registered: true };
  if (USABLE_CODES.has(code)) return { ...READY, code: text };
  const connection = code === RESULT.notRegistered ? 'NOTLOGGEDIN' : 'UNKNOWN';
  return { connection, code: text, problem, registered: code !== RESULT.notRegistered };
}

const BUSY = { connection: 'ACTIVE', code: '9C', problem: 'it is busy' } as const;

/** The terminal does not answer a command: over a serial line perhaps not even its frame. */
function away(problem: string) {
  return { connection: 'UNKNOWN', code: null, problem } as const;
}

function readRegistration(end: Extract<DialogueEnd, { kind: 'completed' }>) {
  const bytesAt = (id: number) => end.message.fields.find((field) => field.id === id)?.value ?? null;
  const terminalId = bytesAt(0x29);
  const currency = bytesAt(0x49);
  return {
    status: bytesAt(0x19)?.[0] ?? 0,
    terminalId: terminalId && nibblesOf(terminalId),
    currency: currency && readBcd(currency),
  };
}

function whatIsWrong(
  answer: ReturnType<typeof readRegistration>,
  expectedId: string | undefined,
  currency: number,
): string | null {
  if (expectedId !== undefined && answer.terminalId !== null && answer.terminalId !== expectedId) {
    return `another terminal is here: ${answer.terminalId}, not ${expectedId}`;
  }
  if (answer.currency !== null && answer.currency !== currency) return 'it is set to another currency';
  return null;
}
