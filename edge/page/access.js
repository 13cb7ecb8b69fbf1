/** @typedef {{mayView: boolean, mayAct: boolean, hasSession: boolean}} Access what this page may do */
/** @typedef {{status: number, code: string, messages: string[], waitMs?: number, car?: {plate: string | null} | null, outcome?: string}} Answer */

/** The page does not wait longer: a command without an answer is checked on the board. */
const TIMEOUT_MS = 10_000;

/** The mark of the program and its pages: as this page was loaded, and now. */
const version = { first: /** @type {string | null} */ (null), latest: /** @type {string | null} */ (null) };

/** Whether the daemon was upgraded after this page was loaded. */
export function isOutdated() {
  return version.latest !== version.first;
}

/** @returns {Promise<Access | null>} null: the daemon does not answer */
export async function readAccess() {
  try {
    const response = await fetch('/api/access', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    version.latest = response.headers.get('hlid-version') ?? version.latest;
    version.first ??= version.latest;
    return await response.json();
  } catch {
    return null;
  }
}

/**
 * Sends JSON; every answer is JSON too.
 *
 * @param {'POST' | 'DELETE'} method
 * @param {string} path
 * @param {object} body
 * @returns {Promise<Answer>}
 */
export async function send(method, path, body) {
  try {
    const headers = { 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(path, { method, headers, body: JSON.stringify(body), signal });
    return { code: '', messages: [], ...(await response.json()), status: response.status };
  } catch {
    return { status: 0, code: 'no-answer', messages: [] };
  }
}

/**
 * Why a PIN was not accepted; empty where it was.
 *
 * @param {Answer} answer
 * @param {import('./words.js').Words['page']['pin']} words
 */
export function pinProblem({ status, code, waitMs = 0 }, words) {
  if (status === 200) return '';
  if (code === 'wrong-pin') return words.wrong;
  if (code === 'too-many') return words.tooMany.replace('{n}', String(Math.ceil(waitMs / 60_000)));
  return words.failed;
}
