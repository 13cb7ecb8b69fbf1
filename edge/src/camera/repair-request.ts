/** The head of a request, as Node.js accepts it. */
export interface RepairedHead {
  /** Ends in the empty line. */
  head: string;
  /** The request has no length of its body: the body lasts until the sender closes. */
  untilClose: boolean;
  /** The faults of the request, for the installer. */
  faults: string[];
}

const END_OF_HEAD = /\r?\n\r?\n/;
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+[ \t]*$/;
const REQUEST_LINE = /^([A-Za-z]{3,10})[ \t]+(\S+)(?:[ \t]+(HTTP)\/(\d)\.(\d))?[ \t]*$/i;
/** The same length, once more or in a list. */
const REPEATED_LENGTH = /^(\d+)(?:[ \t]*,[ \t]*\1)+$/;

/** The length of a request's head with its empty line; null: the head is incomplete. */
export function headLength(latin1: string): number | null {
  const match = END_OF_HEAD.exec(latin1);
  return match === null ? null : match.index + match[0].length;
}

/**
 * Repairs the head of a request from a device with faulty HTTP. It corrects lines without a valid name, a
 * repeated length, a method or protocol in small letters, and an address in another form. It adds a length
 * where a body follows without one. Null: the head needs no repair, or is no request.
 *
 * @param followed bytes have come after the head
 */
export function repairHead(head: string, followed: boolean): RepairedHead | null {
  const [requestLine = '', ...lines] = head.split(/\r?\n/);
  const request = REQUEST_LINE.exec(requestLine);
  if (!request) return null;
  const [, method = '', target = '', protocol = 'HTTP', major = '1', minor = '0'] = request;
  const faults: string[] = [];
  const kept: string[] = [];
  const values = new Map<string, string>();
  let isDropped = false;
  for (const line of lines) {
    if (line === '') continue;
    const isContinued = /^[ \t]/.test(line) && kept.length > 0;
    if (isContinued) {
      if (!isDropped) kept.push(line);
      continue;
    }
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon));
    const key = name.trim().toLowerCase();
    const given = line.slice(colon + 1).trim();
    const once = key === 'content-length' ? REPEATED_LENGTH.exec(given)?.[1] : undefined;
    const value = once ?? given;
    const isTwice = key === 'content-length' && values.get(key) === value;
    isDropped = !NAME.test(name) || isTwice;
    if (isTwice || once !== undefined) faults.push('a Content-Length is there twice');
    else if (isDropped)
      faults.push(name.trim() === '' ? 'a header has no name' : 'a header has a name that is none');
    if (isDropped) continue;
    values.set(key, value);
    kept.push(once === undefined ? line : `${name}: ${once}`);
  }
  if (method !== method.toUpperCase()) faults.push('the method is in small letters');
  if (protocol !== protocol.toUpperCase()) faults.push('the protocol is in small letters');
  const repairedTarget = repairTarget(target);
  if (repairedTarget !== target) faults.push('the address is written otherwise than it was given');
  const isOld = `${major}.${minor}` === '1.0';
  const isPut = method.toUpperCase() === 'PUT';
  if (isPut) faults.push('it is put and not posted');
  const sentBy = isPut ? 'POST' : method.toUpperCase();
  const isPost = sentBy === 'POST';
  const isLong = values.has('content-length') || values.has('transfer-encoding');
  const untilClose = isPost && !isLong && (followed || isOld);
  if (untilClose) faults.push('it does not say how long its body is');
  if (faults.length === 0) return null;
  const length = untilClose ? ['Transfer-Encoding: chunked'] : [];
  // Its next request may be as bad, and is looked at only on a new connection.
  const others = kept.filter((line) => !/^connection[ \t]*:/i.test(line));
  const mended = [`${sentBy} ${repairedTarget} HTTP/1.1`, ...others, ...length, 'Connection: close', '', ''];
  return { head: mended.join('\r\n'), untilClose, faults: [...new Set(faults)] };
}

/**
 * The address without the additions of devices. They repeat the server's name in it as for a proxy, put their
 * own slash before or after it, and write its `?` as `%3F`.
 */
function repairTarget(target: string): string {
  const local = target.replace(/^https?:\/\/[^/?]*/i, '');
  const marked = local.includes('?') ? local : local.replace(/%3f/i, '?');
  const queryAt = marked.indexOf('?');
  const path = queryAt === -1 ? marked : marked.slice(0, queryAt);
  const query = queryAt === -1 ? '' : marked.slice(queryAt);
  const plain = `/${path}`.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  return `${plain}${query}`;
}
