import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  ADVICE_OF_KIND,
  DEVICE_ADVICE,
  DEVICE_KIND_WORDS,
  DEVICE_STATE_WORDS,
} from '@hlid/protocol/words/device-words';
import { FLAG_WORDS } from '@hlid/protocol/words/flag-words';
import { REASON_WORDS } from '@hlid/protocol/words/reason-words';
import { PAGE_WORDS } from './page-words.ts';

/** Beside `src` and `dist`, so that it is found from both. */
const FOLDER = new URL('../../page/', import.meta.url);
const WORDS_GO_HERE = '{"words":"go here"}';

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** Files of the page, and what they are. */
const FILES: Record<string, string> = {
  'index.html': HTML,
  'page.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'page.js': SCRIPT,
  'board-link.js': SCRIPT,
  'board-state.js': SCRIPT,
  'top-bar.js': SCRIPT,
  'device-board.js': SCRIPT,
  'lane-card.js': SCRIPT,
  'drawings.js': SCRIPT,
  'element.js': SCRIPT,
  'words.js': SCRIPT,
};

/** All words of the page, as it finds them in its own document. */
const LANE_PAGE_WORDS = { is: wordsIn('is'), en: wordsIn('en') };
export type LanePageWords = (typeof LANE_PAGE_WORDS)['en'];

function wordsIn(language: 'is' | 'en') {
  return {
    page: PAGE_WORDS[language],
    reasons: REASON_WORDS[language],
    flags: FLAG_WORDS[language],
    devices: {
      kinds: DEVICE_KIND_WORDS[language],
      states: DEVICE_STATE_WORDS[language],
      advice: DEVICE_ADVICE[language],
      adviceOfKind: ADVICE_OF_KIND[language],
    },
  };
}

/** The routes of the page that shows the lanes, by path; the files are read now, once. */
export function loadLanePage(): Map<string, (request: IncomingMessage, response: ServerResponse) => void> {
  return new Map(
    Object.entries(FILES).map(([file, contentType]) => {
      const text = readFileSync(new URL(file, FOLDER), 'utf8');
      const index = file === 'index.html';
      return [index ? '/' : `/${file}`, serve(index ? withWords(text) : text, contentType)];
    }),
  );
}

function serve(text: string, contentType: string) {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return (request: IncomingMessage, response: ServerResponse) => {
    // Asked every time whether it is still so: an updated daemon must not meet an old page.
    const headers = { etag, 'cache-control': 'no-cache' };
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, headers).end();
    response
      .writeHead(200, {
        ...headers,
        'content-type': contentType,
        'content-length': Buffer.byteLength(text),
      })
      .end(text);
  };
}

function withWords(html: string): string {
  // `<` would end the script element early.
  const words = JSON.stringify(LANE_PAGE_WORDS).replaceAll('<', '\\u003c');
  return html.replace(WORDS_GO_HERE, () => words);
}
