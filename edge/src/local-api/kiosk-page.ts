import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the kiosk's page is built to: from `src` and from `dist` it is as far. */
const FOLDER = fileURLToPath(new URL('../../../kiosk/dist-page/', import.meta.url));
const AT = '/kiosk/';

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const NOT_BUILT = `The kiosk's page is not built. Run "npm run -w kiosk build-page", then start the edge again.
`;

type Route = (request: IncomingMessage, response: ServerResponse) => void;

/** The routes of the page at which drivers pay, by path; its files are read now, once. */
export function loadKioskPage(folder: string = FOLDER): Map<string, Route> {
  const routes = new Map<string, Route>([[AT.slice(0, -1), redirect]]);
  if (!existsSync(`${folder}/index.html`)) return routes.set(AT, sayNotBuilt);
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const contentType = CONTENT_TYPES[extname(file)];
    if (contentType === undefined) continue;
    const isIndex = file === 'index.html';
    // The build names all others by what is in them: what has changed has another name.
    const caching = isIndex ? 'no-cache' : 'public, max-age=31536000, immutable';
    routes.set(
      isIndex ? AT : `${AT}${file}`,
      serve(readFileSync(`${folder}/${file}`), { 'content-type': contentType, 'cache-control': caching }),
    );
  }
  return routes;
}

function serve(content: Buffer, headers: Record<string, string>): Route {
  return (_request, response) => {
    response.writeHead(200, { ...headers, 'content-length': content.length }).end(content);
  };
}

function redirect(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(308, { location: AT, 'cache-control': 'no-cache' }).end();
}

function sayNotBuilt(_request: IncomingMessage, response: ServerResponse): void {
  response
    .writeHead(503, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    .end(NOT_BUILT);
}
