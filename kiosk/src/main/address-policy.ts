/** The shell's own protocol. */
export const APP_SCHEME = 'app';
const APP_HOST = 'kiosk';

export const PAGE_ADDRESS = `${APP_SCHEME}://${APP_HOST}/index.html`;
export const HELP_ADDRESS = `${APP_SCHEME}://${APP_HOST}/help.html`;

/**
 * The privileges of the scheme in Chromium: a separate origin, as secure as https, with `fetch` and streamed
 * answers.
 */
export const APP_PRIVILEGES = {
  standard: true,
  secure: true,
  supportFetchAPI: true,
  stream: true,
} as const;

/** Whether it is one of the two pages that the window may show, which may also reload themselves. */
export function isOwnPage(address: string): boolean {
  const url = parse(address);
  return url !== null && isOwn(url) && /^\/(?:index\.html|help\.html)?$/.test(url.pathname);
}

/**
 * Whether a page may ask for that at all. Everything goes through the shell's own protocol, the edge's answers too: the
 * page's process has no network.
 */
export function mayRequest(address: string): boolean {
  const url = parse(address);
  return url !== null && isOwn(url);
}

/** Whether an edge may be there: on this machine, since plates pass in plain text. */
export function isLoopbackEdge(address: string): boolean {
  const url = parse(address);
  return (
    url !== null &&
    url.protocol === 'http:' &&
    /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname) &&
    url.username === '' &&
    url.password === '' &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === ''
  );
}

function parse(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null;
}

/** Node's URL has no `origin` for a scheme that only Chromium supports. */
function isOwn({ protocol, host, username, password }: URL): boolean {
  return protocol === `${APP_SCHEME}:` && host === APP_HOST && username === '' && password === '';
}
