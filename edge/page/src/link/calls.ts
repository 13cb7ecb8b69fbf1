import { noteAnswer } from '@hlid/ui/fresh-page';

/** The rights of this page. */
export interface Access {
  mayView: boolean;
  mayAct: boolean;
  hasSession: boolean;
}

/** The answer of the gate computer to a command, a PIN or a code. */
export interface Answer {
  /** 0: it did not answer. */
  status: number;
  code: string;
  messages: readonly string[];
  waitMs: number;
  /** The outcome of a command. */
  outcome: string | null;
  /** The car that stands there, for `other-car`; null: no car does. */
  car: { passageId: string; visitId: string | null; plate: string | null; since: string } | null;
}

/** The page does not wait longer: a command without an answer is checked on the board. */
const TIMEOUT_MS = 10_000;
const NO_ANSWER: Answer = {
  status: 0,
  code: 'no-answer',
  messages: [],
  waitMs: 0,
  outcome: null,
  car: null,
};

/** @returns null: the gate computer does not answer */
export async function readAccess(): Promise<Access | null> {
  try {
    const response = await fetch('/api/access', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    noteAnswer(response);
    return await response.json();
  } catch {
    return null;
  }
}

/** Sends JSON; every answer is JSON too. */
export async function send(method: 'POST' | 'DELETE', path: string, body: object): Promise<Answer> {
  try {
    const response = await fetch(path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { ...NO_ANSWER, code: '', ...(await response.json()), status: response.status };
  } catch {
    return NO_ANSWER;
  }
}
