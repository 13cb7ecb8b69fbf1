/** How many digits of a card number may be shown at its end (PCI DSS 3.4.1). */
const SHOWN_LAST = 4;

const SHORTEST = 13;
const LONGEST = 19;
/** Nearly all of them; nothing stands beside one in so few digits. */
const USUAL = 16;

/** Digits in groups; shorter runs are no card's. */
const RUN = /\d(?:[ -]?\d){12,}/g;

/** As cards are embossed: groups of four, or those of American Express and Diners. */
const CARD_GROUPS = /^(?:4,4,4,[1-4](?:,[1-3])?|4,6,[45])$/;

/** A text in which numbers that can be a card's show their last four digits only: some terminals print them whole. */
export function hideCardNumbers(text: string): string {
  return text.replace(RUN, (run) => {
    const spans = cardsIn(run);
    return Array.from(run, (letter, at) =>
      letter >= '0' && letter <= '9' && spans.some(({ from, shownFrom }) => at >= from && at < shownFrom)
        ? '*'
        : letter,
    ).join('');
  });
}

/** By its check digit (ISO/IEC 7812, Luhn). */
export function isCardNumber(digits: string): boolean {
  const sum = Array.from(digits, Number)
    .reverse()
    .reduce((total, digit, at) => total + (at % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)), 0);
  return digits.length >= SHORTEST && digits.length <= LONGEST && sum % 10 === 0;
}

/** What is to be hidden of a run: from a card's first digit to the last four, which are shown. */
interface Span {
  from: number;
  shownFrom: number;
}

/** The run itself, or, where more stands beside a number in it, the parts that look like one. */
function cardsIn(run: string): Span[] {
  if (isCardNumber(run.replace(/\D/g, ''))) return [spanOf(run, 0, run.length)];
  const groups = Array.from(run.matchAll(/\d+/g), ({ 0: digits, index }) => ({
    digits,
    from: index,
    to: index + digits.length,
  }));
  return groups.flatMap(({ digits, from, to }, first) => {
    if (digits.length >= SHORTEST) return within(run, from, to);
    return groups
      .slice(first + 1)
      .filter((last) => looksLikeCard(run.slice(from, last.to)))
      .map((last) => spanOf(run, from, last.to));
  });
}

/** A number that something stands before or behind without a gap, such as its expiry. */
function within(run: string, from: number, to: number): Span[] {
  const length = to - from;
  const lengths =
    length > USUAL ? Array.from({ length: LONGEST - SHORTEST + 1 }, (_, more) => SHORTEST + more) : [length];
  const parts = lengths.flatMap((length) => [[from, from + length] as const, [to - length, to] as const]);
  return parts
    .filter(([start, end]) => start >= from && end <= to && isLikely(run.slice(start, end)))
    .map(([start, end]) => spanOf(run, start, end));
}

function looksLikeCard(part: string): boolean {
  const lengths = part.split(/[ -]/).map((group) => group.length);
  return CARD_GROUPS.test(lengths.join(',')) && isLikely(part.replace(/\D/g, ''));
}

/** No card begins with 0. */
function isLikely(digits: string): boolean {
  return !digits.startsWith('0') && isCardNumber(digits);
}

function spanOf(run: string, from: number, to: number): Span {
  let shownFrom = to;
  for (let shown = 0; shown < SHOWN_LAST && shownFrom > from; shownFrom--) {
    if (/\d/.test(run.charAt(shownFrom - 1))) shown++;
  }
  return { from, shownFrom };
}
