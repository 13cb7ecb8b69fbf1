import type { Language } from '@hlid/protocol/base/language';
import type { PriceBoard } from '@hlid/protocol/words/price-board';
import { qrSquares } from '../../platform/http/qr-svg.ts';
import { PAY_WORDS } from './pay-words.ts';

/** A4, in millimetres. */
const PAGE = { width: 210, height: 297 };
const CODE = { top: 42, size: 120 };
const TEXTS = { top: 184, height: 105, maxBlock: 40 };
/** The width of an ordinary letter, as a part of the font size; the line leaves room at both sides. */
const LETTER_WIDTH = 0.54;
const LINE_WIDTH = 190;

/** A sign for drivers: the site, what it costs, the code of its payment page, and what to do with it. */
export function paySign(site: {
  name: string;
  /** The lines with the address and the opening hours, as far as they are known. */
  place: readonly string[];
  url: string;
  languages: readonly Language[];
  /** Null: nothing has a price. */
  prices: PriceBoard | null;
}): string {
  const { width, height } = PAGE;
  const { size, path } = qrSquares(site.url);
  const block = Math.min(TEXTS.maxBlock, TEXTS.height / site.languages.length);
  const middle = width / 2;
  const place = site.place.join('  ·  ');
  const texts = site.languages.flatMap((language, at) => {
    const top = TEXTS.top + at * block;
    const { title, how } = PAY_WORDS[language].sign;
    const prices = (site.prices?.[language] ?? []).join('  ·  ');
    const line = (text: string, place: number, size: number, weight = 400) =>
      `<text x="${middle}" y="${fixed(top + block * place)}" font-size="${fixed(fitting(text, block * size))}" font-weight="${weight}" lang="${language}">${escaped(text)}</text>`;
    return [
      line(title, 0.3, 0.28, 700),
      line(how, 0.54, 0.17),
      ...(prices === '' ? [] : [line(prices, 0.82, 0.19, 600)]),
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${height}mm" viewBox="0 0 ${width} ${height}" font-family="sans-serif" text-anchor="middle">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${middle}" y="30" font-size="${Math.min(14, (1.6 * 180) / site.name.length)}" font-weight="700">${escaped(site.name)}</text>`,
    ...(place === ''
      ? []
      : [`<text x="${middle}" y="38" font-size="${fixed(fitting(place, 5))}">${escaped(place)}</text>`]),
    `<svg x="${(width - CODE.size) / 2}" y="${CODE.top}" width="${CODE.size}" height="${CODE.size}" viewBox="0 0 ${size} ${size}"><path d="${path}"/></svg>`,
    `<text x="${middle}" y="${CODE.top + CODE.size + 8}" font-size="6">${escaped(site.url.replace(/^https?:\/\//, ''))}</text>`,
    ...texts,
    '</svg>',
    '',
  ].join('\n');
}

/** The size at which a line has room. */
function fitting(text: string, size: number): number {
  return Math.min(size, LINE_WIDTH / (LETTER_WIDTH * text.length));
}

function fixed(length: number): number {
  return Math.round(length * 100) / 100;
}

/** Names and addresses are free text. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
